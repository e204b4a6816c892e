import type { TraceSummary } from '../../../generated/trace.ts';
import {
  canonicalJson,
  groupBy,
  meanOf,
  type PairedDifference,
  type PassAtK,
  pairedDifference,
  passCurve,
  standardErrorOf,
  sum,
} from '../../core/index.ts';
import { exceedsBound, reachesBound } from '../../protocol/index.ts';

/** A run and the traces of it that are compared. */
export interface ComparedRun {
  readonly run: string;
  readonly summaries: readonly TraceSummary[];
}

/** Identity of a task; `key` is equal for equal tasks. */
interface TaskIdentity extends Pick<TraceSummary, 'environment' | 'split' | 'task_index' | 'task_key'> {
  readonly key: string;
}

/** Scores of the traces of one task. */
interface TaskResult extends TaskIdentity {
  readonly traces: number;
  readonly mean: number;
  readonly passed: number;
}

/** Returns the key of a task; null if a trace does not name its task. */
function taskKey({ environment, split, task_key, task_index }: Omit<TaskIdentity, 'key'>): string | null {
  const task = task_key ?? task_index;
  return task === null ? null : canonicalJson([environment, split, task]);
}

/**
 * Groups scores by task. The score of a trace is its reward, and 0 if it finished without one; traces with neither are left
 * out. A trace that does not name its task is a separate task.
 *
 * @param pass reward from which a trace passes.
 */
function resultsByTask(summaries: readonly TraceSummary[], pass: number): TaskResult[] {
  const scored = summaries.filter((summary) => scoreOf(summary) !== null);
  const tasks = groupBy(scored, (summary) => taskKey(summary) ?? summary.id);
  return Array.from(tasks, ([key, traces]) => {
    const [{ environment, split, task_index, task_key }] = traces;
    const scores = traces.map((trace) => scoreOf(trace) ?? 0);
    return {
      ...{ key, environment, split, task_index, task_key },
      traces: traces.length,
      mean: meanOf(scores) ?? 0,
      passed: scores.filter((score) => reachesBound(score, pass)).length,
    };
  });
}

/** Returns the score of a trace as `ors rollout` does: an episode that ended without a reward earned nothing. */
const scoreOf = ({ reward, status }: TraceSummary): number | null => reward ?? (status === 'finished' ? 0 : null);

const hasReward = (summary: TraceSummary): summary is TraceSummary & { readonly reward: number } =>
  summary.reward !== null;

const passRate = ({ passed, traces }: TaskResult): number => passed / traces;

/** Returns pass@k over the tasks of traces. Samples of different models never count as samples of one task. */
export function passAtSizes(summaries: readonly TraceSummary[], pass: number): PassAtK[] {
  const results = [...groupBy(summaries, ({ model }) => model).values()].flatMap((of) => resultsByTask(of, pass));
  return passCurve(results.map(({ traces, passed }) => ({ samples: traces, passed })));
}

/** Results of a run with one model in one environment. Means give every task the same weight. */
export interface LeaderboardRow {
  readonly run: string;
  readonly model: string | null;
  readonly environment: string | null;
  readonly tasks: number;
  readonly traces: number;
  /** Traces without a reward, which count as 0 if they finished. */
  readonly without_reward: number;
  readonly mean: number | null;
  /** Over the means of tasks, as if they were drawn at random; null for fewer than two tasks. */
  readonly standard_error: number | null;
  readonly pass_rate: number | null;
  readonly pass_error: number | null;
  /** Share of the traces with failed tool calls. */
  readonly error_rate: number;
  /** Mean over the traces that report tokens. */
  readonly tokens: number | null;
  /** Sum over the traces that report a cost. */
  readonly cost: number | null;
  /** Mean duration of the traces that ended. */
  readonly seconds: number | null;
}

/** Returns the results of runs by environment and model: environments in order, the greatest mean first. */
export function leaderboard(runs: readonly ComparedRun[], pass: number): LeaderboardRow[] {
  const rows = runs.flatMap(({ run, summaries }) => {
    const parts = groupBy(summaries, ({ model, environment }) => canonicalJson([model, environment]));
    return Array.from(parts.values(), (traces) => toLeaderboardRow(run, traces, pass));
  });
  const byName = (one: string | null, other: string | null) => (one ?? '').localeCompare(other ?? '', 'en');
  return rows.sort(
    (one, other) =>
      byName(one.environment, other.environment) || (other.mean ?? -Infinity) - (one.mean ?? -Infinity) || 0,
  );
}

