import { errorMessage, PendingPromises } from '../../../../core/index.ts';
import { StoreUnavailableError } from '../../../model/index.ts';
import type { TraceStore } from '../../trace-store.ts';
import type { BatchedWork, SqlDialect, SqlDriver, SqlReader, SqlValue } from '../driver.ts';
import { createSqlStore } from '../sql-store.ts';
import { createBatchWriter } from './batch-writer.ts';
import { createChangeNotifier, listenForChanges } from './change-notifications.ts';
import { isPostgresDuplicate, isSerializationConflict, isServerError, toPostgresStoreError } from './errors.ts';
import { loadNodePostgres, type PgPool, type PgPoolClient, pgTypes } from './node-postgres.ts';
import { migratePostgres } from './schema.ts';
import { assertStoreIdentity, queryRows, runTransaction } from './transaction.ts';

/** Options for {@link openPostgresStore}. */
export interface PostgresStoreOptions {
  /**
   * URL such as `postgresql://user:password@host:5432/database`. Missing tables are created in the first schema of the
   * search path; `?options=-csearch_path%3Dtraces` selects another schema.
   */
  readonly url: string;
  /** Maximum number of connections; one more listens while a trace is followed. @default 10 */
  readonly max?: number;
  /**
   * Maximum size in bytes of the writes that wait; further ones reject with `StoreUnavailableError`.
   *
   * @default 67108864 (64 MiB)
   */
  readonly maxQueuedBytes?: number;
  /** Clock in milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
}

/**
 * Opens or creates a trace store in a PostgreSQL database, which processes on several machines can share. A write is
 * committed when its promise resolves. The store has no `backup`; use `pg_dump`.
 *
 * @example
 * await using store = await openPostgresStore({ url: 'postgresql://traces@localhost/traces' });
 *
 * @throws Error if the package pg is not installed, and if the database cannot be reached or belongs to another program.
 */
export async function openPostgresStore({ now = Date.now, ...options }: PostgresStoreOptions): Promise<TraceStore> {
  return createSqlStore(await openPostgres(options), now);
}

const CONNECT_MS = 10_000;

/** Opens the driver of a PostgreSQL database. @throws Error as `openPostgresStore` does. */
export async function openPostgres({
  url,
  max = 10,
  maxQueuedBytes = 64 * 1024 * 1024,
}: Omit<PostgresStoreOptions, 'now'>): Promise<SqlDriver> {
  const pg = loadNodePostgres();
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    fallback_application_name: 'ors-kit',
  };
  const pool = new pg.Pool({ ...connection, max, types: pgTypes, onConnect: disableJit });
  const identity = await open(pool);
  const notifier = createChangeNotifier(pool);
  const writer = createWriter(pool, identity, maxQueuedBytes);
  const reader: SqlReader = { query: (sql, params) => read(pool, sql, params), forUpdate: '' };
  return {
    ...reader,
    dialect: postgresDialect,
    write: writer.write,
    batchWriter: writer.batchWriter,
    watch: (listener) => listenForChanges(() => new pg.Client(connection), listener),
    announce: notifier.announce,
    async checkFileIdentity() {
      assertStoreIdentity({ rows: await reader.query('SELECT identity FROM trace_store') }, identity);
      await reader.query('SELECT 1 FROM organizations, trace_rows, trace_details, trace_blocks LIMIT 0');
    },
    check: () => checkPostgresSchema(reader),
    // Use `pg_dump`.
    backup: undefined,
    async close() {
      await writer.drained();
      await notifier.drained();
      await pool.end();
    },
  };
}

/** Compilation, which PostgreSQL chooses if it expects many rows, takes longer than any statement of the store. */
const disableJit = (client: PgPoolClient): Promise<unknown> => client.query('SET jit = off');

