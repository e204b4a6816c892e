import { expect, test } from '@jest/globals';
import type { ToolResultBlock } from '../../../generated/trace.ts';
import { joinResults } from '../../../src/trace/model/index.ts';
import fc, { unicode } from '../../support/fast-check.ts';

const result = (payload: object, id = 'tb_1'): ToolResultBlock =>
  ({ id, created_at: '2026-01-01T00:00:00.000000Z', payload }) as ToolResultBlock;

test.each([
  [
    'deltas are one text with the pieces that are missing',
    [
      { delta: 'd', seq: 5 },
      { delta: 'b', seq: 1 },
      { delta: 'a', seq: 0 },
      { delta: 'e', seq: null },
    ],
    {
      kind: 'pieces',
      pieces: [
        { kind: 'text', text: 'ab' },
        { kind: 'gap', from: 2, to: 4 },
        { kind: 'text', text: 'de' },
      ],
    },
  ],
  [
    'lists are one list',
    [
      { delta: [1], seq: 0 },
      { delta: [2, 3], seq: 1 },
    ],
    { kind: 'pieces', pieces: [{ kind: 'items', items: [1, 2, 3] }] },
  ],
  [
    'an output takes the place of the pieces before it',
    [
      { delta: 'a', seq: 0 },
      { output: { x: 1 }, seq: 1 },
    ],
    { kind: 'output', value: { x: 1 }, replaced: 1 },
  ],
  [
    'JSON in pieces is whole again once all are there',
    [
      { delta: ':1}', seq: 1, parts: 2, media_type: 'application/json' },
      { delta: '{"x"', seq: 0, parts: 2, media_type: 'application/json' },
    ],
    { kind: 'output', value: { x: 1 }, replaced: 0 },
  ],
  [
    'a number of many digits in JSON in pieces is the nearest double',
    [{ delta: '[12345678901234567890]', seq: 0, parts: 1, media_type: 'application/json' }],
    { kind: 'output', value: [12345678901234567000], replaced: 0 },
  ],
  [
    'JSON of which a piece is missing is text',
    [{ delta: '{"x"', seq: 0, parts: 2, media_type: 'application/json' }],
    { kind: 'pieces', pieces: [{ kind: 'text', text: '{"x"' }] },
  ],
  ['an output of null is an output', [{ output: null }], { kind: 'output', value: null, replaced: 0 }],
])('%s', (_, payloads, expected) => {
  const results = payloads.map((payload, index) => result(payload, `tb_${index}`));

  const joined = joinResults(results);

  expect(joined).toEqual(expected);
});

test('joins a text that is split anywhere and arrives in any order', () => {
  fc.assert(
    fc.property(fc.array(unicode(), { minLength: 1 }), fc.infiniteStream(fc.nat()), (pieces, order) => {
      const results = pieces.map((delta, seq) => ({
        place: order.next().value as number,
        block: result({ delta, seq }, `tb_${seq}`),
      }));
      const shuffled = results.sort((one, other) => one.place - other.place).map(({ block }) => block);

      const joined = joinResults(shuffled);

      expect(joined).toEqual({ kind: 'pieces', pieces: [{ kind: 'text', text: pieces.join('') }] });
    }),
  );
});
