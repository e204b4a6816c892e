import { poll } from '../../../../core/index.ts';
import { StoreUnavailableError } from '../../../model/index.ts';
import type { SqlReader, SqlValue } from '../driver.ts';
import { isFutureTransaction, isTemporary, RETRY_AFTER, toPostgresStoreError } from './errors.ts';
import type { PgPool, PgPoolClient, PgResult } from './node-postgres.ts';
import { toStatement } from './statement.ts';

/**
 * A transaction waits for a lock for a while only, and does not keep those of its own when its process is gone. It is on
 * disk when it is committed, also where the database is set to be careless. Its number tells later what became of it.
 */
const BEGIN = `
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
SET LOCAL lock_timeout = '5s';
SET LOCAL idle_in_transaction_session_timeout = '30s';
SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';
SELECT pg_current_xact_id() AS number`;

/** Within the same message, so that a database that was replaced costs no other one. */
const BEGIN_IN_STORE = `${BEGIN}, (SELECT identity FROM trace_store) AS identity`;

/** The result of the last statement of a text. */
const lastOf = (results: PgResult | readonly PgResult[]): PgResult | undefined => [results].flat().at(-1);

/**
 * Does `work` in a transaction, and resolves when the server has said that it is committed.
 *
 * @param identity of the store; a transaction in another one is refused. By default in any, or in none yet.
 * @throws Overloaded where the server does not answer at the moment; whatever `work` throws. Nothing is stored then.
 * @throws Error where the server was told to commit and did not answer, and may have done so.
 */
export async function runTransaction<T>(
  pool: PgPool,
  work: (transaction: SqlReader) => Promise<T>,
  identity?: string,
): Promise<T> {
  const client = await connect(pool);
  let number: string;
  let value: T;
  try {
    const started = lastOf(await client.query(identity === undefined ? BEGIN : BEGIN_IN_STORE));
    number = numberIn(started);
    assertStoreIdentity(started, identity);
    value = await work({ query: (sql, params) => queryRows(client, sql, params), forUpdate: ' FOR UPDATE' });
  } catch (error) {
    await rollBack(client);
    throw toPostgresStoreError(error, 'nothing was stored');
  }
  await commit(pool, client, number);
  return value;
}

async function connect(pool: PgPool): Promise<PgPoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw toPostgresStoreError(error, 'nothing was stored');
  }
}

/** @returns the rows; what a statement selects is known where it is written. */
export async function queryRows<R extends object>(
  database: Pick<PgPool, 'query'>,
  sql: string,
  params?: readonly SqlValue[],
): Promise<readonly R[]> {
  return (lastOf(await database.query(toStatement(sql, params)))?.rows ?? []) as readonly R[];
}

/** @throws Overloaded where the database is another one than that which was opened. */
export function assertStoreIdentity(result: Pick<PgResult, 'rows'> | undefined, identity: string | undefined): void {
  const [row] = (result?.rows ?? []) as readonly { readonly identity?: unknown }[];
  if (identity === undefined || row?.identity === identity) return;
  throw new StoreUnavailableError(
    'the trace database is another one than that which was opened. Writes are refused until it is opened again (restart ' +
      'the server)',
    { retryAfterSeconds: RETRY_AFTER },
  );
}

const numberIn = (result: PgResult | undefined): string => String(Object.values(result?.rows[0] ?? {})[0]);

/** What cannot be rolled back is given up with its connection, which does the same. */
async function rollBack(client: PgPoolClient): Promise<void> {
  const isBroken = await client.query('ROLLBACK').then(
    () => false,
    () => true,
  );
  client.release(isBroken);
}

async function commit(pool: PgPool, client: PgPoolClient, number: string): Promise<void> {
  let failure: unknown;
  try {
    // What PostgreSQL rolls back instead, it calls by that name.
    if (lastOf(await client.query('COMMIT'))?.command === 'COMMIT') return client.release();
  } catch (error) {
    failure = error;
  }
  client.release(true);
  if (await isAborted(pool, number)) {
    throw failure === undefined || isTemporary(failure)
      ? new StoreUnavailableError('PostgreSQL did not commit; nothing was stored', { cause: failure })
      : failure;
  }
  const message =
    'PostgreSQL did not answer when it was told to commit, and whether the write is stored is not known; write it again ' +
    'with the same ids';
  throw new Error(message, { cause: failure });
}

/** So long the server is asked: about as long as it takes to start again. */
const TRANSACTION_RETRY_MS = 15_000;
const PAUSE_MS = 100;

/**
 * Whether a transaction was certainly not committed. That it was is never certain: a server that has died before it wrote
 * the number down gives it to another one.
 */
async function isAborted(pool: PgPool, number: string): Promise<boolean> {
  const finalStatus = async () => {
    const status = await statusOf(pool, number);
    return status === 'in progress' ? undefined : status;
  };
  return (await poll(finalStatus, { everyMs: PAUSE_MS, timeoutMs: TRANSACTION_RETRY_MS })) === 'aborted';
}

async function statusOf(pool: PgPool, number: string): Promise<string | undefined> {
  try {
    const sql = 'SELECT pg_xact_status(?::xid8) AS status';
    const [row] = await queryRows<{ readonly status: string | null }>(pool, sql, [number]);
    return row?.status ?? 'forgotten';
  } catch (error) {
    if (isTemporary(error)) return undefined;
    if (isFutureTransaction(error)) return 'aborted';
    throw error;
  }
}
