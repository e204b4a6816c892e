import type { JSONObject, Trace, TraceId, TraceInput, TraceStatus } from '../../../../generated/trace.ts';
import { newTraceId, TraceStoreError, traceDeleted, traceIdConflict, traceNotFound } from '../../model/index.ts';
import { traceKey } from '../change-listeners.ts';
import {
  createTraceRecord,
  groupKey,
  inputHash,
  nextMonotonicTime,
  patchTrace,
  type TraceCounters,
  toMicroseconds,
  toTimestamp,
} from '../trace-changes.ts';
import type { TraceUpdate } from '../trace-store.ts';
import type { SqlDialect, SqlReader, SqlRow, SqlValue } from './driver.ts';
import {
  decodeStoredTextOrNull,
  encodeStoredText,
  encodeStoredTextOrNull,
  insertInto,
  insertRow,
  updateRow,
} from './statements.ts';

/**
 * Creates a trace, or returns the one with this id that was created with the same input.
 *
 * @param now milliseconds since 1970.
 * @throws TraceStoreError TRACE_ID_CONFLICT, TRACE_DELETED.
 */
export async function insertTraceRow(transaction: SqlReader, org: string, input: TraceInput, now: number) {
  const inputKey = inputHash(input);
  const id = input.id ?? newTraceId();
  const org_rid = await organizationNumber(transaction, org, id);
  const known = input.id === undefined ? undefined : await findSameInput(transaction, org, input.id, inputKey);
  if (known) return { trace: known, isNew: false };
  const trace = createTraceRecord(id, input, Math.floor(now * 1000));
  const rid = await insertTrace(transaction, trace, { ...fixedColumns(org, trace), org_rid });
  const task_spec = trace.task_spec === null ? null : JSON.stringify(trace.task_spec);
  await insertRow(transaction, 'trace_details', {
    trace_rid: rid,
    input_key: inputKey,
    task_spec,
    ...detailColumns(trace),
  });
  await insertTags(transaction, rid, trace);
  return { trace, isNew: true };
}

async function insertTrace(transaction: SqlReader, trace: Trace, fixed: SqlRow): Promise<number> {
  const columns = { ...fixed, ...countedColumns(trace), ...updatedColumns(trace) };
  const sql = `${insertInto('trace_rows', Object.keys(columns))} RETURNING rid`;
  const [row] = await transaction.query<{ readonly rid: number }>(sql, Object.values(columns));
  if (!row) throw new Error('the database did not return the row that was written');
  return row.rid;
}

interface OrganizationRow {
  readonly rid: number;
  /** Number of deleted traces with the id: 0 or 1. */
  readonly deleted: number;
}

/**
 * Returns the number of an organization, which it assigns if necessary. Not cached: a new number may be rolled back with
 * its transaction, and then belong to another organization.
 *
 * @throws TraceStoreError TRACE_DELETED if the organization has deleted a trace with this id.
 */
async function organizationNumber(transaction: SqlReader, org: string, id: TraceId): Promise<number> {
  const name = encodeStoredText(org);
  const read = () =>
    transaction.query<OrganizationRow>(
      `SELECT rid, (SELECT count(*) FROM tombstones WHERE trace_id = ? AND org = name) AS deleted
       FROM organizations WHERE name = ?`,
      [id, name],
    );
  let [row] = await read();
  if (!row) {
    await transaction.query('INSERT INTO organizations (name) VALUES (?) ON CONFLICT (name) DO NOTHING', [name]);
    [row] = await read();
  }
  if (!row) throw new Error('the database did not return the organization that was written');
  if (row.deleted > 0) throw new TraceStoreError(traceDeleted(id));
  return row.rid;
}

async function findSameInput(
  reader: SqlReader,
  org: string,
  id: TraceId,
  inputKey: string,
): Promise<Trace | undefined> {
  const [row] = await reader.query<TraceRow & { readonly input_key: string }>(
    `SELECT ${TRACE_ROW_COLUMNS}, d.input_key FROM ${TRACES_JOIN} WHERE t.id = ? AND t.org = ?`,
    [id, encodeStoredText(org)],
  );
  if (row && row.input_key !== inputKey) throw new TraceStoreError(traceIdConflict(id));
  return row && toTrace(row);
}

export async function updateTraceRow(
  transaction: SqlReader,
  org: string,
  id: TraceId,
  patch: TraceUpdate,
  now: number,
): Promise<Trace> {
  const row = await readTraceRow(transaction, org, id);
  const trace = patchTrace(toTrace(row), patch, nextMonotonicTime(now, row.updated_us));
  await updateRow(transaction, 'trace_rows', updatedColumns(trace), ['rid', row.rid]);
  await updateRow(transaction, 'trace_details', detailColumns(trace), ['trace_rid', row.rid]);
  if (patch.tags) {
    await transaction.query('DELETE FROM trace_tags WHERE trace_rid = ?', [row.rid]);
    await insertTags(transaction, row.rid, trace);
  }
  return trace;
}

