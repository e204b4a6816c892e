import { expect, test } from '@jest/globals';
import type { Block } from '../../../generated/trace.ts';
import { compareBlocks, stitch } from '../../../src/trace/model/index.ts';
import fc, { runs } from '../../support/fast-check.ts';
import { traceValidator } from '../../support/validators.ts';

import { history } from './histories.ts';
import { call, createStore, message, result, TRACE, think } from './store.ts';

const shuffled = history.chain((rows) =>
  fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
);
const isOrphan = (rows: readonly Block[]) => Object.values(stitch(rows).orphans).some((list) => list.length > 0);

test('generates histories of which most contain every kind of block', () => {
  const kinds = fc
    .sample(history, { numRuns: 200, seed: 1 })
    .map((rows) => new Set(rows.map((row) => row.sub_type)).size);

  expect(kinds.filter((count) => count === 4).length).toBeGreaterThan(100);
});

test('builds the same tree from the rows in any order', () => {
  fc.assert(
    fc.property(shuffled, ([rows, others]) => {
      expect(stitch(others, { assemble: true })).toEqual(stitch(rows, { assemble: true }));
    }),
  );
});

test('builds the same tree from incomplete rows in any order, with every row in it once', () => {
  fc.assert(
    fc.property(
      shuffled.chain(([rows]) => fc.tuple(fc.shuffledSubarray(rows), fc.infiniteStream(fc.nat()))),
      ([part, places]) => {
        const other = part
          .map((row) => [places.next().value ?? 0, row] as const)
          .sort(([one], [two]) => one - two)
          .map(([, row]) => row);

        const tree = stitch(part);

        expect(stitch(other)).toEqual(tree);
        expect([...idsIn(tree)].sort()).toEqual(part.map(({ id }) => id).sort());
      },
    ),
  );
});

test('accepts no orphan, repeated call_id or repeated seq of a call', () => {
  fc.assert(
    fc.property(history, (rows) => {
      expect(isOrphan(rows)).toBe(false);
      const { messages } = stitch(rows);
      const calls = messages.flatMap((each) => each.tool_calls);
      const callKeys = calls.map(({ id, payload }) => payload.call_id ?? id);
      expect(new Set(callKeys).size).toBe(callKeys.length);
      const seqs = calls.flatMap(({ id, payload, tool_results }) =>
        tool_results.flatMap((each) => {
          const key = each.payload.call_id ?? payload.call_id ?? id;
          return typeof each.payload.seq === 'number' ? [`${each.payload.seq} ${key}`] : [];
        }),
      );
      expect(new Set(seqs).size).toBe(seqs.length);
    }),
  );
});

test('builds trees that match the schema, with children in the documented order', () => {
  fc.assert(
    fc.property(history, (rows) => {
      const { messages, orphans } = stitch(rows, { assemble: true });

      expect(messages.every((each) => traceValidator('StitchedMessage')(each))).toBe(true);
      expect(traceValidator('Orphans')(orphans)).toBe(true);
      for (const list of [messages, ...messages.flatMap((each) => [each.thinks, each.tool_calls])]) {
        expect([...list].sort(compareBlocks)).toEqual(list);
      }
    }),
    { numRuns: runs(50) },
  );
});

test.each([
  [
    'seq before time',
    { payload: { seq: 1 }, created_at: '1', id: 'a' },
    { payload: { seq: 0 }, created_at: '2', id: 'b' },
    1,
  ],
  [
    'null after every seq',
    { payload: { seq: null }, created_at: '1', id: 'a' },
    { payload: { seq: 9 }, created_at: '2', id: 'b' },
    1,
  ],
  [
    'no seq as null',
    { payload: {}, created_at: '1', id: 'a' },
    { payload: { seq: null }, created_at: '2', id: 'b' },
    -1,
  ],
  [
    'an invalid seq as null',
    { payload: { seq: '0' }, created_at: '2', id: 'a' },
    { payload: { seq: -1 }, created_at: '1', id: 'b' },
    1,
  ],
  ['time before id', { payload: {}, created_at: '1', id: 'b' }, { payload: {}, created_at: '2', id: 'a' }, -1],
  [
    'id at last, by bytes',
    { payload: {}, created_at: '1', id: 'tb_Z' },
    { payload: {}, created_at: '1', id: 'tb_a' },
    -1,
  ],
])('orders %s', (_rule, one, other, expected) => {
  // Only the fields that determine the order.
  const [left, right] = [one, other] as unknown as [Block, Block];

  expect(compareBlocks(left, right)).toBe(expected);
  expect(compareBlocks(right, left)).toBe(-expected);
});

test('keeps the order of thoughts and calls in child_order', () => {
  const { rows, post } = createStore();
  const under = { parent_block_id: 'tb_m' };
  post({
    blocks: [
      message({ id: 'tb_m' }),
      think({ id: 'tb_z', ...under }),
      call({ id: 'tb_y', ...under, payload: { name: 'a', arguments: {} } }),
      think({ id: 'tb_x', ...under }),
      call({ id: 'tb_w', ...under, payload: { name: 'a', arguments: {} } }),
    ],
  });

  const [stitched] = stitch(rows).messages;

  expect(stitched?.child_order).toEqual(['tb_z', 'tb_y', 'tb_x', 'tb_w']);
  expect(stitched?.tool_calls.map(({ id }) => id)).toEqual(['tb_y', 'tb_w']);
});

test('lists blocks with a missing or wrong parent as orphans, and keeps results under their call', () => {
  const { rows, post } = createStore();
  post({
    blocks: [
      message({ id: 'tb_m' }),
      call({ id: 'tb_c', parent_block_id: 'tb_m' }),
      result({ id: 'tb_r', parent_block_id: 'tb_c' }),
      think({ id: 'tb_t', parent_block_id: 'tb_m' }),
    ],
  });
  const astray = { ...rows[2], id: 'tb_r2', trace_id: TRACE, parent_block_id: 'tb_t' } as Block;

  const { messages, orphans } = stitch([...rows.slice(1), astray]);

  expect(messages).toEqual([]);
  expect(orphans.tool_calls).toMatchObject([{ id: 'tb_c', tool_results: [{ id: 'tb_r' }] }]);
  expect(orphans.tool_results).toMatchObject([{ id: 'tb_r2' }]);
  expect(orphans.thinks).toMatchObject([{ id: 'tb_t' }]);
});

function* idsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if ('trace_id' in value && 'id' in value) yield String(value.id);
  for (const child of Object.values(value)) yield* idsIn(child);
}
