import type { Pool, PoolClient, QueryResult } from 'pg';
import { poll } from '../../../../core/index.ts';
import { StoreUnavailableError } from '../../../model/index.ts';
import type { SqlReader, SqlValue } from '../driver.ts';
import { isFutureTransaction, isTemporary, RETRY_AFTER, toPostgresStoreError } from './errors.ts';
import { postgresDialect, toStatement } from './node-postgres.ts';

/**
 * Begins a transaction that waits for locks for a limited time, and releases its own if its process disappears. Its commit
 * is on disk even if the database is configured otherwise. With the transaction id its outcome can be queried later.
 */
const BEGIN = `
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
SET LOCAL lock_timeout = '5s';
SET LOCAL idle_in_transaction_session_timeout = '30s';
SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';
SELECT pg_current_xact_id() AS number`;

/** Reads the identity of the store in the same message, which saves a round trip. */
const BEGIN_IN_STORE = `${BEGIN}, (SELECT identity FROM trace_store) AS identity`;

/** Returns the result of the last statement: several statements in one text have one each, which the types of pg omit. */
const lastOf = (results: QueryResult | readonly QueryResult[]): QueryResult | undefined => [results].flat().at(-1);

/**
 * Runs `work` in a transaction, and resolves when the server has confirmed the commit.
 *
 * @param identity rejects a database with another identity; by default accepts any, and one without tables.
 * @throws StoreUnavailableError if the server is not available, and every error of `work`; nothing is stored then.
 * @throws Error if the server did not confirm the commit; the transaction may be stored.
 */
export async function runTransaction<T>(
  pool: Pool,
  work: (transaction: SqlReader) => Promise<T>,
  identity?: string,
): Promise<T> {
  const client = await connect(pool);
  let transactionId: string;
  let value: T;
  try {
    const started = lastOf(await client.query(identity === undefined ? BEGIN : BEGIN_IN_STORE));
    transactionId = String(Object.values(started?.rows[0] ?? {})[0]);
    assertStoreIdentity(started, identity);
    const query: SqlReader['query'] = (sql, params) => queryRows(client, sql, params);
    value = await work({ dialect: postgresDialect, query, forUpdate: ' FOR UPDATE' });
  } catch (error) {
    await rollBack(client);
    throw toPostgresStoreError(error, 'nothing was stored');
  }
  await commit(pool, client, transactionId);
  return value;
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw toPostgresStoreError(error, 'nothing was stored');
  }
}

/** @returns the rows; the caller knows the type of what its statement selects. */
export async function queryRows<R extends object>(
  database: Pick<Pool, 'query'>,
  sql: string,
  params?: readonly SqlValue[],
): Promise<readonly R[]> {
  return (lastOf(await database.query(toStatement(sql, params)))?.rows ?? []) as readonly R[];
}

/** @throws StoreUnavailableError if the database is not the one that was opened. */
export function assertStoreIdentity(
  result: { readonly rows: readonly { readonly identity?: unknown }[] } | undefined,
  identity: string | undefined,
): void {
  if (identity === undefined || result?.rows[0]?.identity === identity) return;
  throw new StoreUnavailableError(
    'the database was replaced while it was open. Writes fail until it is opened again (restart the server)',
    { retryAfterSeconds: RETRY_AFTER },
  );
}

/** Closes the connection if the rollback fails, which makes the server roll back. */
async function rollBack(client: PoolClient): Promise<void> {
  const isBroken = await client.query('ROLLBACK').then(
    () => false,
    () => true,
  );
  client.release(isBroken);
}

async function commit(pool: Pool, client: PoolClient, transactionId: string): Promise<void> {
  let failure: unknown;
  try {
    // The command is ROLLBACK if PostgreSQL has rolled back instead.
    if (lastOf(await client.query('COMMIT'))?.command === 'COMMIT') return client.release();
  } catch (error) {
    failure = error;
  }
  client.release(true);
  if (await isAborted(pool, transactionId)) {
    throw failure === undefined || isTemporary(failure)
      ? new StoreUnavailableError('PostgreSQL did not commit; nothing was stored', { cause: failure })
      : failure;
  }
  const message =
    'PostgreSQL did not confirm a commit, and it is unknown whether the write is stored; repeat the write with the same ids';
  throw new Error(message, { cause: failure });
}

/** Time for which the outcome is polled: about as long as a restart of the server takes. */
const OUTCOME_TIMEOUT_MS = 15_000;
const OUTCOME_POLL_MS = 100;

/**
 * Reports whether a transaction was certainly not committed. The opposite is never certain: a server that crashed before it
 * wrote the transaction id to disk assigns it again.
 */
async function isAborted(pool: Pool, transactionId: string): Promise<boolean> {
  const finalStatus = async () => {
    const status = await statusOf(pool, transactionId);
    return status === 'in progress' ? undefined : status;
  };
  return (await poll(finalStatus, { everyMs: OUTCOME_POLL_MS, timeoutMs: OUTCOME_TIMEOUT_MS })) === 'aborted';
}

async function statusOf(pool: Pool, transactionId: string): Promise<string | undefined> {
  try {
    const sql = 'SELECT pg_xact_status(?::xid8) AS status';
    const [row] = await queryRows<{ readonly status: string | null }>(pool, sql, [transactionId]);
    return row?.status ?? 'forgotten';
  } catch (error) {
    if (isTemporary(error)) return undefined;
    if (isFutureTransaction(error)) return 'aborted';
    throw error;
  }
}
