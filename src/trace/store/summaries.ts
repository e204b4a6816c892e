import type {
  Group,
  GroupMember,
  RewardQuantiles,
  RewardSummary,
  Run,
  RunDetails,
  RunStats,
  Trace,
} from '../../../generated/trace.ts';
import { countedQuantiles, groupBy, sum } from '../../core/index.ts';
import { advantageOf } from '../../protocol/index.ts';
import { type CountedName, frequentNames, isOutcomeTag, type StepMean, toRunInfo, toTrend } from '../model/index.ts';

/** A reward and the number of traces with it; null for traces without a reward. */
export interface CountedReward {
  readonly reward: number | null;
  readonly count: number;
}

/** A reward of a training step; null for traces without a step. */
export interface StepReward extends CountedReward {
  readonly step: number | null;
}

/** Computes mean, standard deviation, minimum and maximum of rewards. */
export function summarizeRewards(rewards: readonly CountedReward[]): RewardSummary {
  let count = 0;
  let all = 0;
  let total = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const { reward, count: times } of rewards) {
    all += times;
    if (reward === null) continue;
    count += times;
    total += reward * times;
    min = Math.min(min, reward);
    max = Math.max(max, reward);
  }
  const mean = total / count;
  let squares = 0;
  for (const { reward, count: times } of rewards) if (reward !== null) squares += (reward - mean) ** 2 * times;
  return toRewardSummary({ count, count_without: all - count, mean, variance: squares / count, min, max });
}

/** Values that a summary is made of; only the counts are valid without rewards. */
type RewardMoments = Record<'count' | 'count_without' | 'mean' | 'variance' | 'min' | 'max', number>;

/** Corrects rounding: equal rewards have a deviation of exactly 0, and the mean is between minimum and maximum. */
export function toRewardSummary({ count, count_without, mean, variance, min, max }: RewardMoments): RewardSummary {
  if (count === 0) return { count, count_without, mean: null, std: null, min: null, max: null };
  if (min === max) return { count, count_without, mean: min, std: 0, min, max };
  const std = Math.min(Math.sqrt(variance), Number.MAX_VALUE);
  return { count, count_without, mean: Math.max(min, Math.min(max, mean)), std, min, max };
}

/** Computes the histograms of a run, as a whole and by step. Steps ascend; the rewards without a step come last. */
export function toRunStats(run: Run, rewards: readonly StepReward[], bins: number): RunStats {
  const edges = histogramEdges(run.reward, bins);
  const steps = [...groupBy(rewards, ({ step }) => step)].sort(
    ([one], [other]) => (one ?? Infinity) - (other ?? Infinity),
  );
  return {
    run,
    edges,
    histogram: countIntoBins(rewards, edges),
    steps: steps.map(([step, own]) => ({
      step,
      trace_count: sum(own.map(({ count }) => count)),
      reward: summarizeRewards(own),
      histogram: countIntoBins(own, edges),
      ...quantilesOfRewards(own),
    })),
  };
}

/** Returns the quantiles of rewards as a field of their step, which has none without rewards. */
function quantilesOfRewards(rewards: readonly CountedReward[]): { readonly quantiles?: RewardQuantiles } {
  const counted = rewards.flatMap(({ reward, count }) => (reward === null ? [] : [{ value: reward, count }]));
  const [p10, p25, p50, p75, p90] = countedQuantiles(counted, [0.1, 0.25, 0.5, 0.75, 0.9]);
  if (p10 == null || p25 == null || p50 == null || p75 == null || p90 == null) return {};
  return { quantiles: { p10, p25, p50, p75, p90 } };
}

/** Returns the edges of bins of equal width; one bin if all rewards are equal, none without rewards. */
function histogramEdges({ min, max }: Pick<RewardSummary, 'min' | 'max'>, bins: number): number[] {
  if (min === null || max === null) return [];
  if (min === max) return [min, max];
  const width = max - min;
  // The difference of minimum and maximum may overflow.
  const edgeAt = (index: number) =>
    Number.isFinite(width * bins) ? min + (width * index) / bins : min * (1 - index / bins) + max * (index / bins);
  return [...Array.from({ length: bins }, (_, index) => edgeAt(index)), max];
}

/** Counts the rewards in each bin. A bin includes its lower edge, the last bin both edges. */
export function countIntoBins(rewards: readonly CountedReward[], edges: readonly number[]): number[] {
  const bins = Array.from({ length: Math.max(0, edges.length - 1) }, () => 0);
  for (const { reward, count } of rewards) {
    if (reward === null) continue;
    const index = Math.min(lastAtMost(edges, reward), bins.length - 1);
    bins[index] = (bins[index] ?? 0) + count;
  }
  return bins;
}

/** Returns the index of the last edge that is at most the reward. */
function lastAtMost(edges: readonly number[], reward: number): number {
  let from = 0;
  let to = edges.length;
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if ((edges[middle] ?? 0) <= reward) from = middle;
    else to = middle;
  }
  return from;
}

/** @param traces all traces of the group, oldest first; the first one has the fields that they may not share. */
export function toGroup(key: string, traces: readonly [Trace, ...Trace[]]): Group {
  const [{ group_id, run, environment, split, task_key, task_index, step, model: first }] = traces;
  const model = traces.every((trace) => trace.model === first) ? first : null;
  const reward = summarizeRewards(traces.map(({ reward_sum }) => ({ reward: reward_sum, count: 1 })));
  const members = traces.map((trace) => memberOf(trace, reward));
  return { key, group_id, run, environment, split, task_key, task_index, step, model, reward, members };
}

function memberOf(trace: Trace, { mean, std }: RewardSummary): GroupMember {
  const { id, rollout_index, status, reward_sum: reward, block_count } = trace;
  const advantage = reward === null || mean === null || std === null ? null : advantageOf(reward, mean, std);
  return { trace_id: id, rollout_index, status, reward, advantage, block_count };
}

/** Rows from which the details of a run are computed. */
export interface RunParts {
  readonly sums: Pick<RunDetails, 'passed' | 'mean_seconds' | 'tokens' | 'cost' | 'first_step' | 'last_step'>;
  readonly players: readonly {
    readonly environment: string | null;
    readonly model: string | null;
    readonly count: number;
  }[];
  readonly tags: readonly CountedName[];
  /** Ascending. */
  readonly steps: readonly StepMean[];
  readonly newest: Pick<Trace, 'run_info' | 'metadata'>;
}

export function toRunDetails({ sums, players, tags, steps, newest }: RunParts): RunDetails {
  const namesOf = (field: 'environment' | 'model') =>
    frequentNames(players.flatMap(({ [field]: name, count }) => (name === null ? [] : [{ name, count }])));
  return {
    ...sums,
    environments: namesOf('environment'),
    models: namesOf('model'),
    tags: frequentNames(tags.filter(({ name }) => !isOutcomeTag(name))),
    trend: toTrend(steps),
    info: toRunInfo(newest),
  };
}
