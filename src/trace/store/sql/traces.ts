import type { JSONObject, Trace, TraceId, TraceInput, TraceWarning } from '../../../../generated/trace.ts';
import { parseExactJson, stringifyJson } from '../../../core/index.ts';
import {
  groupKey,
  newTraceId,
  readCost,
  readTokenUsage,
  TraceStoreError,
  traceDeleted,
  traceIdConflict,
  traceNotFound,
} from '../../model/index.ts';
import {
  countersOf,
  createTraceRecord,
  inputHash,
  nextMonotonicTime,
  parentOf,
  patchTrace,
  type TraceCounters,
  toMicroseconds,
  toTimestamp,
} from '../trace-changes.ts';
import type { TraceUpdate } from '../trace-store.ts';
import type { SqlReader, SqlRow } from './driver.ts';
import {
  decodeStoredText,
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
  const rid = await insertTrace(transaction, org, org_rid, trace);
  const task_spec = trace.task_spec === null ? null : stringifyJson(trace.task_spec);
  const details = { trace_rid: rid, input_key: inputKey, task_spec, ...detailColumns(trace) };
  await insertRow(transaction, 'trace_details', details);
  await insertTags(transaction, rid, trace);
  return { trace, isNew: true };
}

async function insertTrace(transaction: SqlReader, org: string, org_rid: number, trace: Trace): Promise<number> {
  const columns: SqlRow = {
    id: trace.id,
    org: encodeStoredText(org),
    org_rid,
    ...mapTexts(trace, encodeStoredTextOrNull),
    task_key: trace.task_key,
    rollout_index: trace.rollout_index,
    ...parentOf(trace),
    created_us: toMicroseconds(trace.created_at),
    ...countersOf(trace),
    ...updatedColumns(trace),
  };
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
  if (!row) return undefined;
  const { input_key, ...columns } = row;
  if (input_key !== inputKey) throw new TraceStoreError(traceIdConflict(id));
  return toTrace(columns);
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

export const SELECT_HEAD = `SELECT rid, id, org, org_rid, reward_sum, reward_last, reward_max, reward_count, block_count, bytes,
  error_count, updated_us FROM trace_rows`;

/** Reads a trace, and locks it in a transaction. @throws TraceStoreError TRACE_NOT_FOUND, TRACE_DELETED. */
export async function findTrace(reader: SqlReader, org: string, id: TraceId): Promise<TraceHead> {
  const sql = `${SELECT_HEAD} WHERE id = ? AND org = ?${reader.forUpdate}`;
  const [row] = await reader.query<TraceHead>(sql, [id, encodeStoredText(org)]);
  return row ?? (await throwMissing(reader, org, id));
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

/** Texts of clients, which are stored encoded. */
const TEXTS = ['name', 'run', 'environment', 'variant', 'split', 'group_id', 'model'] as const;

type TraceTexts = Pick<Trace, (typeof TEXTS)[number]>;

const mapTexts = (texts: TraceTexts, map: (text: string | null) => string | null): TraceTexts =>
  // The entries are those of `TraceTexts`.
  Object.fromEntries(TEXTS.map((name) => [name, map(texts[name])])) as unknown as TraceTexts;

/** Columns that are null if a trace has no parent. */
interface ParentColumns {
  readonly parent_trace_id: TraceId | null;
  readonly parent_calls: number | null;
}

type DetailColumns = Record<'tags' | 'metadata' | 'run_info' | 'rollout_info', string> & {
  readonly warnings: string | null;
};

/** A row of `trace_rows` joined with its row of `trace_details`. */
export interface TraceRow
  extends Omit<
      Trace,
      keyof DetailColumns | keyof ParentColumns | 'task_spec' | 'created_at' | 'finished_at' | 'updated_at'
    >,
    Readonly<DetailColumns>,
    ParentColumns {
  readonly rid: number;
  readonly task_spec: string | null;
  readonly created_us: number;
  readonly finished_us: number | null;
  readonly updated_us: number;
}

/** Tables of a `TraceRow`. */
export const TRACES_JOIN = 'trace_rows AS t JOIN trace_details AS d ON d.trace_rid = t.rid';

/** Columns of a `TraceRow`. */
export const TRACE_ROW_COLUMNS = `t.rid, t.id, t.name, t.run, t.environment, t.variant, t.split, t.task_index,
  d.task_spec, t.task_key, t.group_id, t.step, t.rollout_index, t.model, t.status, d.tags, d.metadata, d.run_info,
  d.rollout_info, d.warnings, t.parent_trace_id, t.parent_calls, t.reward_sum, t.reward_last, t.reward_max, t.reward_count, t.block_count, t.bytes, t.error_count,
  t.created_us, t.finished_us, t.updated_us`;

/** @param row has no other columns. */
export const toTrace = ({
  rid: _,
  created_us,
  finished_us,
  updated_us,
  warnings,
  parent_trace_id,
  parent_calls,
  ...row
}: TraceRow): Trace => ({
  ...row,
  ...parentOf({ parent_trace_id, parent_calls }),
  ...mapTexts(row, decodeStoredTextOrNull),
  task_spec: row.task_spec === null ? null : readObject(row.task_spec),
  tags: JSON.parse(row.tags) as string[],
  metadata: readObject(row.metadata),
  run_info: readObject(row.run_info),
  rollout_info: readObject(row.rollout_info),
  ...(warnings === null ? {} : { warnings: JSON.parse(warnings) as TraceWarning[] }),
  created_at: toTimestamp(created_us),
  finished_at: finished_us === null ? null : toTimestamp(finished_us),
  updated_at: toTimestamp(updated_us),
});

/** Columns of a trace that conditions compare. */
export type ComparedRow = Partial<
  Omit<TraceRow, 'task_spec' | 'run_info' | 'rollout_info' | 'warnings' | 'parent_calls' | 'finished_us' | 'updated_us'>
>;

/** Returns the fields of a trace whose columns were read; the others are missing. */
export const toComparedTrace = ({
  rid: _,
  tags,
  metadata,
  parent_trace_id,
  created_us,
  ...row
}: ComparedRow): Partial<Trace> => ({
  ...row,
  ...parentOf({ parent_trace_id: parent_trace_id ?? null }),
  ...Object.fromEntries(TEXTS.flatMap((name) => (row[name] == null ? [] : [[name, decodeStoredText(row[name])]]))),
  ...(tags !== undefined && { tags: JSON.parse(tags) as string[] }),
  ...(metadata !== undefined && { metadata: readObject(metadata) }),
  ...(created_us !== undefined && { created_at: toTimestamp(created_us) }),
});

/** Trusted: only objects are written. */
export const readObject = (text: string): JSONObject => parseExactJson(text) as JSONObject;

/** Columns that an update of the trace changes. */
const updatedColumns = (trace: Trace): SqlRow => ({
  task_index: trace.task_index,
  step: trace.step,
  group_key: encodeStoredTextOrNull(groupKey(trace)),
  name: encodeStoredTextOrNull(trace.name),
  status: trace.status,
  finished_us: trace.finished_at === null ? null : toMicroseconds(trace.finished_at),
  updated_us: toMicroseconds(trace.updated_at),
  tokens: readTokenUsage(trace)?.total ?? null,
  cost: readCost(trace) ?? null,
});

/** Columns of `trace_details` that an update changes. */
const detailColumns = ({ tags, metadata, run_info, rollout_info, warnings }: Trace): DetailColumns => ({
  tags: JSON.stringify(tags),
  metadata: stringifyJson(metadata),
  run_info: stringifyJson(run_info),
  rollout_info: stringifyJson(rollout_info),
  warnings: warnings ? JSON.stringify(warnings) : null,
});