function toLeaderboardRow(
  run: string,
  traces: readonly [TraceSummary, ...TraceSummary[]],
  pass: number,
): LeaderboardRow {
  const [{ model, environment }] = traces;
  const results = resultsByTask(traces, pass);
  const means = results.map(({ mean }) => mean);
  const rates = results.map(passRate);
  const costs = traces.flatMap(({ cost }) => cost ?? []);
  return {
    ...{ run, model, environment },
    tasks: results.length,
    traces: traces.length,
    without_reward: traces.filter(({ reward }) => reward === null).length,
    mean: meanOf(means),
    standard_error: standardErrorOf(means),
    pass_rate: meanOf(rates),
    pass_error: standardErrorOf(rates),
    error_rate: traces.filter(({ error_count }) => error_count > 0).length / traces.length,
    tokens: meanOf(traces.flatMap(({ tokens }) => tokens ?? [])),
    cost: costs.length === 0 ? null : sum(costs),
    seconds: meanOf(traces.flatMap((trace) => secondsOf(trace) ?? [])),
  };
}

/** Returns the duration of a trace in seconds; null if it has not ended. */
const secondsOf = ({ created_at, finished_at }: Pick<TraceSummary, 'created_at' | 'finished_at'>) =>
  finished_at === null ? null : (Date.parse(finished_at) - Date.parse(created_at)) / 1000;

/** Results of two runs for one task. */
export interface TaskDifference extends TaskIdentity {
  readonly baseline: TaskResult;
  readonly other: TaskResult;
  /** Mean reward of the other run minus that of the baseline. */
  readonly difference: number;
  /** `gained` if at least half of the traces of the other run pass, and less than half of the baseline; `lost` is the reverse. */
  readonly change: 'gained' | 'lost' | 'same';
}

/** Differences between two runs over the tasks that both have. */
export interface RunDifference {
  readonly baseline: string;
  readonly run: string;
  /** Left out if the runs have no task in common. */
  readonly reward?: PairedDifference;
  readonly pass_rate?: PairedDifference;
  readonly gained: number;
  readonly lost: number;
  /** Number of tasks that only one of the runs has. */
  readonly unpaired: number;
  /** Greatest difference first. */
  readonly tasks: readonly TaskDifference[];
}

/** Compares two runs task by task, so that the difficulty of tasks cancels out. */
export function compareRuns(baseline: ComparedRun, other: ComparedRun, pass: number): RunDifference {
  const named = ({ summaries }: ComparedRun) =>
    new Map(
      resultsByTask(
        summaries.filter((summary) => taskKey(summary) !== null),
        pass,
      ).map((result) => [result.key, result]),
    );
  const [before, after] = [named(baseline), named(other)];
  const tasks = [...before.values()].flatMap((result) => {
    const second = after.get(result.key);
    return second ? [toTaskDifference(result, second)] : [];
  });
  const reward = pairedDifference(tasks.map(({ difference }) => difference));
  const rates = pairedDifference(tasks.map((task) => passRate(task.other) - passRate(task.baseline)));
  return {
    baseline: baseline.run,
    run: other.run,
    ...(reward && { reward }),
    ...(rates && { pass_rate: rates }),
    gained: tasks.filter(({ change }) => change === 'gained').length,
    lost: tasks.filter(({ change }) => change === 'lost').length,
    unpaired: before.size + after.size - 2 * tasks.length,
    tasks: tasks.sort(
      (one, two) => Math.abs(two.difference) - Math.abs(one.difference) || (one.key < two.key ? -1 : 1),
    ),
  };
}

function toTaskDifference(baseline: TaskResult, other: TaskResult): TaskDifference {
  const { key, environment, split, task_index, task_key } = baseline;
  const [was, is] = [baseline, other].map((result) => passRate(result) >= 0.5);
  const change = was === is ? 'same' : is ? 'gained' : 'lost';
  return {
    ...{ key, environment, split, task_index, task_key, baseline, other, change },
    difference: other.mean - baseline.mean,
  };
}

