import type { TraceId } from '../../../../generated/trace.ts';
import { sum } from '../../../core/index.ts';
import type { TraceStore } from '../trace-store.ts';
import type { SqlDriver } from './driver.ts';
import { decodeStoredText, encodeStoredText } from './statements.ts';
import { findTrace } from './traces.ts';

/** Approximate size of a row without its text. */
const ROW_BYTES = 200;

/** Rollout events, which wait in the database until they can be written as blocks. */
export const createSqlRolloutEvents = (
  driver: SqlDriver,
): Pick<TraceStore, 'receiveEvents' | 'pendingEvents' | 'settleEvents' | 'tracesWithEvents'> => ({
  receiveEvents(org, trace, events) {
    const sql = `INSERT INTO rollout_events (trace_rid, id, event_index, text) VALUES (?, ?, ?, ?)
      ON CONFLICT (trace_rid, id) DO NOTHING`;
    const bytes = ROW_BYTES + sum(events.map(({ text }) => Buffer.byteLength(text) + ROW_BYTES));
    return driver.write(bytes, async (transaction) => {
      const { rid } = await findTrace(transaction, org, trace);
      for (const { id, index, text } of events) {
        await transaction.query(sql, [rid, encodeStoredText(id), index, encodeStoredText(text)]);
      }
    });
  },
  async pendingEvents(org, trace) {
    const { rid } = await findTrace(driver, org, trace);
    // Reads settled events first: an event that is settled between the reads must not look pending behind `next`.
    const [settled] = await driver.query<{ readonly next: number }>(
      'SELECT coalesce(max(event_index) + 1, 0) AS next FROM rollout_events WHERE trace_rid = ? AND text IS NULL',
      [rid],
    );
    const rows = await driver.query<{ readonly id: string; readonly event_index: number; readonly text: string }>(
      'SELECT id, event_index, text FROM rollout_events WHERE trace_rid = ? AND text IS NOT NULL ORDER BY event_index, id',
      [rid],
    );
    const events = rows.map(({ id, event_index, text }) => ({
      id: decodeStoredText(id),
      index: event_index,
      text: decodeStoredText(text),
    }));
    return { next: settled?.next ?? 0, events };
  },
  settleEvents: (org, trace, ids) =>
    driver.write(ROW_BYTES, async (transaction) => {
      const { rid } = await findTrace(transaction, org, trace);
      const { columnIn, list } = driver.dialect;
      const sql = `UPDATE rollout_events SET text = NULL WHERE trace_rid = ? AND ${columnIn('id')}`;
      await transaction.query(sql, [rid, list(ids.map(encodeStoredText))]);
    }),
  async tracesWithEvents() {
    const rows = await driver.query<{ readonly org: string; readonly id: TraceId }>(
      `SELECT org, id FROM trace_rows
       WHERE rid IN (SELECT trace_rid FROM rollout_events WHERE text IS NOT NULL) ORDER BY rid`,
    );
    return rows.map(({ org, id }) => ({ org: decodeStoredText(org), id }));
  },
});
