import type { TraceId } from '../../../../generated/trace.ts';
import { Refusal, traceDeleted, traceNotFound } from '../../model/index.ts';
import type { Counters } from '../trace-changes.ts';
import type { Dialect, SqlReader } from './driver.ts';
import { storedText } from './text.ts';
import { TRACE_COLUMNS, TRACES, type TraceRow } from './trace-rows.ts';

/** As much of a trace as its blocks need. */
export type GrowingTrace = Counters & { readonly rid: number; readonly id: TraceId; readonly updated_us: number };

const GROWING = `SELECT rid, id, org, reward_sum, reward_last, reward_max, reward_count, block_count, bytes, error_count,
  updated_us FROM trace_rows`;

/** In a transaction others who write into the trace wait until it is over. @throws Refusal TRACE_NOT_FOUND, TRACE_DELETED. */
export async function findTrace(reader: SqlReader, org: string, id: TraceId): Promise<GrowingTrace> {
  const sql = `${GROWING} WHERE id = ? AND org = ?${reader.forUpdate}`;
  const [row] = await reader.query<GrowingTrace>(sql, [id, storedText(org)]);
  return row ?? (await refuse(reader, org, id));
}

/** Each of several traces, whose ids differ, in a transaction; undefined if it is not there or somebody else writes into it. */
export async function findFreeTraces(
  transaction: SqlReader,
  dialect: Dialect,
  traces: readonly { readonly org: string; readonly id: TraceId }[],
): Promise<readonly (GrowingTrace | undefined)[]> {
  const sql = `${GROWING} WHERE ${dialect.oneOf('id')}${transaction.forUpdate}`;
  const rows = await transaction.query<GrowingTrace & { readonly org: string }>(sql, [
    dialect.list(traces.map(({ id }) => id)),
  ]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return traces.map(({ org, id }) => {
    const row = found.get(id);
    return row?.org === storedText(org) ? row : undefined;
  });
}

/** @throws Refusal as `findTrace`. */
export async function readTraceRow(reader: SqlReader, org: string, id: TraceId): Promise<TraceRow> {
  const sql = `SELECT ${TRACE_COLUMNS} FROM ${TRACES} WHERE t.id = ? AND t.org = ?${reader.forUpdate}`;
  const [row] = await reader.query<TraceRow>(sql, [id, storedText(org)]);
  return row ?? (await refuse(reader, org, id));
}

async function refuse(reader: SqlReader, org: string, id: TraceId): Promise<never> {
  const owner = await formerOwner(reader, id);
  throw new Refusal(owner === storedText(org) ? traceDeleted(id) : traceNotFound(id));
}

/** The organization that a trace with this id was deleted in, as it is stored. */
export async function formerOwner(reader: SqlReader, id: TraceId): Promise<string | undefined> {
  const [row] = await reader.query<{ readonly org: string }>('SELECT org FROM tombstones WHERE trace_id = ?', [id]);
  return row?.org;
}
