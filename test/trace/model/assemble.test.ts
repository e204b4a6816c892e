import { expect, test } from '@jest/globals';
import type { ToolResultBlock } from '../../../generated/trace.ts';
import { assemble } from '../../../src/trace/model/index.ts';
import fc, { unicode } from '../../support/fast-check.ts';
import { traceValidator } from '../../support/validators.ts';

import { createConversation, result } from './store.ts';

/** The stored results of a call, in the order of writing. */
function results(payloads: readonly object[]): ToolResultBlock[] {
  const { rows, post } = createConversation();
  for (const payload of payloads) expect(post(result({ payload })).failure).toBeUndefined();
  return rows.filter((row) => row.sub_type === 'TOOL_RESULT');
}

test.each([
  ['no result', [], { state: 'pending', value: null, gaps: [] }],
  ['an output', [{ output: { a: 1 } }], { state: 'complete', value: { a: 1 }, gaps: [] }],
  ['null as output', [{ output: null }], { state: 'complete', value: null, gaps: [] }],
  ['two outputs', [{ output: 1 }, { output: 2 }], { state: 'complete', value: 2, gaps: [] }],
  [
    'texts',
    [
      { delta: 'b', seq: 1 },
      { delta: 'a', seq: 0 },
    ],
    { state: 'partial', value: 'ab', gaps: [] },
  ],
  ['empty texts', [{ delta: '', seq: 0 }], { state: 'partial', value: '', gaps: [] }],
  [
    'lists',
    [
      { delta: [[1]], seq: 0 },
      { delta: [2], seq: 1 },
    ],
    { state: 'partial', value: [[1], 2], gaps: [] },
  ],
  [
    'both kinds',
    [
      { delta: 'a', seq: 0 },
      { delta: [2], seq: 1 },
    ],
    { state: 'partial', value: ['a', [2]], gaps: [] },
  ],
  [
    'other values',
    [
      { delta: { a: 1 }, seq: 0 },
      { delta: 2, seq: 1 },
      { delta: false, seq: 2 },
    ],
    { state: 'partial', value: [{ a: 1 }, 2, false], gaps: [] },
  ],
  [
    'all pieces of a text',
    [
      { delta: 'a', seq: 0, parts: 2 },
      { delta: 'b', seq: 1, parts: 2 },
    ],
    { state: 'complete', value: 'ab', gaps: [] },
  ],
  [
    'all pieces of JSON',
    [
      { delta: '{"a"', seq: 0, parts: 2, media_type: 'application/json' },
      { delta: ':1}', seq: 1, parts: 2, media_type: 'application/json' },
    ],
    { state: 'complete', value: { a: 1 }, gaps: [] },
  ],
  ['some pieces of a text', [{ delta: 'a', seq: 0, parts: 2 }], { state: 'partial', value: 'a', gaps: [] }],
  [
    'a lost piece',
    [
      { delta: 'a', seq: 0 },
      { delta: 'd', seq: 3 },
    ],
    { state: 'partial', value: 'ad', gaps: [1, 2] },
  ],
  ['no first piece', [{ delta: 'b', seq: 1 }], { state: 'partial', value: 'b', gaps: [0] }],
  ['a piece without seq', [{ delta: 'z' }, { delta: 'a', seq: 0 }], { state: 'partial', value: 'az', gaps: [] }],
  [
    'an output after a lost piece',
    [{ delta: 'b', seq: 1 }, { output: 'ab' }],
    { state: 'complete', value: 'ab', gaps: [0] },
  ],
  [
    'an output in the place of a piece',
    [
      { output: 'a', seq: 0 },
      { delta: 'b', seq: 1 },
    ],
    { state: 'complete', value: 'a', gaps: [] },
  ],
  [
    'an output far behind the pieces',
    [
      { delta: 'a', seq: 0 },
      { output: 'a', seq: 5 },
    ],
    { state: 'complete', value: 'a', gaps: [] },
  ],
])('joins the results of a call as documented: %s', (_name, payloads, expected) => {
  expect(assemble(results(payloads))).toEqual(expected);
});

test('joins deltas in any order to the same text, and reports missing ones as gaps', () => {
  const pieces = fc.array(fc.record({ text: unicode(), isLost: fc.boolean() }), { maxLength: 20 });
  fc.assert(
    fc.property(
      pieces.chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray([...all.keys()], { minLength: all.length })),
      ),
      ([all, order]) => {
        const kept = order.filter((seq) => !all[seq]?.isLost);

        const { value, gaps } = assemble(results(kept.map((seq) => ({ delta: all[seq]?.text, seq }))));

        expect(value ?? '').toBe(all.flatMap(({ text, isLost }) => (isLost ? [] : text)).join(''));
        expect(gaps).toEqual([...all.keys()].filter((seq) => all[seq]?.isLost && seq < Math.max(...kept)));
      },
    ),
  );
});

test('restores a character that was split between two deltas', () => {
  const [high = '', low = ''] = '😀'.split('');

  expect(
    assemble(
      results([
        { delta: high, seq: 0 },
        { delta: low, seq: 1 },
      ]),
    ).value,
  ).toBe('😀');
});

test('limits the list of gaps for the largest seq', () => {
  const assembled = assemble(
    results([
      { delta: 'z', seq: Number.MAX_SAFE_INTEGER },
      { delta: 'a', seq: 1500 },
    ]),
  );

  expect(assembled).toMatchObject({ value: 'az', more_gaps: Number.MAX_SAFE_INTEGER - 1 - 1000 });
  expect(assembled.gaps).toHaveLength(1000);
  expect(traceValidator('AssembledResult')(assembled)).toBe(true);
});
