import type { RewardSummary, Trace } from '../../../../generated/trace.ts';
import { formatCount, formatNumber, largest, smallest, standardErrorFrom, sum } from '../../../core/index.ts';
import { advantageOf, exceedsBound } from '../../../protocol/index.ts';

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Formats a count in little space: `12.3K`. */
export const formatShortCount = (value: number): string =>
  value < 10_000 ? formatCount(value) : compact.format(value);

/** Formats a reward with up to four significant digits and its sign; `–` if there is none. */
export function formatReward(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  const text =
    Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-3) ? value.toExponential(2) : formatNumber(value);
  return text.replace('-', '−');
}

/** Formats a reward for a column, with aligned decimal points where three decimals suffice. */
export const formatRewardInColumn = (value: number | null | undefined): string =>
  value !== null && value !== undefined && (value === 0 || (Math.abs(value) >= 1e-3 && Math.abs(value) < 1e6))
    ? formatDecimal(value)
    : formatReward(value);

/** Formats a mean or deviation with a fixed number of decimals. */
export const formatDecimal = (value: number | null | undefined, digits = 3): string =>
  value === null || value === undefined ? '–' : value.toFixed(digits).replace(NEGATIVE_ZERO, '$1').replace('-', '−');

/** Negative zero, the result of rounding a small negative number. */
const NEGATIVE_ZERO = /^-(0(?:\.0+)?)$/;

/** Formats the range of rewards: `0.00 … 1.00`; `–` if there are none. */
export const formatRange = ({ min, max }: Pick<RewardSummary, 'min' | 'max'>, digits?: number): string =>
  min === null ? '–' : `${formatDecimal(min, digits)} … ${formatDecimal(max, digits)}`;

/** Like `formatDecimal`, with a plus sign for positive numbers. */
export function formatSigned(value: number): string {
  const text = formatDecimal(value);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** Returns whether all rewards are equal within the rounding error of sums of fractions. */
export const allRewardsEqual = ({ min, max }: Pick<RewardSummary, 'min' | 'max'>): boolean =>
  min !== null && max !== null && !exceedsBound(max, min);

/** Returns the reason why all advantages of a group are zero; undefined if its rewards differ. */
export function explainZeroAdvantage(summary: RewardSummary): string | undefined {
  const { count, min } = summary;
  if (count === 0) return 'no rewards';
  if (count === 1) return 'one reward';
  return allRewardsEqual(summary) ? `all ${formatReward(min)}` : undefined;
}

/** Returns the sum of the rewards; null if there are none, which is not 0. */
export function sumRewards(rewards: readonly (number | null | undefined)[]): number | null {
  const given = rewards.filter((value) => typeof value === 'number');
  return given.length === 0 ? null : sum(given);
}

/** Returns the standard error of the mean; null for fewer than two rewards. */
export const rewardStandardError = ({ count, std }: Pick<RewardSummary, 'count' | 'std'>): number | null =>
  std === null ? null : standardErrorFrom(count, std);

/** Returns mean, population standard deviation, minimum and maximum; null is a missing reward. */
export function summarizeShownRewards(rewards: readonly (number | null)[]): RewardSummary {
  const given = rewards.filter((value) => value !== null);
  const counts = { count: given.length, count_without: rewards.length - given.length };
  if (given.length === 0) return { ...counts, mean: null, std: null, min: null, max: null };
  const [min, max] = [smallest(given), largest(given)];
  if (allRewardsEqual({ min, max })) return { ...counts, mean: min, std: 0, min, max };
  const mean = sum(given) / given.length;
  const squares = sum(given.map((value) => (value - mean) ** 2));
  return { ...counts, mean, std: Math.sqrt(squares / given.length), min, max };
}

/** Returns the advantage within selected traces, by the formula of the API for groups; null without a reward. */
export const advantageWithin = (value: number | null, { mean, std }: RewardSummary): number | null =>
  value === null || mean === null || std === null ? null : advantageOf(value, mean, std);

/** Returns why an episode ended, if the trace says so; `ors rollout` writes it as a tag. */
export function stopReason({ tags, metadata, rollout_info }: Pick<Trace, 'tags' | 'metadata' | 'rollout_info'>) {
  const tag = tags.find((each) => each.startsWith('stop:'))?.slice('stop:'.length);
  const output = [metadata, rollout_info].flatMap((info) => [info.stop_reason, info.finish_reason, info.stop]);
  return tag ?? output.find((each) => typeof each === 'string');
}
