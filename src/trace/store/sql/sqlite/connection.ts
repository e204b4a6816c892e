import { type Backoff, BoundedMap, backoffMs, sleep } from '../../../../core/index.ts';
import type { SqlReader, SqlValue } from '../driver.ts';
import type { SqliteDatabase, SqliteEngine, SqliteStatement } from './engine.ts';
import { isBusy } from './errors.ts';

/** So long SQLite itself waits for a lock, which keeps all else waiting too; after that others have their turn. */
const BUSY_MS = 20;
/** Delays between attempts to get a lock. */
const BUSY_BACKOFF: Backoff = { firstMs: 1, longestMs: 50, jitter: 0 };
/** So long a statement waits for a lock altogether. */
const LOCK_TIMEOUT_MS = 5_000;

/**
 * What holds of a connection, not of the file: every write is on disk when it is committed, links are kept, and the log
 * is cut to 64 MB after large writes. What a rollback would need is kept in memory: as a file it takes half of the time.
 * Of the file 32 MB are kept: an export fills whatever there is, and the system keeps the rest.
 */
const SETTINGS = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA recursive_triggers = ON;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -32768;
PRAGMA journal_size_limit = 67108864;
`;

/** One connection; its statements are prepared once. */
export interface SqliteConnection extends SqlReader {
  readonly database: SqliteDatabase;
  run(sql: string, params?: readonly SqlValue[]): readonly object[];
  close(): void;
}

/** So many prepared statements are kept: lists with filters have a statement for each choice of filters. */
const MAX_STATEMENTS = 500;

export async function openSqliteConnection(engine: SqliteEngine, path: string): Promise<SqliteConnection> {
  const database = engine.open(path);
  const statements = new BoundedMap<string, SqliteStatement>(MAX_STATEMENTS);

  function run(sql: string, params: readonly SqlValue[] = []): readonly object[] {
    let statement = statements.get(sql);
    if (!statement) {
      statement = database.prepare(sql);
      statements.set(sql, statement);
    }
    // A row is an object with what the statement selects.
    return statement.all(...params) as object[];
  }

  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  await retryWhileLocked(() => database.exec(SETTINGS));
  return {
    database,
    run,
    // One transaction writes at a time.
    forUpdate: '',
    // What a statement selects is known where it is written.
    query: async <R extends object>(sql: string, params?: readonly SqlValue[]) => run(sql, params) as readonly R[],
    close: () => database.close(),
  };
}

/**
 * Does `work`, again and again for up to five seconds while another process holds a lock.
 *
 * @param turn what has to end before each try; by default nothing.
 */
export async function retryWhileLocked<T>(
  work: () => T,
  turn: () => Promise<void> | undefined = () => undefined,
): Promise<T> {
  const end = performance.now() + LOCK_TIMEOUT_MS;
  for (let failures = 0; ; failures++) {
    for (let before = turn(); before; before = turn()) await before;
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
    await sleep(backoffMs(failures, BUSY_BACKOFF));
  }
}

/** The one number that a statement gives. */
export const singleNumber = ([row = {}]: readonly object[]): number => Number(Object.values(row)[0]);
