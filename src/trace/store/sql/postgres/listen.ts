import { deferred, onAbort, sleep } from '../../../../core/index.ts';
import type { PgClient, PgPool } from './node-postgres.ts';
import { queryRows } from './transaction.ts';

const CHANNEL = 'ors_traces';
/** So often a look is taken without being told: whoever is to tell may be gone before it does. */
const POLL_MS = 5_000;
const RECONNECT_MS = 1_000;
/** Each message costs PostgreSQL a transaction, and wakes whoever listens. */
const ANNOUNCE_MS = 10;

/**
 * Calls `listener` with the `traceKey` of each trace that a process says it has changed, and without one where any may have
 * changed: after each connection and every few seconds.
 *
 * @returns what ends it.
 */
export function listenForChanges(createClient: () => PgClient, listener: (trace?: string) => void): () => void {
  const stopped = new AbortController();
  const timer = setInterval(() => listener(), POLL_MS).unref();

  async function keepListening(): Promise<void> {
    while (!stopped.signal.aborted) {
      const client = createClient();
      await listenOnce(client);
      // Until it listens again, the look every few seconds is all there is.
      await sleep(RECONNECT_MS, stopped.signal, { unref: true }).catch(() => undefined);
    }
  }

  /** @returns when the connection is lost or not made, or nobody wants it any more. */
  async function listenOnce(client: PgClient): Promise<void> {
    const ended = deferred();
    client.once('end', () => ended.resolve());
    const stopListening = onAbort(stopped.signal, () => ended.resolve());
    // That it is lost is what `end` says too.
    client.on('error', () => {});
    client.on('notification', ({ payload }) => listener(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      listener();
      await ended.promise;
    } catch {
      // It is tried again.
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
 * Tells other processes which traces have changed; those that change within some milliseconds after one message share
 * the next. Not in the transaction that changes them: PostgreSQL commits those that tell something one after the other.
 */
export function createChangeNotifier(pool: PgPool) {
  const waiting = new Set<string>();
  let sending: Promise<void> | undefined;

  async function send(): Promise<void> {
    while (waiting.size > 0) {
      const traces = JSON.stringify([...waiting]);
      waiting.clear();
      // Whether this is on disk matters to nobody.
      const sql = `SELECT pg_notify('${CHANNEL}', trace)
        FROM set_config('synchronous_commit', 'off', true), json_array_elements_text(?) AS trace`;
      // Those who listen take a look by themselves when they are not told.
      await queryRows(pool, sql, [traces]).catch(() => undefined);
      await sleep(ANNOUNCE_MS);
    }
    sending = undefined;
  }

  return {
    announce(trace: string): void {
      waiting.add(trace);
      sending ??= send();
    },
    /** When nothing is on its way any more. */
    end: async () => sending,
  };
}
