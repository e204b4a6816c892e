import type { Trace, TraceId, TraceInput } from '../../../../generated/trace.ts';
import { newTraceId, TraceStoreError, traceDeleted, traceIdConflict } from '../../model/index.ts';
import { nextMonotonicTime } from '../time.ts';
import { createTraceRecord, inputHash, patchTrace } from '../trace-changes.ts';
import type { TraceUpdate } from '../trace-store.ts';
import type { SqlReader, SqlRow } from './driver.ts';
import { findTrace, readTraceRow } from './find-trace.ts';
import { insertInto, insertRow, updateRow } from './statements.ts';
import { encodeStoredText } from './text.ts';
import {
  countedColumns,
  detailColumns,
  fixedColumns,
  TRACE_ROW_COLUMNS,
  TRACES_JOIN,
  type TraceRow,
  toTrace,
  updatedColumns,
} from './trace-rows.ts';

/** @param now milliseconds since 1970. @throws Refusal where the id cannot be had. */
export async function insertTraceRow(transaction: SqlReader, org: string, input: TraceInput, now: number) {
  const inputKey = inputHash(input);
  const id = input.id ?? newTraceId();
  const org_rid = await numberOfOrganization(transaction, org, id);
  const known = input.id === undefined ? undefined : await claimed(transaction, org, input.id, inputKey);
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
  if (!row) throw new Error('the database does not tell what it has written');
  return row.rid;
}

interface OrganizationRow {
  readonly rid: number;
  /** Traces with the id that were deleted: one or none. */
  readonly deleted: number;
}

/**
 * Not cached: a number that a transaction has read may be rolled back with it, and given to another organization.
 *
 * @throws Refusal TRACE_DELETED where the organization has deleted a trace with this id.
 */
async function numberOfOrganization(transaction: SqlReader, org: string, id: TraceId): Promise<number> {
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
  if (!row) throw new Error('the database does not return the organization that was written');
  if (row.deleted > 0) throw new TraceStoreError(traceDeleted(id));
  return row.rid;
}

async function claimed(reader: SqlReader, org: string, id: TraceId, inputKey: string): Promise<Trace | undefined> {
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

/** Blocks, tags and answers go with it, and its id stays taken: the database sees to that. */
export async function deleteTraceRow(transaction: SqlReader, org: string, id: TraceId): Promise<void> {
  const { rid } = await findTrace(transaction, org, id);
  await transaction.query('DELETE FROM trace_rows WHERE rid = ?', [rid]);
}