/** Returns the traces of a training step, or of the last one. */
export function tracesOfStep(summaries: readonly TraceSummary[], step: number | 'last'): readonly TraceSummary[] {
  const last = () => summaries.reduce((max, each) => Math.max(max, each.step ?? -1), -1);
  const wanted = step === 'last' ? last() : step;
  return wanted < 0 ? summaries : summaries.filter((summary) => summary.step === wanted);
}

/** Value of a metric over traces at one position of a chart. */
export interface MetricPoint {
  readonly x: number;
  readonly mean: number | null;
  readonly standard_error: number | null;
  /** Number of the values. */
  readonly count: number;
}

/** Label of each metric that every store computes; other names are paths in `values` of summaries. */
export const METRICS: Readonly<Record<string, string>> = {
  reward: 'reward',
  pass_rate: 'pass rate',
  tokens: 'tokens',
  cost: 'cost',
  blocks: 'blocks',
  error_rate: 'share with failed calls',
  seconds: 'duration (s)',
  zero_variance: 'share of groups without variance',
};

/** Returns the names of the metrics that traces have values for. */
export function metricsOf(summaries: readonly TraceSummary[], pass: number): string[] {
  const own = new Set(summaries.flatMap(({ values }) => Object.keys(values)));
  const known = Object.keys(METRICS).filter((name) => metricValues(summaries, name, pass).length > 0);
  return [...known, ...[...own].sort()];
}

/** Returns a metric by training step, ascending; traces without a step are left out. */
export function metricBySteps(summaries: readonly TraceSummary[], metric: string, pass: number): MetricPoint[] {
  const steps = groupBy(summaries, ({ step }) => step);
  return [...steps]
    .flatMap(([step, traces]) => (step === null ? [] : [toMetricPoint(step, metricValues(traces, metric, pass))]))
    .sort((one, other) => one.x - other.x);
}

/** Returns a metric by the hours since the first trace, in intervals of equal length. */
export function metricByTime(
  summaries: readonly TraceSummary[],
  metric: string,
  pass: number,
  intervals = 60,
): MetricPoint[] {
  const times = summaries.map(({ created_at }) => Date.parse(created_at));
  const [first, last] = [times.reduce((a, b) => Math.min(a, b), Infinity), times.reduce((a, b) => Math.max(a, b), 0)];
  const width = Math.max(1, (last - first) / intervals);
  const parts = groupBy(summaries, ({ created_at }) =>
    Math.min(intervals - 1, Math.floor((Date.parse(created_at) - first) / width)),
  );
  return [...parts]
    .sort(([one], [other]) => one - other)
    .map(([index, traces]) => toMetricPoint(((index + 0.5) * width) / 3_600_000, metricValues(traces, metric, pass)));
}

const toMetricPoint = (x: number, values: readonly number[]): MetricPoint => ({
  x,
  mean: meanOf(values),
  standard_error: standardErrorOf(values),
  count: values.length,
});

function metricValues(traces: readonly TraceSummary[], metric: string, pass: number): number[] {
  if (metric === 'zero_variance') return zeroVariances(traces);
  return traces.flatMap((trace) => metricValue(trace, metric, pass) ?? []);
}

function metricValue(trace: TraceSummary, metric: string, pass: number): number | null | undefined {
  const { reward } = trace;
  if (metric === 'reward') return reward;
  if (metric === 'pass_rate') return reward === null ? null : Number(reachesBound(reward, pass));
  if (metric === 'tokens' || metric === 'cost') return trace[metric];
  if (metric === 'blocks') return trace.block_count;
  if (metric === 'error_rate') return Number(trace.error_count > 0);
  if (metric === 'seconds') return secondsOf(trace);
  return Object.hasOwn(trace.values, metric) ? trace.values[metric] : undefined;
}

/** Returns 1 for each group with at least two rewards that are all equal, 0 for every other one. */
function zeroVariances(traces: readonly TraceSummary[]): number[] {
  const groups = groupBy(traces.filter(hasReward), ({ group_key }) => group_key);
  groups.delete(null);
  return [...groups.values()].flatMap((group) => {
    if (group.length < 2) return [];
    const rewards = group.map(({ reward }) => reward);
    return Number(!exceedsBound(Math.max(...rewards), Math.min(...rewards)));
  });
}
