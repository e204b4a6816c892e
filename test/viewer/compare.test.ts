import { expect, test } from '@jest/globals';
import type { StitchedMessage, StitchedToolCall } from '../../generated/trace.ts';
import {
  contentToText,
  diffItems,
  foldUnchanged,
  readComparedIds,
  readDifferenceIndex,
  type TraceItem,
  toTraceItems,
  unknownCompareParams,
} from '../../src/viewer/page/compare/changes.ts';
import fc from '../support/fast-check.ts';

const message = (content: unknown, tool_calls: object[] = [], thinks: object[] = []) =>
  ({
    id: `tb_${JSON.stringify(content)}`,
    payload: { role: 'assistant', content },
    extra: null,
    thinks,
    tool_calls,
    child_order: [...thinks, ...tool_calls].map((child) => (child as { id: string }).id).reverse(),
  }) as unknown as StitchedMessage;

const call = (id: string, given: object, value: unknown, rewards: readonly number[] = []) =>
  ({
    id,
    payload: { name: 'run', arguments: given },
    extra: null,
    tool_results: rewards.map((reward) => ({ extra: { reward } })),
    assembled: { state: 'complete', value, gaps: [] },
  }) as unknown as StitchedToolCall;

test('lists a message, then its thoughts and calls in order', () => {
  const think = { id: 'tb_think', payload: { text: 'hm' }, extra: null };

  const items = toTraceItems([message('hello', [call('tb_call', { a: 1 }, 'done', [0.5, 0.25])], [think])]);

  expect(items.map(({ tool, text, result, reward }) => [tool, text, result, reward])).toEqual([
    ['assistant', 'hello', undefined, null],
    ['call run', '{\n  "a": 1\n}', 'done', 0.75],
    ['thought', 'hm', undefined, null],
  ]);
});

test.each([
  [
    {
      blocks: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
      reward: 1,
    },
    'one\ntwo',
    false,
  ],
  [{ ok: false, error: 'no such file' }, 'no such file', true],
  [{ ok: true, output: { blocks: [{ type: 'text', text: 'fine' }] } }, 'fine', false],
  [{ rows: 2 }, '{\n  "rows": 2\n}', false],
  [null, 'null', false],
])('reads the result %j as %j', (value, text, isError) => {
  const [, item] = toTraceItems([message('', [call('tb_call', {}, value)])]);

  expect([item?.result, item?.isError]).toEqual([text, isError]);
});

test('describes images and references of a message', () => {
  const parts = [
    { type: 'text', text: 'see' },
    { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    { type: 'text_ref', preview: 'long' },
  ];

  expect(contentToText(parts)).toBe('see\n[image image/png: 4 characters]\nlong …');
});

test('treats calls as equal if only the order of their arguments differs', () => {
  const [left, right] = [
    { a: 1, b: [2] },
    { b: [2], a: 1 },
  ].map((given) => toTraceItems([message('', [call('tb', given, 'x')])]));

  const changes = diffItems(left ?? [], right ?? []);

  expect(changes.map(({ kind }) => kind)).toEqual(['same', 'same']);
  expect(changes[1]?.left?.text).toBe(changes[1]?.right?.text);
});

test('compares other items if arguments are nested too deeply for the stack', () => {
  const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);

  const items = toTraceItems([message('', [call('tb_deep', { deep }, 'x'), call('tb_flat', { a: 1 }, 'y')])]);

  expect(items.map(({ tool }) => tool)).toEqual(['assistant', 'call run', 'call run']);
});

/** An upper-case letter means another tool; a different digit after it means another result. */
const item = (name: string): TraceItem => ({
  id: name,
  key: name.slice(0, 1),
  tool: name.slice(0, 1) === name.slice(0, 1).toUpperCase() ? 'other' : 'tool',
  text: name,
  result: name.slice(1),
  isError: false,
  reward: null,
});
const items = (...names: string[]) => names.map(item);
const shown = (left: readonly TraceItem[], right: readonly TraceItem[]) =>
  diffItems(left, right).map(({ kind, left: one, right: other }) => `${kind} ${one?.id ?? ''}|${other?.id ?? ''}`);

test.each([
  [items('a', 'b'), items('a', 'b'), ['same a|a', 'same b|b']],
  [items('a', 'b'), items('a', 'c'), ['same a|a', 'changed b|c']],
  [items('a1'), items('a2'), ['result a1|a2']],
  [items('a', 'b', 'c'), items('a', 'c'), ['same a|a', 'removed b|', 'same c|c']],
  [items('a', 'c'), items('a', 'b', 'c'), ['same a|a', 'added |b', 'same c|c']],
  [items('a', 'b'), items('a', 'X'), ['same a|a', 'removed b|', 'added |X']],
  [items(), items('a'), ['added |a']],
  [items(), items(), []],
])('lists the changes between two traces step by step', (left, right, expected) => {
  expect(shown(left, right)).toEqual(expected);
});

const names = fc.array(fc.constantFrom('a', 'b', 'c1', 'c2', 'D', 'E'), { maxLength: 20 });

test('lists every step of both traces once, in order', () => {
  fc.assert(
    fc.property(names, names, (one, other) => {
      const changes = diffItems(items(...one), items(...other));

      expect(changes.flatMap(({ left }) => (left ? [left.id] : []))).toEqual(one);
      expect(changes.flatMap(({ right }) => (right ? [right.id] : []))).toEqual(other);
    }),
  );
});

test('folds more than two equal steps, omits nothing, and hides no change', () => {
  fc.assert(
    fc.property(names, names, (one, other) => {
      const changes = diffItems(items(...one), items(...other));

      const sections = foldUnchanged(changes);

      expect(sections.flatMap((each) => (each.kind === 'fold' ? each.changes : [each.change]))).toEqual(changes);
      for (const each of sections) {
        if (each.kind === 'change') expect(changes[each.index]).toBe(each.change);
        else expect([each.changes.length > 2, each.changes.every(({ kind }) => kind === 'same')]).toEqual([true, true]);
      }
    }),
  );
});

test.each([
  ['traces=a,b,c&left=c', 'c', 'a', 0, []],
  ['traces=a,b,c&left=tr_zzz&right=c', 'a', 'c', 0, ['left']],
  ['traces=a&traces=b', 'a', 'b', 0, []],
  ['traces=a,b&at=3', 'a', 'b', 3, []],
  ['traces=a,b&at=9999', 'a', 'b', 0, ['at']],
  ['traces=a,b&at=x&right=z', 'a', 'b', 0, ['right', 'at']],
  ['left=tr_zzz', undefined, undefined, 0, ['left']],
])('reads the address ?%s as %s against %s at difference %i, and ignores %j', (address, left, right, at, names) => {
  const query = new URLSearchParams(address);

  const pair = readComparedIds(query);

  expect([pair.left, pair.right]).toEqual([left, right]);
  expect(readDifferenceIndex(query, 5)).toBe(at);
  expect(unknownCompareParams(query, 5)).toEqual(names);
});
