import { countBy, groupBy, meanOf, nearestRankOf, passCurve, standardErrorOf, sum } from '../../core/index.ts';
import { reachesBound } from '../../protocol/index.ts';
import type { EpisodeEnd, EpisodeRecord, FailureKind } from '../episode/episode-record.ts';
import { groupRewards, type RewardGroup, type RewardTotals, rewardsByStep, rewardsByTool } from '../rewards.ts';
import type { GroupRecord, RunPlan } from './run-files.ts';

/**
 * Summary of a run: `results.json`.
 *
 * @example
 * const format = ({ run, reward }: RunResults) => `${run}: ${reward.mean} ± ${reward.standard_error}`;
 */
export interface RunResults {
  readonly run: string;
  readonly environment: string;
  readonly split: string;
  readonly agent: string;
  /** True if all episodes of the plan ended. */
  readonly complete: boolean;
  readonly episodes: { readonly planned: number; readonly ended: number; readonly missing: number };
  /** Numbers of failed attempts by kind. They have no score. */
  readonly failures: Readonly<Partial<Record<FailureKind, number>>>;
  /** The five most frequent messages of failures; `failures.jsonl` has all. */
  readonly failure_reasons: readonly FailureReason[];
  /**
   * Statistics over the means of tasks, so that every task has the same weight. The standard error treats tasks as drawn
   * at random. Null if there are too few tasks.
   */
  readonly reward: {
    readonly mean: number | null;
    readonly standard_error: number | null;
    readonly min: number | null;
    readonly max: number | null;
    /** Number of episodes without any reward; they count as 0. */
    readonly without: number;
    /** Number of those without a reward because the environment did not grade a final message. */
    readonly ungraded: number;
  };
  /**
   * Comparative rewards of whole groups (`groups.jsonl`), which are additional: all other statistics are about the rewards
   * of the episodes. Null if the environment does not compare rollouts, or each task has one sample.
   */
  readonly group_scores: {
    /** Numbers of groups that have such rewards, and whose comparison failed. */
    readonly scored: number;
    readonly failed: number;
    readonly mean: number | null;
    readonly min: number | null;
    readonly max: number | null;
    /** Reason of one failure; `groups.jsonl` has all. */
    readonly failure_reason: string | null;
  } | null;
  /**
   * By k: the probability that one of k samples reaches `pass`, over the tasks with at least k samples. The comparison
   * tolerates rounding errors of sums.
   */
  readonly pass_at: Readonly<Record<string, number>>;
  readonly pass: number;
  readonly tokens: { readonly input: number | null; readonly output: number | null };
  /** Mean per episode. */
  readonly turns: number | null;
  readonly steps: number | null;
  readonly seconds: { readonly mean: number | null; readonly median: number | null; readonly p95: number | null };
  readonly stops: Readonly<Record<string, number>>;
  /** Number of calls, and of those that the environment did not refuse. */
  readonly calls: { readonly made: number; readonly accepted: number };
  readonly tools: Readonly<Record<string, RewardTotals>>;
  /** Continuations of the episodes from their states, and what they show. Absent unless the run has `branch`. */
  readonly branches?: BranchResults;
  readonly rewards_by_step: readonly RewardTotals[];
  /** Groups by task, in the order of their indexes. */
  readonly groups: readonly TaskGroup[];
}

/**
 * Message of failures, and the number of attempts that failed with it.
 *
 * @example
 * const format = ({ kind, message, count }: FailureReason) => `${count} × ${kind}: ${message}`;
 */
export interface FailureReason {
  readonly kind: FailureKind;
  readonly message: string;
  readonly count: number;
}

/**
 * Scores of the samples of one task.
 *
 * @example
 * const isInformative = ({ std }: TaskGroup) => std !== null && std > 0;
 * const tasks = results.groups.filter(isInformative).map(({ task }) => task);
 */
export interface TaskGroup extends RewardGroup {
  readonly task: number;
  /** In the order of the samples. */
  readonly scores: readonly number[];
  /** Comparative rewards in the order of the samples. @default none */
  readonly group_rewards?: readonly number[];
}

/**
 * Continuations of the episodes of a run.
 *
 * @example
 * const best = ({ advantages }: BranchResults) => Math.max(...Object.values(advantages).map(({ mean }) => mean));
 */
export interface BranchResults {
  readonly states: number;
  readonly continuations: number;
  /** Tokens of the continuations, which are not among those of the run. */
  readonly tokens: { readonly input: number | null; readonly output: number | null };
  /** Mean estimated advantage of the calls of each tool. */
  readonly advantages: Readonly<Record<string, { readonly calls: number; readonly mean: number }>>;
}

/**
 * Summarizes the episodes of a run that ended.
 *
 * @param planned the number of episodes in the plan.
 * @param records the episodes that ended.
 * @param comparisons the last comparison of each group.
 * @example
 * const { plan, completed } = folder;
 * const { reward } = summarizeRun(plan, planned, completed, { failures: {}, failure_reasons: [] });
 */
