import type { RewardSummary, Trace } from '../../../../generated/trace.ts';
import { largest, smallest, sum } from '../../../core/index.ts';
import { advantageOf, exceedsBound } from '../../../protocol/index.ts';
import { formatReward } from './amounts.ts';

/** Whether all rewards are the same, but for what sums of fractions are off by. */
export const allRewardsEqual = ({ min, max }: Pick<RewardSummary, 'min' | 'max'>): boolean =>
  min !== null && max !== null && !exceedsBound(max, min);

/** Why advantages of a group are all zero, in words; undefined where rewards differ and so teach something. */
export function explainZeroAdvantage(summary: RewardSummary): string | undefined {
  const { count, min } = summary;
  if (count === 0) return 'no rewards';
  if (count === 1) return 'one reward';
  return allRewardsEqual(summary) ? `all ${formatReward(min)}` : undefined;
}

/** Standard error of the mean of rewards that were drawn one by one; null for less than two. */
export function standardErrorOf({ count, std }: Pick<RewardSummary, 'count' | 'std'>): number | null {
  // The deviation is that of all there are, divided by their number.
  return std === null || count < 2 ? null : std / Math.sqrt(count - 1);
}

/** Mean, population standard deviation and ends of rewards; null stands for one that is missing. */
export function summarizeRewards(rewards: readonly (number | null)[]): RewardSummary {
  const given = rewards.filter((value) => value !== null);
  const counts = { count: given.length, count_without: rewards.length - given.length };
  if (given.length === 0) return { ...counts, mean: null, std: null, min: null, max: null };
  const [min, max] = [smallest(given), largest(given)];
  if (allRewardsEqual({ min, max })) return { ...counts, mean: min, std: 0, min, max };
  const mean = sum(given) / given.length;
  const squares = sum(given.map((value) => (value - mean) ** 2));
  return { ...counts, mean, std: Math.sqrt(squares / given.length), min, max };
}

/** The advantage over traces that were chosen by hand, as the API gives it for a group; null without a reward. */
export const advantageWithin = (value: number | null, { mean, std }: RewardSummary): number | null =>
  value === null || mean === null || std === null ? null : advantageOf(value, mean, std);

/** Why an episode ended, where whoever wrote the trace has said so: `ors rollout` does by a tag. */
export function stopReason({ tags, metadata, rollout_info }: Pick<Trace, 'tags' | 'metadata' | 'rollout_info'>) {
  const tag = tags.find((each) => each.startsWith('stop:'))?.slice('stop:'.length);
  const output = [metadata, rollout_info].flatMap((info) => [info.stop_reason, info.finish_reason, info.stop]);
  return tag ?? output.find((each) => typeof each === 'string');
}
