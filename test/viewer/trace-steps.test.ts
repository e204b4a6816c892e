import { describe, expect, it } from '@jest/globals';
import { Outline } from '../../src/viewer/page/trace/outline.ts';
import { HEIGHT, outlineToSteps, toBars, toStripPaths } from '../../src/viewer/page/trace/reward-steps.ts';
import { coveredTime, outlineToSpans, spanAt, toSpanPath } from '../../src/viewer/page/trace/time-spans.ts';
import fc from '../support/fast-check.ts';
import { skeleton } from './trace-blocks.ts';

const rewards = fc.array(fc.option(fc.integer({ min: -100, max: 100 }), { nil: null }), { maxLength: 50 });

function outlineOf(given: readonly (number | null)[]): Outline {
  const outline = new Outline();
  outline.add([skeleton('tb_m', 'MESSAGE')]);
  given.forEach((reward, index) => {
    const created_at = String(1_000 + index);
    outline.add([
      skeleton(`tb_c${index}`, 'TOOL_CALL', { parent_block_id: 'tb_m', created_at }),
      skeleton(`tb_r${index}`, 'TOOL_RESULT', { parent_block_id: `tb_c${index}`, created_at, reward }),
    ]);
  });
  return outline;
}

/** Returns the heights of the boxes of a path. */
const heightsIn = (path: string): number[] =>
  [...path.matchAll(/M[\d.]+ ([\d.]+)h[\d.]+V([\d.]+)/g)].map(([, from, to]) => Number(to) - Number(from));

describe('the steps of a trace', () => {
  it('are one per result, with its reward and their sum', () => {
    fc.assert(
      fc.property(rewards, (given) => {
        const steps = outlineToSteps(outlineOf(given));

        expect(steps.map(({ reward }) => reward)).toEqual(given);
        expect(steps.at(-1)?.sum ?? 0).toBe(given.reduce<number>((sum, reward) => sum + (reward ?? 0), 0));
      }),
    );
  });

  it('are one for all pieces of a result without rewards, and one for a message with a reward', () => {
    const outline = new Outline();
    const under = { parent_block_id: 'tb_c' };
    outline.add([
      skeleton('tb_m', 'MESSAGE', { reward: 2 }),
      skeleton('tb_c', 'TOOL_CALL', { parent_block_id: 'tb_m' }),
      skeleton('tb_0', 'TOOL_RESULT', { ...under, seq: 0 }),
      skeleton('tb_1', 'TOOL_RESULT', { ...under, seq: 1 }),
    ]);

    const before = outlineToSteps(outline);
    outline.add([skeleton('tb_2', 'TOOL_RESULT', { ...under, seq: 2, reward: -1 })]);
    const after = outlineToSteps(outline);

    expect(before.map(({ block, reward }) => [block.id, reward])).toEqual([
      ['tb_m', 2],
      ['tb_1', null],
    ]);
    expect(after.map(({ block, reward, sum }) => [block.id, reward, sum])).toEqual([
      ['tb_m', 2, 2],
      ['tb_2', -1, 1],
    ]);
  });

  it('become at most as many bars as fit, without omitting steps', () => {
    fc.assert(
      fc.property(rewards, fc.integer({ min: 1, max: 60 }), (given, room) => {
        const steps = outlineToSteps(outlineOf(given));

        const bars = toBars(steps, room);

        const covered = bars.flatMap(({ first, last }) => steps.slice(first, last + 1));
        expect(bars.length).toBeLessThanOrEqual(room);
        expect(covered).toEqual(steps);
        expect(Math.max(...bars.map(({ max }) => max ?? -1_000))).toBe(
          Math.max(...given.map((reward) => reward ?? -1_000)),
        );
      }),
    );
  });

  it('are drawn above, below or on the line by the sign of the reward, or as a thin mark without a reward', () => {
    const bars = toBars(outlineToSteps(outlineOf([1, -1, 0, null])), 10);

    const { plus, minus, nil, none, sum } = toStripPaths(bars, 40);

    expect([plus, minus, nil, none].map((path) => path.match(/^M[\d.]+/)?.[0])).toEqual(['M0', 'M10', 'M20', 'M30']);
    expect(sum.match(/[ML]/g)).toHaveLength(4);
  });

  it('are drawn with heights in proportion to their rewards, whatever the sum is', () => {
    const withReward = rewards.filter((given) => given.some((reward) => reward !== null && reward !== 0));
    fc.assert(
      fc.property(withReward, (given) => {
        const bars = toBars(outlineToSteps(outlineOf(given)), given.length);

        const { zero, plus, minus } = toStripPaths(bars, 400);

        const up = given.filter((reward) => (reward ?? 0) > 0);
        const down = given.filter((reward) => (reward ?? 0) < 0);
        const ups = heightsIn(plus).map((height, index) => [up[index] ?? 0, height] as const);
        const downs = heightsIn(minus).map((height, index) => [-(down[index] ?? 0), height] as const);
        const all = [...ups, ...downs];
        const [largest, highest] = all.reduce((one, other) => (other[0] > one[0] ? other : one));
        expect([ups.length, downs.length]).toEqual([up.length, down.length]);
        expect(highest).toBeGreaterThanOrEqual(HEIGHT / 6);
        for (const [size, height] of all) {
          expect(Math.abs(height - Math.max(2, (size / largest) * highest))).toBeLessThan(0.03);
        }
        expect(zero - Math.max(0, ...ups.map(([, height]) => height))).toBeGreaterThanOrEqual(0);
        expect(zero + Math.max(0, ...downs.map(([, height]) => height))).toBeLessThanOrEqual(HEIGHT);
      }),
      { examples: [[[-1, 0.5, -0.2, 0.3].map((reward) => reward * 10)]] },
    );
  });
});