async function open(pool: PgPool): Promise<string> {
  // Without listeners a lost connection would end the process; its statements report the error.
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

/** Attempts of a transaction that conflicts with others. */
const TRIES = 4;

function createWriter(pool: PgPool, identity: string, maxQueuedBytes: number) {
  const running = new PendingPromises();
  let queuedBytes = 0;

  async function runWithRetries<T>(work: (transaction: SqlReader) => Promise<T>): Promise<T> {
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
        `${queuedBytes} of at most ${maxQueuedBytes} bytes are waiting to be written; nothing was stored`,
      );
    }
    queuedBytes += bytes;
    try {
      return await running.add(write());
    } finally {
      queuedBytes -= bytes;
    }
  }

  function batchWriter<I, O>(work: BatchedWork<I, O>): (item: I, key: string, bytes: number) => Promise<O> {
    const writeInBatch = createBatchWriter<I, O>({
      runSingle: (item) => runWithRetries((transaction) => work.runSingle(transaction, item)),
      async runBatch(items) {
        try {
          const forUpdate = ' FOR UPDATE SKIP LOCKED';
          const run = (transaction: SqlReader) => work.runBatch({ ...transaction, forUpdate }, items);
          return await runTransaction(pool, run, identity);
        } catch (error) {
          // A single item may have caused the error or the conflict: writes each alone.
          if (isSerializationConflict(error) || (items.length > 1 && isServerError(error))) return [];
          throw error;
        }
      },
    });
    return (item, key, bytes) => admit(bytes, () => writeInBatch(item, key, bytes));
  }

  return {
    write: <T>(bytes: number, work: (transaction: SqlReader) => Promise<T>) => admit(bytes, () => runWithRetries(work)),
    batchWriter,
    /** Resolves when no write is running. */
    drained: () => running.settled(),
  };
}

export const postgresDialect: SqlDialect = {
  columnIn: (column) => `${column} = ANY(?)`,
  list: (values) => `{${[...values].map(element).join(',')}}`,
  // A subquery per value: without table statistics PostgreSQL would scan the table for a few hundred values.
  rowsWith: (table, column, and) =>
    `unnest(?::text[]) AS wanted, LATERAL (
      SELECT * FROM ${table} WHERE ${column} = wanted AND ${and} = ? OFFSET 0) AS found`,
  pairIn: (column, other) =>
    `(${column}, ${other}) IN (SELECT (pair ->> 0)::bigint, pair ->> 1 FROM json_array_elements(?) AS pair)`,
  // This collation folds the case of ASCII letters only.
  like: (column) => `${column} COLLATE "C" ILIKE ? ESCAPE '\\'`,
  quote: (text) => `to_json(${text})::text`,
  toExactNumeric: (number) => `exact(${number})`,
  toDouble: (number) => `nearest(${number})`,
  variance: (doubles) => `var_pop(${doubles})`,
  tracesByRun: 'trace_rows',
  async insertAll(transaction, table, rows) {
    const names = Object.keys(rows[0] ?? {}).join(', ');
    await transaction.query(
      `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, ?)`,
      [JSON.stringify(rows)],
    );
  },
  async updateAll(transaction, table, rows, key) {
    const names = Object.keys(rows[0] ?? {}).filter((name) => name !== key);
    await transaction.query(
      `UPDATE ${table} AS old SET ${names.map((name) => `${name} = new.${name}`).join(', ')}
       FROM json_populate_recordset(NULL::${table}, ?) AS new WHERE old.${key} = new.${key}`,
      [JSON.stringify(rows)],
    );
  },
  isDuplicate: isPostgresDuplicate,
};

/** Literal of an array element. */
const element = (value: string | number): string => `"${String(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`;

const OURS = 'relnamespace = current_schema()::regnamespace';

/** Finds disabled triggers, constraints that were not validated, and invalid indexes. */
async function checkPostgresSchema(reader: SqlReader): Promise<string[]> {
  const rows = await reader.query<{ readonly problem: string }>(
    `SELECT 'the trigger ' || tgname || ' of ' || relname || ' is disabled' AS problem
     FROM pg_trigger JOIN pg_class AS c ON c.oid = tgrelid WHERE ${OURS} AND tgenabled <> 'O'
     UNION ALL SELECT 'the constraint ' || conname || ' of ' || relname || ' is not validated'
     FROM pg_constraint JOIN pg_class AS c ON c.oid = conrelid WHERE ${OURS} AND NOT convalidated
     UNION ALL SELECT 'the index ' || relname || ' is not valid'
     FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid WHERE ${OURS} AND NOT indisvalid`,
  );
  return rows.map(({ problem }) => `PostgreSQL reports: ${problem}`);
}
