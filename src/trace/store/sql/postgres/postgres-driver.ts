import { errorMessage, PendingPromises } from '../../../../core/index.ts';
import { StoreUnavailableError } from '../../../model/index.ts';
import type { BatchedWork, SqlDriver, SqlReader, SqlValue } from '../driver.ts';
import { checkPostgresSchema } from './check.ts';
import { postgresDialect } from './dialect.ts';
import { isSerializationConflict, isServerError, toPostgresStoreError } from './errors.ts';
import { createBatchWriter } from './gather.ts';
import { createChangeNotifier, listenForChanges } from './listen.ts';
import { migratePostgres } from './migrate.ts';
import { loadNodePostgres, type PgPool, type PgPoolClient } from './node-postgres.ts';
import { assertStoreIdentity, queryRows, runTransaction } from './transaction.ts';
import { pgTypes } from './types.ts';

export interface PostgresOptions {
  /**
   * Such as `postgresql://user:password@host:5432/database`. The tables are made where there are none, in the first
   * schema of the search path; `?options=-csearch_path%3Dtraces` chooses another.
   */
  readonly url: string;
  /** The most connections; one more listens while somebody follows a trace. Default 10. */
  readonly max?: number;
  /** The most bytes that may wait to be written; more is refused with `Overloaded`. Default 64 MB. */
  readonly maxQueuedBytes?: number;
}

const CONNECT_MS = 10_000;

/** @throws Error where pg is not installed, and for a database that cannot be reached or is another program's. */
export async function openPostgres({
  url,
  max = 10,
  maxQueuedBytes = 64 * 1024 * 1024,
}: PostgresOptions): Promise<SqlDriver> {
  const pg = loadNodePostgres();
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    fallback_application_name: 'ors-kit',
  };
  const pool = new pg.Pool({ ...connection, max, types: pgTypes, onConnect: compileNothing });
  const identity = await open(pool);
  const { announce, end: endAnnouncing } = createChangeNotifier(pool);
  const { write, gather, end: endWriting } = createWriter(pool, identity, maxQueuedBytes);
  const reader: SqlReader = { query: (sql, params) => read(pool, sql, params), forUpdate: '' };
  return {
    ...reader,
    dialect: postgresDialect,
    write,
    batchWriter: gather,
    watch: (listener) => listenForChanges(() => new pg.Client(connection), listener),
    announce,
    async checkFileIdentity() {
      assertStoreIdentity({ rows: await reader.query('SELECT identity FROM trace_store') }, identity);
      await reader.query('SELECT 1 FROM organizations, trace_rows, trace_details, trace_blocks LIMIT 0');
    },
    check: () => checkPostgresSchema(reader),
    // `pg_dump` copies it while others write.
    backup: undefined,
    async close() {
      await endWriting();
      await endAnnouncing();
      await pool.end();
    },
  };
}

/** To compile a statement takes PostgreSQL longer than any of ours takes; it does where it expects many rows. */
const compileNothing = (client: PgPoolClient): Promise<unknown> => client.query('SET jit = off');

async function open(pool: PgPool): Promise<string> {
  // A connection that is lost makes its statements fail, and they say so; without a listener it ends the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    return await migratePostgres(pool);
  } catch (error) {
    await pool.end();
    throw new Error(`cannot open the trace database: ${errorMessage(error)}`, { cause: error });
  }
}

async function read<R extends object>(pool: PgPool, sql: string, params?: readonly SqlValue[]): Promise<readonly R[]> {
  try {
    return await queryRows<R>(pool, sql, params);
  } catch (error) {
    throw toPostgresStoreError(error, 'try again');
  }
}

/** So often a transaction begins again that was in the way of another. */
const TRIES = 4;

function createWriter(pool: PgPool, identity: string, maxQueuedBytes: number) {
  const running = new PendingPromises();
  let queuedBytes = 0;

  async function tryAgain<T>(work: (transaction: SqlReader) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await runTransaction(pool, work, identity);
      } catch (error) {
        if (tries === TRIES || !isSerializationConflict(error)) throw error;
      }
    }
  }

  async function admit<T>(bytes: number, write: () => Promise<T>): Promise<T> {
    if (queuedBytes > 0 && queuedBytes + bytes > maxQueuedBytes) {
      throw new StoreUnavailableError(
        `${queuedBytes} bytes wait to be written, and ${maxQueuedBytes} may; nothing was stored`,
      );
    }
    queuedBytes += bytes;
    try {
      return await running.add(write());
    } finally {
      queuedBytes -= bytes;
    }
  }

  function gather<I, O>({
    runBatch,
    runSingle,
  }: BatchedWork<I, O>): (item: I, key: string, bytes: number) => Promise<O> {
    const gathered = createBatchWriter<I, O>({
      alone: (item) => tryAgain((transaction) => runSingle(transaction, item)),
      async together(items) {
        try {
          const forUpdate = ' FOR UPDATE SKIP LOCKED';
          return await runTransaction(pool, (transaction) => runBatch({ ...transaction, forUpdate }, items), identity);
        } catch (error) {
          // What PostgreSQL refused, or waited for, may have been one of them.
          if (isSerializationConflict(error) || (items.length > 1 && isServerError(error))) return [];
          throw error;
        }
      },
    });
    return (item, key, bytes) => admit(bytes, () => gathered(item, key, bytes));
  }

  return {
    write: <T>(bytes: number, work: (transaction: SqlReader) => Promise<T>) => admit(bytes, () => tryAgain(work)),
    gather,
    /** When nothing is being written any more. */
    end: () => running.settled(),
  };
}