async function insertTags(transaction: SqlReader, rid: number, { tags }: Trace): Promise<void> {
  for (const tag of new Set(tags))
    await insertRow(transaction, 'trace_tags', { trace_rid: rid, tag: encodeStoredText(tag) });
}

/** Deletes a trace. Triggers and foreign keys delete its other rows, and add a tombstone for its id. */
export async function deleteTraceRow(transaction: SqlReader, org: string, id: TraceId): Promise<void> {
  const { rid } = await findTrace(transaction, org, id);
  await transaction.query('DELETE FROM trace_rows WHERE rid = ?', [rid]);
}

/** Columns of a trace that reads and appends of its blocks need. */
export type TraceHead = TraceCounters & {
  readonly rid: number;
  readonly id: TraceId;
  /** Number of its organization; the ids of blocks are unique within it. */
  readonly org_rid: number;
  readonly updated_us: number;
};

const SELECT_HEAD = `SELECT rid, id, org, org_rid, reward_sum, reward_last, reward_max, reward_count, block_count, bytes,
  error_count, updated_us FROM trace_rows`;

/** Reads a trace, and locks it in a transaction. @throws TraceStoreError TRACE_NOT_FOUND, TRACE_DELETED. */
export async function findTrace(reader: SqlReader, org: string, id: TraceId): Promise<TraceHead> {
  const sql = `${SELECT_HEAD} WHERE id = ? AND org = ?${reader.forUpdate}`;
  const [row] = await reader.query<TraceHead>(sql, [id, encodeStoredText(org)]);
  return row ?? (await throwMissing(reader, org, id));
}

/** Reads and locks several traces; undefined for each that does not exist or is locked by another transaction. */
export async function lockUnlockedTraces(
  transaction: SqlReader,
  dialect: SqlDialect,
  traces: readonly { readonly org: string; readonly id: TraceId }[],
): Promise<readonly (TraceHead | undefined)[]> {
  // The expression makes the engine search the index once per id, not once per id and organization.
  const sql = `${SELECT_HEAD} WHERE ${dialect.columnIn('id')} AND ${dialect.columnIn("(org || '')")}${transaction.forUpdate}`;
  const rows = await transaction.query<TraceHead & { readonly org: string }>(sql, [
    dialect.list(new Set(traces.map(({ id }) => id))),
    dialect.list(new Set(traces.map(({ org }) => encodeStoredText(org)))),
  ]);
  const found = new Map(rows.map((row) => [traceKey(row.org, row.id), row]));
  return traces.map(({ org, id }) => found.get(traceKey(encodeStoredText(org), id)));
}

/** @throws TraceStoreError as `findTrace` does. */
export async function readTraceRow(reader: SqlReader, org: string, id: TraceId): Promise<TraceRow> {
  const sql = `SELECT ${TRACE_ROW_COLUMNS} FROM ${TRACES_JOIN} WHERE t.id = ? AND t.org = ?${reader.forUpdate}`;
  const [row] = await reader.query<TraceRow>(sql, [id, encodeStoredText(org)]);
  return row ?? (await throwMissing(reader, org, id));
}

async function throwMissing(reader: SqlReader, org: string, id: TraceId): Promise<never> {
  const sql = 'SELECT trace_id FROM tombstones WHERE trace_id = ? AND org = ?';
  const [deleted] = await reader.query(sql, [id, encodeStoredText(org)]);
  throw new TraceStoreError(deleted ? traceDeleted(id) : traceNotFound(id));
}

/** A row of `trace_rows` joined with its row of `trace_details`. */
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

/** Tables of a `TraceRow`. */
export const TRACES_JOIN = 'trace_rows AS t JOIN trace_details AS d ON d.trace_rid = t.rid';

/** Columns of a `TraceRow`. */
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

/** Trusted: only objects are written. */
const readObject = (text: string): JSONObject => JSON.parse(text) as JSONObject;

type TraceColumns = Readonly<Record<string, SqlValue>>;

/** Columns of a trace that never change. */
const fixedColumns = (org: string, trace: Trace): TraceColumns => ({
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

/** Columns that change with every block. */
const countedColumns = (trace: Trace): TraceColumns => ({
  reward_sum: trace.reward_sum,
  reward_last: trace.reward_last,
  reward_max: trace.reward_max,
  reward_count: trace.reward_count,
  block_count: trace.block_count,
  bytes: trace.bytes,
  error_count: trace.error_count,
  updated_us: toMicroseconds(trace.updated_at),
});

/** Columns that an update of the trace changes. */
const updatedColumns = (trace: Trace): TraceColumns => ({
  name: encodeStoredTextOrNull(trace.name),
  status: trace.status,
  finished_us: trace.finished_at === null ? null : toMicroseconds(trace.finished_at),
  updated_us: toMicroseconds(trace.updated_at),
});

/** Columns of `trace_details` that an update changes. */
const detailColumns = (trace: Trace): TraceColumns => ({
  tags: JSON.stringify(trace.tags),
  metadata: JSON.stringify(trace.metadata),
  run_info: JSON.stringify(trace.run_info),
  rollout_info: JSON.stringify(trace.rollout_info),
});
