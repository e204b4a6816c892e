import { describe, expect, it } from '@jest/globals';
import type { BlockSkeleton } from '../../generated/trace.ts';
import { compareSkeletons, stitchPositions } from '../../src/trace/model/index.ts';
import { Outline, type TranscriptRow } from '../../src/viewer/page/trace/outline.ts';
import {
  beginsMessage,
  blocksOf,
  callDuration,
  nextRow,
  parseRowFilters,
  rowHasError,
  rowLabel,
  rowPreview,
  rowReward,
  stepOrigin,
  visibleRows,
} from '../../src/viewer/page/trace/visible-rows.ts';
import fc from '../support/fast-check.ts';
import { skeleton } from './trace-blocks.ts';

const all = { isClosed: () => false, filters: new Set<never>() };
const idsOf = (rows: readonly TranscriptRow[]) =>
  rows.map(({ blocks }) => blocks.map(({ id }) => id).join('+')).filter(Boolean);

/** Sorts the blocks by time and numbers them, as a store does. */
const toPositions = (blocks: readonly BlockSkeleton[]) =>
  [...blocks]
    .sort((one, other) => compareSkeletons({ ...one, seq: null }, { ...other, seq: null }))
    .map((block, ord) => ({ ...block, ord }));

/** Returns the ids in the tree that the store builds from the same blocks, one text per row. */
function stitchedIds(blocks: readonly BlockSkeleton[]): string[] {
  const { messages, orphans } = stitchPositions(toPositions(blocks));
  const callIds = (call: (typeof orphans.tool_calls)[number]) => [
    call.id,
    ...(call.tool_results.length > 0 ? [call.tool_results.map(({ id }) => id).join('+')] : []),
  ];
  const inMessages = messages.flatMap((message) => [
    message.id,
    ...message.child_order.flatMap((id) => {
      const call = message.tool_calls.find((each) => each.id === id);
      return call ? callIds(call) : [id];
    }),
  ]);
  const loose = [...orphans.tool_results, ...orphans.thinks].map(({ id }) => id);
  return [...inMessages, ...orphans.tool_calls.flatMap(callIds), ...loose];
}

const SUB_TYPES = ['MESSAGE', 'THINK', 'TOOL_CALL', 'TOOL_RESULT'] as const;
const blocks = fc
  .array(
    fc.record({
      sub_type: fc.constantFrom(...SUB_TYPES),
      parent: fc.nat(14),
      seq: fc.option(fc.nat(4), { nil: null }),
      at: fc.nat(5),
    }),
    { maxLength: 14 },
  )
  .map((specs) =>
    specs.map(({ sub_type, parent, seq, at }, index) =>
      skeleton(`tb_${index}`, sub_type, {
        parent_block_id: sub_type === 'MESSAGE' ? null : `tb_${parent}`,
        seq,
        created_at: `2026-01-01T00:00:0${at}.000000Z`,
      }),
    ),
  );

