import { poll } from '../../../../core/index.ts';
import { Overloaded } from '../../../model/index.ts';
import type { SqlReader, SqlValue } from '../driver.ts';
import { isForNow, isOfFuture, RETRY_AFTER, toStoreError } from './errors.ts';
import type { Pool, PoolClient, Result } from './node-postgres.ts';
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
const lastOf = (results: Result | readonly Result[]): Result | undefined => [results].flat().at(-1);

/**
 * Does `work` in a transaction, and resolves when the server has said that it is committed.
 *
 * @param identity of the store; a transaction in another one is refused. By default in any, or in none yet.
 * @throws Overloaded where the server does not answer at the moment; whatever `work` throws. Nothing is stored then.
 * @throws Error where the server was told to commit and did not answer, and may have done so.
 */
export async function transact<T>(
  pool: Pool,
  work: (transaction: SqlReader) => Promise<T>,
  identity?: string,
): Promise<T> {
  const client = await connect(pool);
  let number: string;
  let value: T;
  try {
    const begun = lastOf(await client.query(identity === undefined ? BEGIN : BEGIN_IN_STORE));
    number = numberIn(begun);
    checkIdentity(begun, identity);
    value = await work({ query: (sql, params) => queryOn(client, sql, params), forUpdate: ' FOR UPDATE' });
  } catch (error) {
    await rollBack(client);
    throw toStoreError(error, 'nothing was stored');
  }
  await commit(pool, client, number);
  return value;
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw toStoreError(error, 'nothing was stored');
  }
}

/** @returns the rows; what a statement selects is known where it is written. */
export async function queryOn<R extends object>(
  database: Pick<Pool, 'query'>,
  sql: string,
  params?: readonly SqlValue[],
): Promise<readonly R[]> {
  return (lastOf(await database.query(toStatement(sql, params)))?.rows ?? []) as readonly R[];
}

/** @throws Overloaded where the database is another one than that which was opened. */
export function checkIdentity(result: Pick<Result, 'rows'> | undefined, identity: string | undefined): void {
  const [row] = (result?.rows ?? []) as readonly { readonly identity?: unknown }[];
  if (identity === undefined || row?.identity === identity) return;
  throw new Overloaded(
    'the trace database is another one than that which was opened. Writes are refused until it is opened again (restart ' +
      'the server)',
    { retryAfter: RETRY_AFTER },
  );
}

const numberIn = (result: Result | undefined): string => String(Object.values(result?.rows[0] ?? {})[0]);

/** What cannot be rolled back is given up with its connection, which does the same. */
async function rollBack(client: PoolClient): Promise<void> {
  const isBroken = await client.query('ROLLBACK').then(
    () => false,
    () => true,
  );
  client.release(isBroken);
}

async function commit(pool: Pool, client: PoolClient, number: string): Promise<void> {
  let failure: unknown;
  try {
    // What PostgreSQL rolls back instead, it calls by that name.
    if (lastOf(await client.query('COMMIT'))?.command === 'COMMIT') return client.release();
  } catch (error) {
    failure = error;
  }
  client.release(true);
  if (await isAborted(pool, number)) {
    throw failure === undefined || isForNow(failure)
      ? new Overloaded('PostgreSQL did not commit; nothing was stored', { cause: failure })
      : failure;
  }
  const message =
    'PostgreSQL did not answer when it was told to commit, and whether the write is stored is not known; write it again ' +
    'with the same ids';
  throw new Error(message, { cause: failure });
}

/** So long the server is asked: about as long as it takes to start again. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 100;

/**
 * Whether a transaction was certainly not committed. That it was is never certain: a server that has died before it wrote
 * the number down gives it to another one.
 */
async function isAborted(pool: Pool, number: string): Promise<boolean> {
  const finalStatus = async () => {
    const status = await statusOf(pool, number);
    return status === 'in progress' ? undefined : status;
  };
  return (await poll(finalStatus, { everyMs: PAUSE_MS, timeoutMs: PATIENCE_MS })) === 'aborted';
}

async function statusOf(pool: Pool, number: string): Promise<string | undefined> {
  try {
    const sql = 'SELECT pg_xact_status(?::xid8) AS status';
    const [row] = await queryOn<{ readonly status: string | null }>(pool, sql, [number]);
    return row?.status ?? 'forgotten';
  } catch (error) {
    if (isForNow(error)) return undefined;
    if (isOfFuture(error)) return 'aborted';
    throw error;
  }
}
