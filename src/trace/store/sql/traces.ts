import type { Trace, TraceId, TraceInput } from '../../../../generated/trace.ts';
import { newTraceId, Refusal, traceDeleted, traceIdConflict } from '../../model/index.ts';
import { nextTime } from '../time.ts';
import { inputKeyOf, newTrace, patchTrace } from '../trace-changes.ts';
import type { TraceUpdate } from '../trace-store.ts';
import type { Columns, SqlReader } from './driver.ts';
import { findTrace, readTraceRow } from './find-trace.ts';
import { insert, insertInto, update } from './statements.ts';
import { storedText } from './text.ts';
import {
  countedColumns,
  detailColumns,
  fixedColumns,
  TRACE_COLUMNS,
  TRACES,
  type TraceRow,
  toTrace,
  updatedColumns,
} from './trace-rows.ts';

/** @param now milliseconds since 1970. @throws Refusal where the id cannot be had. */
export async function createTrace(transaction: SqlReader, org: string, input: TraceInput, now: number) {
  const inputKey = inputKeyOf(input);
  const id = input.id ?? newTraceId();
  const org_rid = await numberOfOrganization(transaction, org, id);
  const known = input.id === undefined ? undefined : await claimed(transaction, org, input.id, inputKey);
  if (known) return { trace: known, isNew: false };
  const trace = newTrace(id, input, Math.floor(now * 1000));
  const rid = await insertTrace(transaction, trace, { ...fixedColumns(org, trace), org_rid });
  const task_spec = trace.task_spec === null ? null : JSON.stringify(trace.task_spec);
  await insert(transaction, 'trace_details', {
    trace_rid: rid,
    input_key: inputKey,
    task_spec,
    ...detailColumns(trace),
  });
  await insertTags(transaction, rid, trace);
  return { trace, isNew: true };
}

async function insertTrace(transaction: SqlReader, trace: Trace, fixed: Columns): Promise<number> {
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
  const name = storedText(org);
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
  if (row.deleted > 0) throw new Refusal(traceDeleted(id));
  return row.rid;
}

async function claimed(reader: SqlReader, org: string, id: TraceId, inputKey: string): Promise<Trace | undefined> {
  const [row] = await reader.query<TraceRow & { readonly input_key: string }>(
    `SELECT ${TRACE_COLUMNS}, d.input_key FROM ${TRACES} WHERE t.id = ? AND t.org = ?`,
    [id, storedText(org)],
  );
  if (row && row.input_key !== inputKey) throw new Refusal(traceIdConflict(id));
  return row && toTrace(row);
}

export async function updateTrace(
  transaction: SqlReader,
  org: string,
  id: TraceId,
  patch: TraceUpdate,
  now: number,
): Promise<Trace> {
  const row = await readTraceRow(transaction, org, id);
  const trace = patchTrace(toTrace(row), patch, nextTime(now, row.updated_us));
  await update(transaction, 'trace_rows', updatedColumns(trace), ['rid', row.rid]);
  await update(transaction, 'trace_details', detailColumns(trace), ['trace_rid', row.rid]);
  if (patch.tags) {
    await transaction.query('DELETE FROM trace_tags WHERE trace_rid = ?', [row.rid]);
    await insertTags(transaction, row.rid, trace);
  }
  return trace;
}

async function insertTags(transaction: SqlReader, rid: number, { tags }: Trace): Promise<void> {
  for (const tag of new Set(tags)) await insert(transaction, 'trace_tags', { trace_rid: rid, tag: storedText(tag) });
}

/** Blocks, tags and answers go with it, and its id stays taken: the database sees to that. */
export async function deleteTrace(transaction: SqlReader, org: string, id: TraceId): Promise<void> {
  const { rid } = await findTrace(transaction, org, id);
  await transaction.query('DELETE FROM trace_rows WHERE rid = ?', [rid]);
}
