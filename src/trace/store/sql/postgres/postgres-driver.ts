import type { ClientBase, Pool } from 'pg';
import { errorMessage } from '../../../../core/index.ts';
import type { TraceStore } from '../../trace-store.ts';
import type { DatabaseContent, SqlDriver, SqlReader, SqlValue } from '../driver.ts';
import { createSqlStore } from '../sql-store.ts';
import { createBatchWriter } from './batch-writer.ts';
import { createChangeNotifier, listenForChanges } from './change-notifications.ts';
import { isTemporary, toPostgresStoreError } from './errors.ts';
import { loadNodePostgres, pgTypes, postgresDialect } from './node-postgres.ts';
import { migratePostgres } from './schema.ts';
import { assertStoreIdentity, queryRows } from './transaction.ts';

/**
 * Options for {@link openPostgresStore}.
 *
 * @example
 * const options: PostgresStoreOptions = { url: 'postgresql://traces@localhost/traces', max: 20 };
 */
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
  content = 'trace',
}: Omit<PostgresStoreOptions, 'now'> & { readonly content?: DatabaseContent }): Promise<SqlDriver> {
  const pg = loadNodePostgres();
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    fallback_application_name: 'ors-kit',
  };
  const pool = new pg.Pool({ ...connection, max, types: pgTypes, onConnect: disableJit });
  const identity = await open(pool, content);
  const notifier = createChangeNotifier(pool);
  const { write, batchWriter, drained } = createBatchWriter(pool, identity, maxQueuedBytes);
  const query: SqlReader['query'] = (sql, params) => read(pool, sql, params);
  return {
    dialect: postgresDialect,
    query,
    forUpdate: '',
    write,
    batchWriter,
    watch: (listener) => listenForChanges(() => new pg.Client(connection), listener),
    announce: notifier.announce,
    async checkFileIdentity() {
      assertStoreIdentity({ rows: await query('SELECT identity FROM trace_store') }, identity);
      await query('SELECT 1 FROM organizations, trace_rows, trace_details, block_rows LIMIT 0');
    },
    check: () => checkPostgresSchema(query),
    // Use `pg_dump`.
    backup: undefined,
    async close() {
      await drained();
      await notifier.drained();
      await pool.end();
    },
  };
}

/** Compilation, which PostgreSQL chooses if it expects many rows, takes longer than any statement of the store. */
const disableJit = (client: ClientBase): Promise<unknown> => client.query('SET jit = off');

async function open(pool: Pool, content: DatabaseContent): Promise<string> {
  // Without listeners a lost connection would end the process; its statements report the error.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    return await migratePostgres(pool, undefined, content);
  } catch (error) {
    await pool.end();
    const advice = isTemporary(error) ? '; check the URL, and that PostgreSQL runs' : '';
    throw new Error(`cannot open the ${content} database: ${errorMessage(error)}${advice}`, { cause: error });
  }
}

async function read<R extends object>(pool: Pool, sql: string, params?: readonly SqlValue[]): Promise<readonly R[]> {
  try {
    return await queryRows<R>(pool, sql, params);
  } catch (error) {
    throw toPostgresStoreError(error, 'try again');
  }
}

const OURS = 'relnamespace = current_schema()::regnamespace';

/** Finds disabled triggers, constraints that were not validated, and invalid indexes. */
async function checkPostgresSchema(query: SqlReader['query']): Promise<string[]> {
  const rows = await query<{ readonly problem: string }>(
    `SELECT 'the trigger ' || tgname || ' of ' || relname || ' is disabled' AS problem
     FROM pg_trigger JOIN pg_class AS c ON c.oid = tgrelid WHERE ${OURS} AND tgenabled <> 'O'
     UNION ALL SELECT 'the constraint ' || conname || ' of ' || relname || ' is not validated'
     FROM pg_constraint JOIN pg_class AS c ON c.oid = conrelid WHERE ${OURS} AND NOT convalidated
     UNION ALL SELECT 'the index ' || relname || ' is not valid'
     FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid WHERE ${OURS} AND NOT indisvalid`,
  );
  return rows.map(({ problem }) => `PostgreSQL reports: ${problem}`);
}