describe('the time line of a trace', () => {
  const at = (ms: number) => ({ created_at: new Date(ms).toISOString() });
  const outline = new Outline();
  outline.add([
    skeleton('tb_u', 'MESSAGE', { role: 'user', ...at(1_000) }),
    skeleton('tb_a', 'MESSAGE', { role: 'assistant', ...at(3_000) }),
    skeleton('tb_1', 'TOOL_CALL', { parent_block_id: 'tb_a', ...at(3_000) }),
    skeleton('tb_2', 'TOOL_CALL', { parent_block_id: 'tb_a', ...at(3_500) }),
    skeleton('tb_r1', 'TOOL_RESULT', { parent_block_id: 'tb_1', ...at(4_000) }),
    skeleton('tb_r2', 'TOOL_RESULT', { parent_block_id: 'tb_2', is_error: true, ...at(5_000) }),
    skeleton('tb_b', 'MESSAGE', { role: 'assistant', ...at(5_500) }),
  ]);
  const spans = outlineToSpans(outline, 1_000);

  it('has the turns of the model and the calls, which may overlap', () => {
    expect(spans.map(({ row, kind, start, end, isError }) => [row.id, kind, start, end, isError])).toEqual([
      ['tb_a', 'model', 0, 2_000, false],
      ['tb_1', 'tool', 2_000, 3_000, false],
      ['tb_2', 'tool', 2_500, 4_000, true],
      ['tb_b', 'model', 4_000, 4_500, false],
    ]);
    expect([coveredTime(spans, 'model'), coveredTime(spans, 'tool')]).toEqual([2_500, 2_000]);
  });

  it('has the turns of another agent during the call that runs it', () => {
    const withAgent = new Outline();
    withAgent.add([
      skeleton('tb_a', 'MESSAGE', { role: 'assistant', ...at(1_000) }),
      skeleton('tb_1', 'TOOL_CALL', { parent_block_id: 'tb_a', ...at(1_000) }),
      skeleton('tb_u', 'MESSAGE', { role: 'user', thread: '1', ...at(1_100) }),
      skeleton('tb_b', 'MESSAGE', { role: 'assistant', thread: '1', ...at(1_800) }),
      skeleton('tb_r', 'TOOL_RESULT', { parent_block_id: 'tb_1', ...at(2_000) }),
      skeleton('tb_c', 'MESSAGE', { role: 'assistant', ...at(3_000) }),
    ]);

    const found = outlineToSpans(withAgent, 1_000).map(({ row, start, end }) => [row.id, start, end]);

    expect(found).toEqual([
      ['tb_a', 0, 0],
      ['tb_1', 0, 1_000],
      ['tb_b', 100, 800],
      ['tb_c', 1_000, 2_000],
    ]);
  });

  it.each([
    [0, 'tb_a'],
    [2_600, 'tb_1'],
    [3_500, 'tb_2'],
    [9_999, 'tb_b'],
  ])('selects the shortest span at %d ms: %s', (time, id) => {
    expect(spans[spanAt(spans, time)]?.row.id).toBe(id);
    expect(spanAt([], time)).toBe(-1);
  });

  it('is drawn with few boxes, however many spans there are', () => {
    const many = Array.from({ length: 50_000 }, (_, index) => ({ ...spans[0], start: index, end: index + 1 }));

    const path = toSpanPath(many as typeof spans, { total: 50_000, width: 800, from: 0, to: 10 });
    const apart = toSpanPath(spans, { total: 4_500, width: 902, from: 0, to: 10 });

    expect(path.match(/M/g)).toHaveLength(1);
    expect(apart).toBe('M0 0H900V10H0z');
    expect(toSpanPath(spans.slice(0, 1), { total: 0, width: 100, from: 1, to: 2 })).toBe('M0 1H2V2H0z');
  });
});
