import type { Group, GroupMember, RewardSummary, Trace } from '../../../generated/trace.ts';
import { advantageOf } from '../../protocol/index.ts';

/** A reward that `count` traces have; null stands for those without one. */
export interface CountedReward {
  readonly reward: number | null;
  readonly count: number;
}

/** Mean, deviation and ends of rewards. */
export function summarizeRewards(rewards: readonly CountedReward[]): RewardSummary {
  let [count, all, sum] = [0, 0, 0];
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { reward, count: times } of rewards) {
    all += times;
    if (reward === null) continue;
    count += times;
    sum += reward * times;
    min = Math.min(min, reward);
    max = Math.max(max, reward);
  }
  const mean = sum / count;
  let squares = 0;
  for (const { reward, count: times } of rewards) if (reward !== null) squares += (reward - mean) ** 2 * times;
  return toRewardSummary({ count, count_without: all - count, mean, variance: squares / count, min, max });
}

/** What a summary is made of; all but the counts are of no worth where there is no reward. */
export interface RewardMoments {
  readonly count: number;
  readonly count_without: number;
  readonly mean: number;
  readonly variance: number;
  readonly min: number;
  readonly max: number;
}

/** The deviation is exactly 0 where all are equal, and rounding leads no mean out of its rewards. */
export function toRewardSummary({ count, count_without, mean, variance, min, max }: RewardMoments): RewardSummary {
  if (count === 0) return { count, count_without, mean: null, std: null, min: null, max: null };
  if (min === max) return { count, count_without, mean: min, std: 0, min, max };
  const std = Math.min(Math.sqrt(variance), Number.MAX_VALUE);
  return { count, count_without, mean: Math.max(min, Math.min(max, mean)), std, min, max };
}

/** Edges of bins of equal width between two rewards; of one bin where they are equal, of none without rewards. */
export function histogramEdges({ min, max }: Pick<RewardSummary, 'min' | 'max'>, bins: number): number[] {
  if (min === null || max === null) return [];
  if (min === max) return [min, max];
  const width = max - min;
  // The ends may be further apart than any number.
  const at = (place: number) =>
    Number.isFinite(width * bins) ? min + (width * place) / bins : min * (1 - place / bins) + max * (place / bins);
  return [...Array.from({ length: bins }, (_, place) => at(place)), max];
}

/** How many rewards lie in each bin: a bin holds its lower edge, the last one both. */
export function countIntoBins(rewards: readonly CountedReward[], edges: readonly number[]): number[] {
  const bins = Array.from({ length: Math.max(0, edges.length - 1) }, () => 0);
  for (const { reward, count } of rewards) {
    if (reward === null) continue;
    const place = Math.min(lastAtMost(edges, reward), bins.length - 1);
    bins[place] = (bins[place] ?? 0) + count;
  }
  return bins;
}

/** The place of the last edge that is at most the reward. */
function lastAtMost(edges: readonly number[], reward: number): number {
  let [from, to] = [0, edges.length];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if ((edges[middle] ?? 0) <= reward) from = middle;
    else to = middle;
  }
  return from;
}

/** @param traces all of one group, oldest first, at least one; what they do not share is that of the first. */
export function toGroup(key: string, traces: readonly [Trace, ...Trace[]]): Group {
  const [{ group_id, run, environment, split, task_key, task_index, step }] = traces;
  const reward = summarizeRewards(traces.map(({ reward_sum }) => ({ reward: reward_sum, count: 1 })));
  const members = traces.map((trace) => memberOf(trace, reward));
  return { key, group_id, run, environment, split, task_key, task_index, step, reward, members };
}

function memberOf(trace: Trace, { mean, std }: RewardSummary): GroupMember {
  const { id, rollout_index, status, reward_sum: reward, block_count } = trace;
  const advantage = reward === null || mean === null || std === null ? null : advantageOf(reward, mean, std);
  return { trace_id: id, rollout_index, status, reward, advantage, block_count };
}
