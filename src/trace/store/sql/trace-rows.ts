import type { JSONObject, Trace, TraceStatus } from '../../../../generated/trace.ts';
import { toMicroseconds, toTimestamp } from '../time.ts';
import { groupKey } from '../trace-changes.ts';
import type { SqlValue } from './driver.ts';
import { decodeStoredTextOrNull, encodeStoredText, encodeStoredTextOrNull } from './text.ts';

/** A row of `trace_rows` with that of `trace_details`. */
export interface TraceRow {
  readonly rid: number;
  readonly id: string;
  readonly name: string | null;
  readonly run: string | null;
  readonly environment: string | null;
  readonly variant: string | null;
  readonly split: string | null;
  readonly task_index: number | null;
  readonly task_key: string | null;
  readonly group_id: string | null;
  readonly step: number | null;
  readonly rollout_index: number | null;
  readonly model: string | null;
  readonly status: TraceStatus;
  readonly reward_sum: number | null;
  readonly reward_last: number | null;
  readonly reward_max: number | null;
  readonly reward_count: number;
  readonly block_count: number;
  readonly bytes: number;
  readonly error_count: number;
  readonly created_us: number;
  readonly finished_us: number | null;
  readonly updated_us: number;
  readonly task_spec: string | null;
  readonly tags: string;
  readonly metadata: string;
  readonly run_info: string;
  readonly rollout_info: string;
}

/** What a `TraceRow` is selected from. */
export const TRACES_JOIN = 'trace_rows AS t JOIN trace_details AS d ON d.trace_rid = t.rid';

/** The columns of a `TraceRow`. */
export const TRACE_ROW_COLUMNS = `t.rid, t.id, t.name, t.run, t.environment, t.variant, t.split, t.task_index, t.task_key,
  t.group_id, t.step, t.rollout_index, t.model, t.status, t.reward_sum, t.reward_last, t.reward_max, t.reward_count,
  t.block_count, t.bytes, t.error_count, t.created_us, t.finished_us, t.updated_us, d.task_spec, d.tags, d.metadata,
  d.run_info, d.rollout_info`;

export const toTrace = (row: TraceRow): Trace => ({
  id: row.id,
  name: decodeStoredTextOrNull(row.name),
  run: decodeStoredTextOrNull(row.run),
  environment: decodeStoredTextOrNull(row.environment),
  variant: decodeStoredTextOrNull(row.variant),
  split: decodeStoredTextOrNull(row.split),
  task_index: row.task_index,
  task_spec: row.task_spec === null ? null : readObject(row.task_spec),
  task_key: row.task_key,
  group_id: decodeStoredTextOrNull(row.group_id),
  step: row.step,
  rollout_index: row.rollout_index,
  model: decodeStoredTextOrNull(row.model),
  status: row.status,
  tags: JSON.parse(row.tags) as string[],
  metadata: readObject(row.metadata),
  run_info: readObject(row.run_info),
  rollout_info: readObject(row.rollout_info),
  reward_sum: row.reward_sum,
  reward_last: row.reward_last,
  reward_max: row.reward_max,
  reward_count: row.reward_count,
  block_count: row.block_count,
  bytes: row.bytes,
  error_count: row.error_count,
  created_at: toTimestamp(row.created_us),
  finished_at: row.finished_us === null ? null : toTimestamp(row.finished_us),
  updated_at: toTimestamp(row.updated_us),
});

/** What was written was an object. */
const readObject = (text: string): JSONObject => JSON.parse(text) as JSONObject;

type TraceColumns = Readonly<Record<string, SqlValue>>;

/** The columns of a trace that never change. */
export const fixedColumns = (org: string, trace: Trace): TraceColumns => ({
  id: trace.id,
  org: encodeStoredText(org),
  run: encodeStoredTextOrNull(trace.run),
  environment: encodeStoredTextOrNull(trace.environment),
  variant: encodeStoredTextOrNull(trace.variant),
  split: encodeStoredTextOrNull(trace.split),
  task_index: trace.task_index,
  task_key: trace.task_key,
  group_id: encodeStoredTextOrNull(trace.group_id),
  group_key: encodeStoredTextOrNull(groupKey(trace)),
  step: trace.step,
  rollout_index: trace.rollout_index,
  model: encodeStoredTextOrNull(trace.model),
  created_us: toMicroseconds(trace.created_at),
});

/** The columns that change with every block. */
export const countedColumns = (trace: Trace): TraceColumns => ({
  reward_sum: trace.reward_sum,
  reward_last: trace.reward_last,
  reward_max: trace.reward_max,
  reward_count: trace.reward_count,
  block_count: trace.block_count,
  bytes: trace.bytes,
  error_count: trace.error_count,
  updated_us: toMicroseconds(trace.updated_at),
});

/** The columns that an update of the trace changes. */
export const updatedColumns = (trace: Trace): TraceColumns => ({
  name: encodeStoredTextOrNull(trace.name),
  status: trace.status,
  finished_us: trace.finished_at === null ? null : toMicroseconds(trace.finished_at),
  updated_us: toMicroseconds(trace.updated_at),
});

/** Of `trace_details`, those that an update changes. */
export const detailColumns = (trace: Trace): TraceColumns => ({
  tags: JSON.stringify(trace.tags),
  metadata: JSON.stringify(trace.metadata),
  run_info: JSON.stringify(trace.run_info),
  rollout_info: JSON.stringify(trace.rollout_info),
});