export function summarizeRun(
  plan: RunPlan,
  planned: number,
  records: readonly EpisodeRecord[],
  { failures, failure_reasons }: Pick<RunResults, 'failures' | 'failure_reasons'>,
  comparisons: readonly GroupRecord[] = [],
): RunResults {
  const groups = groupsOf(records, new Map(comparisons.map(({ task, rewards }) => [task, rewards])));
  const means = groups.map(({ mean }) => mean).filter((mean) => mean !== null);
  const scores = records.map(({ score }) => score);
  const seconds = records.map((record) => record.seconds);
  const steps = records.map((record) => record.steps);
  const missing = planned - records.length;
  return {
    run: plan.run,
    environment: plan.environment,
    split: plan.split,
    agent: plan.agent,
    complete: missing === 0,
    episodes: { planned, ended: records.length, missing },
    failures,
    failure_reasons,
    reward: {
      mean: meanOf(means),
      standard_error: standardErrorOf(means),
      min: nearestRankOf(scores, 0),
      max: nearestRankOf(scores, 1),
      without: records.filter(({ reward }) => reward === null).length,
      ungraded: records.filter(({ ungraded = null }) => ungraded !== null).length,
    },
    group_scores: comparisons.length === 0 ? null : summarizeComparisons(comparisons),
    pass_at: passAtSizes(groups, plan),
    pass: plan.pass,
    tokens: { input: sumOf(records, 'input_tokens'), output: sumOf(records, 'output_tokens') },
    turns: meanOf(records.map(({ turns }) => turns).filter((turns) => turns !== null)),
    steps: meanOf(steps.map(({ length }) => length)),
    seconds: { mean: meanOf(seconds), median: nearestRankOf(seconds, 0.5), p95: nearestRankOf(seconds, 0.95) },
    stops: Object.fromEntries(countBy(records, ({ stop }) => stop)),
    calls: {
      made: sum(steps.map(({ length }) => length)),
      accepted: sum(steps.map((calls) => calls.filter(({ ok }) => ok).length)),
    },
    tools: rewardsByTool(steps),
    ...(plan.branch && { branches: summarizeBranches(records) }),
    rewards_by_step: rewardsByStep(steps),
    groups,
  };
}

function summarizeComparisons(comparisons: readonly GroupRecord[]): RunResults['group_scores'] {
  const groups = comparisons.flatMap(({ rewards }) => (rewards ? [rewards] : []));
  const rewards = groups.flat();
  const means = groups.map(meanOf).filter((mean) => mean !== null);
  return {
    scored: groups.length,
    failed: comparisons.length - groups.length,
    mean: meanOf(means),
    min: nearestRankOf(rewards, 0),
    max: nearestRankOf(rewards, 1),
    failure_reason: comparisons.find(({ error }) => error !== null)?.error ?? null,
  };
}

function summarizeBranches(records: readonly EpisodeRecord[]): BranchResults {
  const branches = records.flatMap(({ branches = [] }) => branches);
  const continuations = branches.flatMap((branch) => branch.continuations);
  const steps = records.flatMap((record) => record.steps);
  const advantages = [...groupBy(steps, ({ tool }) => tool)].map(([tool, calls]) => {
    const known = calls.flatMap(({ advantage }) => advantage ?? []);
    return [tool, { calls: known.length, mean: meanOf(known) ?? 0 }] as const;
  });
  return {
    states: branches.length,
    continuations: continuations.length,
    tokens: { input: sumOf(continuations, 'input_tokens'), output: sumOf(continuations, 'output_tokens') },
    advantages: Object.fromEntries(advantages),
  };
}

function groupsOf(
  records: readonly EpisodeRecord[],
  comparisons: ReadonlyMap<number, readonly number[] | null>,
): TaskGroup[] {
  return [...groupBy(records, ({ task }) => task)]
    .sort(([one], [other]) => one - other)
    .map(([task, samples]) => {
      const scores = samples.toSorted((one, other) => one.sample - other.sample).map(({ score }) => score);
      const group_rewards = comparisons.get(task);
      return { task, scores, ...groupRewards(scores), ...(group_rewards && { group_rewards }) };
    });
}

function passAtSizes(groups: readonly TaskGroup[], { samples, pass }: RunPlan): Record<string, number> {
  const counts = groups.map(({ scores }) => ({
    samples: scores.length,
    passed: scores.filter((score) => reachesBound(score, pass)).length,
  }));
  return Object.fromEntries(passCurve(counts, samples).map(({ k, pass: part }) => [k, part]));
}

function sumOf(records: readonly EpisodeEnd[], field: 'input_tokens' | 'output_tokens'): number | null {
  const counted = records.map((record) => record[field]).filter((count) => count !== null);
  return counted.length === 0 ? null : sum(counted);
}
