import { expect, test } from '@jest/globals';
import type { Block, BlockSkeleton } from '../../generated/trace.ts';
import {
  callsToSteps,
  messagesToSteps,
  readGroupParams,
  toAxisDots,
  unknownGroupParams,
  visibleRange,
} from '../../src/viewer/page/group/steps.ts';
import fc from '../support/fast-check.ts';

const call = (id: string, given: object) =>
  ({ id, sub_type: 'TOOL_CALL', payload: { name: 'run', arguments: given }, extra: null }) as unknown as Block;
const outline = (fields: object) =>
  ({ id: 'tb_0', preview: '', reward: null, is_error: false, bytes: 10, ...fields }) as unknown as BlockSkeleton;

test('makes a step of a call with its result and reward', () => {
  const results = [
    outline({ parent_block_id: 'tb_1', preview: 'half', reward: 0.5 }),
    outline({ parent_block_id: 'tb_2', preview: 'bad', is_error: true }),
    outline({ parent_block_id: 'tb_1', preview: 'whole', reward: 0.25 }),
  ];

  const steps = callsToSteps([call('tb_1', { text: 'ls' }), call('tb_2', { a: 1, b: 2 }), call('tb_3', {})], results);

  expect(steps).toEqual([
    {
      id: 'tb_1',
      tool: 'run',
      key: 'run {"text":"ls"}',
      inputText: 'ls',
      result: 'whole',
      reward: 0.75,
      isError: false,
    },
    {
      id: 'tb_2',
      tool: 'run',
      key: 'run {"a":1,"b":2}',
      inputText: '{"a":1,"b":2}',
      result: 'bad',
      reward: null,
      isError: true,
    },
    { id: 'tb_3', tool: 'run', key: 'run {}', inputText: '', result: '', reward: null, isError: false },
  ]);
});

test('treats calls as equal if only the order of their arguments differs', () => {
  const [one, other] = callsToSteps(
    [call('tb_1', { a: 1, b: { c: 2, d: 3 } }), call('tb_2', { b: { d: 3, c: 2 }, a: 1 })],
    [],
  );

  expect(one?.key).toBe(other?.key);
});

test('treats arguments that are nested too deeply for the stack as different', () => {
  const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);

  const [one, other] = callsToSteps([call('tb_1', { deep }), call('tb_2', { deep })], []);

  expect(one?.key).not.toBe(other?.key);
});

test('distinguishes skeletons of calls by their beginnings and lengths', () => {
  const given = [{ preview: 'a' }, { preview: 'a' }, { preview: 'b' }, { preview: 'a', bytes: 11 }];

  const [one, same, ...others] = callsToSteps(
    given.map((fields) => outline({ name: 'run', ...fields })),
    [],
  );

  expect(same?.key).toBe(one?.key);
  for (const other of others) expect(other.key).not.toBe(one?.key);
});

test('makes steps of assistant messages if no tools are called', () => {
  const steps = messagesToSteps([
    outline({ role: 'user', preview: 'hi' }),
    outline({ role: 'assistant', preview: 'hello' }),
  ]);

  expect(steps.map(({ tool, inputText }) => [tool, inputText])).toEqual([['message', 'hello']]);
});

test('reads the parameters of a group from its address', () => {
  const name = readGroupParams(new URLSearchParams('view=group&run=r&task_key=k&step=0&split=&traces='));

  expect(name).toEqual({ run: 'r', task_key: 'k', step: 0 });
  expect(readGroupParams(new URLSearchParams('step=x&group_id=g'))).toEqual({ group_id: 'g' });
});

test.each([
  ['step=0&reference=tr_1', []],
  ['step=x&reference=tr_9', ['step', 'reference']],
  ['step=&reference=', []],
])('reports the invalid parameters of the address %s for a group of tr_1: %j', (address, names) => {
  expect(unknownGroupParams(new URLSearchParams(address), [{ trace_id: 'tr_1' }])).toEqual(names);
});

test('returns the visible range with the overscan items', () => {
  const sizes = {
    at: fc.nat(5_000),
    size: fc.nat(900),
    each: fc.integer({ min: 1, max: 90 }),
    count: fc.nat(300),
    overscan: fc.nat(5),
  };
  fc.assert(
    fc.property(fc.record(sizes), (scrolled) => {
      const { at, size, each, count, overscan } = scrolled;

      const { from, to } = visibleRange(scrolled);

      expect(from).toBeLessThanOrEqual(to);
      expect(to).toBeLessThanOrEqual(count);
      expect(to - from).toBeLessThanOrEqual(Math.ceil(size / each) + 1 + 2 * overscan);
      for (let index = 0; index < count; index++) {
        const isInSight = (index + 1) * each > at && index * each < at + size;
        if (isInSight) expect(index >= from && index < to).toBe(true);
      }
    }),
  );
});

test.each([
  [
    [0, 1, 0.5, 1, null],
    [
      [0, 0, 0],
      [1, 1, 0],
      [2, 0.5, 0],
      [3, 1, 1],
    ],
  ],
  [
    [-2, -2],
    [
      [0, 0.5, 0],
      [1, 0.5, 1],
    ],
  ],
  [[null], []],
])('places the rewards %j on one axis: %j', (rewards, dots) => {
  expect(toAxisDots(rewards).map(({ index, at, level }) => [index, at, level])).toEqual(dots);
});
