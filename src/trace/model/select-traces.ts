import type { JSONObject, Score, Trace } from '../../../generated/trace.ts';
import { canonicalJson, isJsonObject } from '../../core/index.ts';
import type { TraceFilter } from './trace-filter.ts';

/** Fields of a trace that determine its group. */
type GroupedTrace = Pick<
  Trace,
  | 'parent_trace_id'
  | 'group_id'
  | 'run'
  | 'environment'
  | 'split'
  | 'task_key'
  | 'task_index'
  | 'step'
  | 'model'
  | 'metadata'
  | 'run_info'
  | 'rollout_info'
>;

/**
 * Returns the key of the group of a trace: its group_id, or else a key of the fields that identify the task, the model and
 * its sampling settings; null if the trace has neither, or continues another trace. Rewards of different models are never
 * compared unless they were logged as one group. Source: trace.schema.json, Trace.group_id.
 */
export function groupKey(trace: GroupedTrace): string | null {
  const { group_id, run, environment, split, task_key, task_index, step, model } = trace;
  if (isContinuation(trace)) return null;
  if (group_id !== null) return group_id;
  const task = task_key ?? task_index;
  if (task === null) return null;
  const sampling = samplingOf(trace);
  const player = sampling ? [model, sampling] : model === null ? [] : [model];
  return canonicalJson([run, environment, split, task, step, ...player]);
}

/** Returns true if a trace continues another one: its reward is an estimate, which statistics leave out. */
export const isContinuation = ({ parent_trace_id }: Pick<Trace, 'parent_trace_id'>): boolean =>
  parent_trace_id !== undefined;

/** Returns the sampling settings of a trace: `sampling` of its rollout_info, run_info or metadata. */
function samplingOf({ rollout_info, run_info, metadata }: GroupedTrace): JSONObject | undefined {
  return [rollout_info.sampling, run_info.sampling, metadata.sampling].find(isJsonObject);
}

/** Units within which the best traces are selected. */
export const SELECTION_UNITS = ['group', 'task', 'run', 'all'] as const;

/** Selection of traces from a list. */
export interface TraceSelection {
  /** Traces that may be selected. @default all */
  readonly where?: TraceFilter | undefined;
  /** Number of traces with the greatest reward that are selected. @default all */
  readonly best?: number | undefined;
  /** Selects the best of each group, task or run, or of all traces. @default 'group' */
  readonly per?: (typeof SELECTION_UNITS)[number] | undefined;
  /** Reads the scores of a trace, if the filter uses them. */
  readonly scoresOf: (trace: Trace) => Promise<readonly Score[]>;
}

/**
 * Selects traces from a list, in its order. With `best`, traces without a reward and those that continue another one are
 * left out; of equal rewards, the trace that comes first is better. A trace without a group or task is compared with none.
 */
export async function* selectTraces(
  traces: AsyncIterable<Trace> | Iterable<Trace>,
  { where, best, per = 'group', scoresOf }: TraceSelection,
): AsyncGenerator<Trace> {
  const isSelected = async (trace: Trace) =>
    !where || where.matches(trace, where.usesScores ? await scoresOf(trace) : []);
  if (best === undefined) {
    for await (const trace of traces) if (await isSelected(trace)) yield trace;
    return;
  }
  // Keeps the best of each unit, so that memory does not depend on the number of traces.
  const units = new Map<string, { readonly trace: Trace; readonly reward: number; readonly position: number }[]>();
  let position = 0;
  for await (const trace of traces) {
    const { reward_sum: reward } = trace;
    if (reward === null || isContinuation(trace) || !(await isSelected(trace))) continue;
    const key = keyOf(trace, per);
    const chosen = units.get(key) ?? [];
    units.set(key, chosen);
    chosen.push({ trace, reward, position: position++ });
    chosen.sort((one, other) => other.reward - one.reward || one.position - other.position).splice(best);
  }
  const all = [...units.values()].flat();
  for (const { trace } of all.sort((one, other) => one.position - other.position)) yield trace;
}

function keyOf(trace: Trace, per: NonNullable<TraceSelection['per']>): string {
  const { id, run, environment, split, task_key, task_index } = trace;
  if (per === 'all') return '';
  if (per === 'run') return canonicalJson(run);
  if (per === 'group') return groupKey(trace) ?? `trace ${id}`;
  const task = task_key ?? task_index;
  return task === null ? `trace ${id}` : canonicalJson([environment, split, task]);
}
