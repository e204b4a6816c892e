import type { RunStats } from '../../../../generated/trace.ts';
import { sum } from '../../../core/index.ts';
import { allRewardsEqual } from '../parts/rewards.ts';

/** Rewards that are the same, but for what sums of fractions are off by, share one bin. */
export function mergeEqualBins(stats: RunStats): RunStats {
  const [min = null, max = null] = [stats.edges[0], stats.edges.at(-1)];
  if (stats.histogram.length < 2 || min === null || max === null || !allRewardsEqual({ min, max })) return stats;
  const joined = (bins: readonly number[]) => [sum(bins)];
  const steps = stats.steps.map((step) => ({ ...step, histogram: joined(step.histogram) }));
  return { ...stats, edges: [min, max], histogram: joined(stats.histogram), steps };
}

/** A range of rewards, both ends included; undefined is no bound. */
export interface RewardRange {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** The rewards of the bins from one to another: a bin holds its lower edge, the last one both. */
export function binsToRange(edges: readonly number[], from: number, to: number): RewardRange {
  const last = edges.length - 2;
  const [first, end] = [Math.max(0, Math.min(from, to)), Math.min(last, Math.max(from, to))];
  const upper = edges[end + 1];
  return { min: edges[first], max: upper === undefined || end === last ? upper : previousFloat(upper) };
}

/** The first and last bin that a range touches; undefined where it has no bound. */
export function rangeToBins(
  edges: readonly number[],
  { min, max }: RewardRange,
): readonly [number, number] | undefined {
  if (min === undefined && max === undefined) return undefined;
  const last = Math.max(0, edges.length - 2);
  const place = (value: number) => edges.slice(1, -1).filter((edge) => edge <= value).length;
  return [min === undefined ? 0 : place(min), max === undefined ? last : place(max)];
}

/** The greatest number below another. */
export function previousFloat(value: number): number {
  if (value === 0) return -Number.MIN_VALUE;
  const bits = new BigInt64Array(new Float64Array([value]).buffer);
  bits[0] = (bits[0] ?? 0n) + (value > 0 ? -1n : 1n);
  return new Float64Array(bits.buffer)[0] ?? value;
}
