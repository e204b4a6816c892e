import type { TraceId } from '../../../../generated/trace.ts';
import { TraceStoreError, traceDeleted, traceNotFound } from '../../model/index.ts';
import type { TraceCounters } from '../trace-changes.ts';
import { traceKey } from '../watchers.ts';
import type { SqlDialect, SqlReader } from './driver.ts';
import { encodeStoredText } from './text.ts';
import { TRACE_ROW_COLUMNS, TRACES_JOIN, type TraceRow } from './trace-rows.ts';

/** As much of a trace as its blocks need. */
export type GrowingTrace = TraceCounters & {
  readonly rid: number;
  readonly id: TraceId;
  /** Number of its organization, which the ids of its blocks are unique in. */
  readonly org_rid: number;
  readonly updated_us: number;
};

const GROWING = `SELECT rid, id, org, org_rid, reward_sum, reward_last, reward_max, reward_count, block_count, bytes,
  error_count, updated_us FROM trace_rows`;

/** In a transaction others who write into the trace wait until it is over. @throws Refusal TRACE_NOT_FOUND, TRACE_DELETED. */
export async function findTrace(reader: SqlReader, org: string, id: TraceId): Promise<GrowingTrace> {
  const sql = `${GROWING} WHERE id = ? AND org = ?${reader.forUpdate}`;
  const [row] = await reader.query<GrowingTrace>(sql, [id, encodeStoredText(org)]);
  return row ?? (await refuse(reader, org, id));
}

/** Each of several traces, which differ, in a transaction; undefined if it is not there or somebody else writes into it. */
export async function lockUnlockedTraces(
  transaction: SqlReader,
  dialect: SqlDialect,
  traces: readonly { readonly org: string; readonly id: TraceId }[],
): Promise<readonly (GrowingTrace | undefined)[]> {
  // An expression, so that the index is asked once for each id and not once for each id and organization.
  const sql = `${GROWING} WHERE ${dialect.columnIn('id')} AND ${dialect.columnIn("(org || '')")}${transaction.forUpdate}`;
  const rows = await transaction.query<GrowingTrace & { readonly org: string }>(sql, [
    dialect.list(new Set(traces.map(({ id }) => id))),
    dialect.list(new Set(traces.map(({ org }) => encodeStoredText(org)))),
  ]);
  const found = new Map(rows.map((row) => [traceKey(row.org, row.id), row]));
  return traces.map(({ org, id }) => found.get(traceKey(encodeStoredText(org), id)));
}

/** @throws Refusal as `findTrace`. */
export async function readTraceRow(reader: SqlReader, org: string, id: TraceId): Promise<TraceRow> {
  const sql = `SELECT ${TRACE_ROW_COLUMNS} FROM ${TRACES_JOIN} WHERE t.id = ? AND t.org = ?${reader.forUpdate}`;
  const [row] = await reader.query<TraceRow>(sql, [id, encodeStoredText(org)]);
  return row ?? (await refuse(reader, org, id));
}

async function refuse(reader: SqlReader, org: string, id: TraceId): Promise<never> {
  const sql = 'SELECT trace_id FROM tombstones WHERE trace_id = ? AND org = ?';
  const [deleted] = await reader.query(sql, [id, encodeStoredText(org)]);
  throw new TraceStoreError(deleted ? traceDeleted(id) : traceNotFound(id));
}
