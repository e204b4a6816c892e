import type { JSONObject, Trace } from '../../../generated/trace.ts';
import { canonicalJson, isJsonObject } from '../../core/index.ts';

/** Fields of a trace that determine its group. */
type GroupedTrace = Pick<
  Trace,
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
 * its sampling settings; null if the trace has neither. Rewards of different models are never compared unless they were
 * logged as one group. Source: trace.schema.json, Trace.group_id.
 */
export function groupKey(trace: GroupedTrace): string | null {
  const { group_id, run, environment, split, task_key, task_index, step, model } = trace;
  if (group_id !== null) return group_id;
  const task = task_key ?? task_index;
  if (task === null) return null;
  const sampling = samplingOf(trace);
  const player = sampling ? [model, sampling] : model === null ? [] : [model];
  return canonicalJson([run, environment, split, task, step, ...player]);
}

/** Returns the sampling settings of a trace: `sampling` of its rollout_info, run_info or metadata. */
function samplingOf({ rollout_info, run_info, metadata }: GroupedTrace): JSONObject | undefined {
  return [rollout_info.sampling, run_info.sampling, metadata.sampling].find(isJsonObject);
}
