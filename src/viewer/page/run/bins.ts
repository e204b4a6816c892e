import type { RunStats, StepStats } from '../../../../generated/trace.ts';
import { sum } from '../../../core/index.ts';
import { allRewardsEqual, rewardStandardError } from '../parts/rewards.ts';

/** Puts rewards that are equal within rounding errors into one bin. */
export function mergeEqualBins(stats: RunStats): RunStats {
  const [min = null, max = null] = [stats.edges[0], stats.edges.at(-1)];
  if (stats.histogram.length < 2 || min === null || max === null || !allRewardsEqual({ min, max })) return stats;
  const joined = (bins: readonly number[]) => [sum(bins)];
  const steps = stats.steps.map((step) => ({ ...step, histogram: joined(step.histogram) }));
  return { ...stats, edges: [min, max], histogram: joined(stats.histogram), steps };
}

/** Range of rewards, both ends inclusive; undefined for no bound. */
interface RewardRange {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** Returns the rewards of a range of bins: a bin includes its lower edge, the last one both. */
export function binsToRange(edges: readonly number[], from: number, to: number): RewardRange {
  const last = edges.length - 2;
  const [first, end] = [Math.max(0, Math.min(from, to)), Math.min(last, Math.max(from, to))];
  const upper = edges[end + 1];
  return { min: edges[first], max: upper === undefined || end === last ? upper : previousFloat(upper) };
}

/** Returns the first and last bin that a range touches; undefined if it has no bound. */
export function rangeToBins(edges: readonly number[], { min, max }: RewardRange) {
  if (min === undefined && max === undefined) return undefined;
  const last = Math.max(0, edges.length - 2);
  const binOf = (value: number) => edges.slice(1, -1).filter((edge) => edge <= value).length;
  return [min === undefined ? 0 : binOf(min), max === undefined ? last : binOf(max)] as const;
}

/** Returns the largest double below a number. */
export function previousFloat(value: number): number {
  if (value === 0) return -Number.MIN_VALUE;
  const bits = new BigInt64Array(new Float64Array([value]).buffer);
  bits[0] = (bits[0] ?? 0n) + (value > 0 ? -1n : 1n);
  return new Float64Array(bits.buffer)[0] ?? value;
}

/** Bands around the mean: its standard error, the standard deviation, or the quantiles 10 % and 90 %. */
export const REWARD_BANDS = {
  error: '± standard error',
  std: '± standard deviation',
  quantiles: '10 % to 90 %',
} as const;

export type RewardBand = keyof typeof REWARD_BANDS;

/** Returns the ends of the band, which are never beyond the rewards. */
export function bandOf({ reward, quantiles }: StepStats, band: RewardBand): readonly [number, number] | undefined {
  const { mean, std, min, max } = reward;
  if (band === 'quantiles') return quantiles && [quantiles.p10, quantiles.p90];
  const width = band === 'std' ? std : rewardStandardError(reward);
  if (mean === null || min === null || max === null || width === null) return undefined;
  return [Math.max(min, mean - width), Math.min(max, mean + width)];
}
