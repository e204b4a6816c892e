import type { Client, Pool } from 'pg';
import { deferred, onAbort, sleep } from '../../../../core/index.ts';
import { queryRows } from './transaction.ts';

const CHANNEL = 'ors_traces';
/** Interval of polls, because a process may crash before it sends a notification. */
const POLL_MS = 5_000;
const RECONNECT_MS = 1_000;
/** Minimum time between notifications: each is a transaction, and wakes all listening processes. */
const NOTIFY_MS = 10;

/**
 * Calls `listener` with the `traceKey` of each trace that another process reports as changed, and without one if any trace
 * may have changed: after each connection, and every few seconds.
 *
 * @returns a function that stops this.
 */
export function listenForChanges(createClient: () => Client, listener: (trace?: string) => void): () => void {
  const stopped = new AbortController();
  const timer = setInterval(() => listener(), POLL_MS).unref();

  async function keepListening(): Promise<void> {
    while (!stopped.signal.aborted) {
      const client = createClient();
      await listenOnce(client);
      // Meanwhile only the polls find changes.
      await sleep(RECONNECT_MS, stopped.signal, { unref: true }).catch(() => undefined);
    }
  }

  /** Resolves when the connection is lost or cannot be made, or listening was stopped. */
  async function listenOnce(client: Client): Promise<void> {
    const ended = deferred();
    client.once('end', () => ended.resolve());
    const stopListening = onAbort(stopped.signal, () => ended.resolve());
    // `end` follows every error of the connection.
    client.on('error', () => {});
    client.on('notification', ({ payload }) => listener(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      listener();
      await ended.promise;
    } catch {
      // `keepListening` retries.
    } finally {
      stopListening();
    }
    await client.end().catch(() => undefined);
  }

  void keepListening();
  return () => {
    clearInterval(timer);
    stopped.abort();
  };
}

/**
 * Notifies other processes of changed traces; changes within some milliseconds share a message. Does not notify within the
 * transaction of the change, because PostgreSQL serializes the commits of transactions that notify.
 */
export function createChangeNotifier(pool: Pool) {
  const waiting = new Set<string>();
  let sending: Promise<void> | undefined;

  async function send(): Promise<void> {
    while (waiting.size > 0) {
      const traces = JSON.stringify([...waiting]);
      waiting.clear();
      // This transaction needs no fsync.
      const sql = `SELECT pg_notify('${CHANNEL}', trace)
        FROM set_config('synchronous_commit', 'off', true), json_array_elements_text(?) AS trace`;
      // A lost notification is made up for by the polls.
      await queryRows(pool, sql, [traces]).catch(() => undefined);
      await sleep(NOTIFY_MS);
    }
    sending = undefined;
  }

  return {
    announce(trace: string): void {
      waiting.add(trace);
      sending ??= send();
    },
    /** Resolves when all notifications are sent. */
    drained: async () => sending,
  };
}