describe('the outline of a trace', () => {
  it('is the tree that the store builds, whatever the order of the blocks and however often they arrive', () => {
    fc.assert(
      fc.property(blocks, fc.infiniteStream(fc.nat()), fc.nat(14), (expected, random, cut) => {
        const shuffled = [...expected].map((block) => [random.next().value, block] as const).sort(([a], [b]) => a - b);
        const outline = new Outline();

        const first = outline.add(shuffled.slice(0, cut).map(([, block]) => block));
        const rest = outline.add(shuffled.map(([, block]) => block));

        expect(idsOf(visibleRows(outline, all))).toEqual(stitchedIds(expected));
        expect(first + rest).toBe(expected.length);
        expect(outline.size).toBe(expected.length);
      }),
    );
  });

  it('finds the row of every block, orphans included', () => {
    fc.assert(
      fc.property(blocks, (expected) => {
        const outline = new Outline();

        outline.add(expected);

        for (const { id } of expected) expect(outline.rowOf(id)?.blocks.map((block) => block.id)).toContain(id);
      }),
    );
  });

  it('keeps thoughts and calls in order of arrival, results below their call', () => {
    const outline = new Outline();

    outline.add([
      skeleton('tb_m', 'MESSAGE'),
      skeleton('tb_1', 'THINK', { parent_block_id: 'tb_m', created_at: '1' }),
      skeleton('tb_2', 'TOOL_CALL', { parent_block_id: 'tb_m', created_at: '2' }),
      skeleton('tb_3', 'THINK', { parent_block_id: 'tb_m', created_at: '3' }),
      skeleton('tb_out', 'TOOL_RESULT', { parent_block_id: 'tb_2', created_at: '4' }),
      skeleton('tb_piece', 'TOOL_RESULT', { parent_block_id: 'tb_2', created_at: '5', seq: 0 }),
    ]);

    expect(idsOf(visibleRows(outline, all))).toEqual(['tb_m', 'tb_1', 'tb_2', 'tb_piece+tb_out', 'tb_3']);
  });

  it('shows nothing below a closed row, and with filters every row that matches one', () => {
    const outline = new Outline();
    outline.add([
      skeleton('tb_m', 'MESSAGE'),
      skeleton('tb_c', 'TOOL_CALL', { parent_block_id: 'tb_m' }),
      skeleton('tb_r', 'TOOL_RESULT', { parent_block_id: 'tb_c', is_error: true }),
      skeleton('tb_n', 'MESSAGE', { created_at: '9', reward: 0 }),
    ]);
    const isClosed = ({ id }: TranscriptRow) => id === 'tb_c';

    const closed = visibleRows(outline, { isClosed, filters: new Set() });
    const some = visibleRows(outline, { isClosed, filters: parseRowFilters('errors,rewards,nonsense') });

    expect(idsOf(closed)).toEqual(['tb_m', 'tb_c', 'tb_n']);
    expect(idsOf(some)).toEqual(['tb_r', 'tb_n']);
  });

  it('steps from rows that a filter hides, and to the first visible row of each message', () => {
    const outline = new Outline();
    for (const turn of [1, 2, 3]) {
      outline.add([
        skeleton(`tb_m${turn}`, 'MESSAGE', { created_at: `${turn}0` }),
        skeleton(`tb_c${turn}`, 'TOOL_CALL', { parent_block_id: `tb_m${turn}`, created_at: `${turn}1` }),
        skeleton(`tb_d${turn}`, 'TOOL_CALL', { parent_block_id: `tb_m${turn}`, created_at: `${turn}2` }),
      ]);
    }
    const calls = visibleRows(outline, { isClosed: () => false, filters: parseRowFilters('calls') });
    const hidden = outline.rowOf('tb_m2') as TranscriptRow;
    const step = (rows: readonly TranscriptRow[], row: TranscriptRow, by: 1 | -1, isToMessage = false) =>
      nextRow(rows, stepOrigin(rows, row, by, outline), by, (_, index) => !isToMessage || beginsMessage(rows, index))
        ?.id;

    const every = visibleRows(outline, all);

    expect([step(calls, hidden, 1), step(calls, hidden, -1)]).toEqual(['tb_c2', 'tb_d1']);
    expect([step(calls, calls[0] as TranscriptRow, 1, true), step(calls, hidden, -1, true)]).toEqual([
      'tb_c2',
      'tb_c1',
    ]);
    expect([step(every, hidden, 1, true), step(every, hidden, -1, true)]).toEqual(['tb_m3', 'tb_m1']);
  });

  it('has the time from a call to its last result', () => {
    const outline = new Outline();
    const at = (ms: number) => ({ created_at: new Date(ms).toISOString() });
    outline.add([
      skeleton('tb_m', 'MESSAGE', at(0)),
      skeleton('tb_c', 'TOOL_CALL', { parent_block_id: 'tb_m', ...at(100) }),
      skeleton('tb_0', 'TOOL_RESULT', { parent_block_id: 'tb_c', seq: 0, ...at(300) }),
      skeleton('tb_1', 'TOOL_RESULT', { parent_block_id: 'tb_c', seq: 1, ...at(1_600) }),
      skeleton('tb_d', 'TOOL_CALL', { parent_block_id: 'tb_m', ...at(200) }),
    ]);

    const durations = visibleRows(outline, all).map(callDuration);

    expect(durations).toEqual([undefined, 1_500, undefined, undefined]);
  });

  it('has the messages of another agent below one row, at the position of the first one, in any order', () => {
    const at = (second: number) => ({ created_at: `2026-01-01T00:00:0${second}.000000Z` });
    const told: readonly BlockSkeleton[] = [
      skeleton('tb_1', 'MESSAGE', at(1)),
      skeleton('tb_2', 'MESSAGE', { ...at(2), thread: '1', preview: 'find it' }),
      skeleton('tb_3', 'TOOL_CALL', { parent_block_id: 'tb_2', name: 'search', ...at(3) }),
      skeleton('tb_4', 'TOOL_RESULT', { parent_block_id: 'tb_3', is_error: true, reward: 0.5, ...at(4) }),
      skeleton('tb_5', 'MESSAGE', { ...at(5), thread: 'a b' }),
      skeleton('tb_6', 'MESSAGE', { ...at(6), thread: '1' }),
      skeleton('tb_7', 'MESSAGE', at(7)),
    ];
    const shapeOf = (rows: readonly TranscriptRow[]) => rows.map(({ id, depth }) => `${id} ${depth}`);
    fc.assert(
      fc.property(fc.shuffledSubarray([...told], { minLength: told.length }), fc.nat(told.length), (blocks, cut) => {
        const outline = new Outline();
        outline.trace = { metadata: { threads: { 1: { name: 'researcher' } } } };

        outline.addOutOfOrder(blocks.slice(0, cut), { isLast: false });
        outline.add(blocks);

        const isClosed = ({ inner }: TranscriptRow) => inner !== undefined;
        const [, agent, other] = visibleRows(outline, { ...all, isClosed });
        expect(shapeOf(visibleRows(outline, { ...all, isClosed }))).toEqual([
          ...['tb_1 0', 'agent-1 0', 'agent-a%20b 0', 'tb_7 0'],
        ]);
        expect(shapeOf(visibleRows(outline, all))).toEqual([
          ...['tb_1 0', 'agent-1 0', 'tb_2 1', 'tb_3 2', 'tb_3/results 2', 'tb_6 1'],
          ...['agent-a%20b 0', 'tb_5 1', 'tb_7 0'],
        ]);
        if (!agent || !other) throw new Error('the agents are missing');
        expect(outline.rowOf(agent.id)).toBe(agent);
        expect([rowLabel(agent), rowPreview(agent)]).toEqual(['researcher', '4 blocks, 1 call: find it']);
        expect([rowHasError(agent), rowReward(agent), blocksOf(agent).length]).toEqual([true, 0.5, 4]);
        expect([rowLabel(other), rowHasError(other), rowReward(other)]).toEqual(['a b', false, null]);
        expect(outline.size).toBe(told.length);
      }),
    );
  });

  it('has a gap where blocks of an agent are missing, unless it is closed', () => {
    const outline = new Outline();
    const message = (second: number, thread?: string) =>
      skeleton(`tb_${second}`, 'MESSAGE', {
        created_at: `2026-01-01T00:00:0${second}.000000Z`,
        ...(thread && { thread }),
      });
    outline.add([message(1), message(2, 'a')]);
    outline.addOutOfOrder([message(4, 'a')], { isLast: true });
    const ids = (isClosed: boolean) =>
      visibleRows(outline, { ...all, isClosed: ({ inner }) => isClosed && inner !== undefined }).map(({ id }) => id);

    expect(ids(false)).toEqual(['tb_1', 'agent-a', 'tb_2', 'gap-tb_4', 'tb_4']);
    expect(ids(true)).toEqual(['tb_1', 'agent-a']);
    outline.add([message(3), message(4, 'a')]);
    expect(ids(false)).toEqual(['tb_1', 'agent-a', 'tb_2', 'tb_4', 'tb_3']);
  });

  it('steps to an agent and to its messages', () => {
    const outline = new Outline();
    outline.add([
      skeleton('tb_1', 'MESSAGE', { created_at: '1' }),
      skeleton('tb_2', 'MESSAGE', { created_at: '2', thread: 'a' }),
      skeleton('tb_3', 'TOOL_CALL', { created_at: '3', parent_block_id: 'tb_2' }),
      skeleton('tb_4', 'MESSAGE', { created_at: '4', thread: 'a' }),
    ]);
    const rows = visibleRows(outline, all);
    const starts = rows.filter((_, index) => beginsMessage(rows, index)).map(({ id }) => id);

    expect(starts).toEqual(['tb_1', 'agent-a', 'tb_2', 'tb_4']);
    expect(nextRow(rows, 0, 1)?.id).toBe('agent-a');
  });
});
