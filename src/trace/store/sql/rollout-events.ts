import type { TraceId } from '../../../../generated/trace.ts';
import type { RolloutEventText, TraceStore } from '../trace-store.ts';
import type { SqlDialect, SqlDriver, SqlReader } from './driver.ts';
import { decodeStoredText, encodeStoredText } from './statements.ts';
import { findTrace } from './traces.ts';

type SqlRolloutEventStore = Pick<TraceStore, 'receiveEvents' | 'pendingEvents' | 'settleEvents' | 'tracesWithEvents'>;

/** Rollout events, which wait in the database until they can be written as blocks. */
export const createSqlRolloutEvents = (driver: SqlDriver): SqlRolloutEventStore => ({
  receiveEvents: (org, id, events) =>
    driver.write(bytesOf(events), async (transaction) =>
      receive(transaction, await findTrace(transaction, org, id), events),
    ),
  pendingEvents: async (org, id) => readPending(driver, await findTrace(driver, org, id)),
  settleEvents: (org, id, ids) =>
    driver.write(bytesOf([]), async (transaction) =>
      settle(transaction, driver.dialect, await findTrace(transaction, org, id), ids),
    ),
  tracesWithEvents: () => readTraces(driver),
});

/** Approximate size of a row without its text. */
const ROW_BYTES = 200;

const bytesOf = (events: readonly RolloutEventText[]): number =>
  events.reduce((sum, { text }) => sum + Buffer.byteLength(text) + ROW_BYTES, ROW_BYTES);

interface TraceRowId {
  readonly rid: number;
}

async function receive(
  transaction: SqlReader,
  { rid }: TraceRowId,
  events: readonly RolloutEventText[],
): Promise<void> {
  for (const { id, index, text } of events) {
    await transaction.query(
      `INSERT INTO rollout_events (trace_rid, id, event_index, text) VALUES (?, ?, ?, ?)
       ON CONFLICT (trace_rid, id) DO NOTHING`,
      [rid, encodeStoredText(id), index, encodeStoredText(text)],
    );
  }
}

async function readPending(reader: SqlReader, { rid }: TraceRowId) {
  // Reads settled events first: an event that is settled between the reads must not look pending behind `next`.
  const [settled] = await reader.query<{ readonly next: number }>(
    'SELECT coalesce(max(event_index) + 1, 0) AS next FROM rollout_events WHERE trace_rid = ? AND text IS NULL',
    [rid],
  );
  const rows = await reader.query<{ readonly id: string; readonly event_index: number; readonly text: string }>(
    'SELECT id, event_index, text FROM rollout_events WHERE trace_rid = ? AND text IS NOT NULL ORDER BY event_index, id',
    [rid],
  );
  return {
    next: settled?.next ?? 0,
    events: rows.map(({ id, event_index, text }) => ({
      id: decodeStoredText(id),
      index: event_index,
      text: decodeStoredText(text),
    })),
  };
}

async function settle(
  transaction: SqlReader,
  dialect: SqlDialect,
  { rid }: TraceRowId,
  ids: readonly string[],
): Promise<void> {
  const sql = `UPDATE rollout_events SET text = NULL WHERE trace_rid = ? AND ${dialect.columnIn('id')}`;
  await transaction.query(sql, [rid, dialect.list(ids.map(encodeStoredText))]);
}

async function readTraces(reader: SqlReader): Promise<{ readonly org: string; readonly id: TraceId }[]> {
  const rows = await reader.query<{ readonly org: string; readonly id: TraceId }>(
    `SELECT org, id FROM trace_rows
     WHERE rid IN (SELECT trace_rid FROM rollout_events WHERE text IS NOT NULL) ORDER BY rid`,
  );
  return rows.map(({ org, id }) => ({ org: decodeStoredText(org), id }));
}
