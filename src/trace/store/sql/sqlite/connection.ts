import { type Backoff, BoundedMap, backoffMs, errorMessage, sleep } from '../../../../core/index.ts';
import { StoreUnavailableError } from '../../../model/index.ts';
import type { DatabaseContent, SqlDialect, SqlReader, SqlValue } from '../driver.ts';
import { insertInto, updateRow } from '../statements.ts';
import type { SqliteDatabase, SqliteEngine, SqliteStatement } from './engine.ts';

/** Time that SQLite itself waits for a lock; it blocks the event loop meanwhile. */
const BUSY_MS = 20;
/** Delays between further attempts, which do not block. */
const BUSY_BACKOFF: Backoff = { firstMs: 1, longestMs: 50, jitter: 0 };
/** Total time that a statement waits for a lock. */
const LOCK_TIMEOUT_MS = 5_000;

/**
 * Settings of the connection: a commit is on disk, foreign keys are enforced, and the WAL is truncated to 64 MB after large
 * writes. Temporary data, such as that for a rollback, stays in memory, which halves the time of a write. The page cache
 * has 32 MB: an export fills any cache, and the operating system caches the file too.
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

/** A connection that prepares each statement once. */
export interface SqliteConnection extends SqlReader {
  readonly database: SqliteDatabase;
  run(sql: string, params?: readonly SqlValue[]): readonly object[];
  close(): void;
}

/** Capacity of the statement cache: lists have a statement for each combination of filters. */
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
    // Each row is an object.
    return statement.all(...params) as object[];
  }

  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  await retryWhileLocked(() => database.exec(SETTINGS));
  return {
    database,
    run,
    dialect: sqliteDialect,
    // SQLite runs one writing transaction at a time.
    forUpdate: '',
    // The caller knows the type of the rows that its statement selects.
    query: async <R extends object>(sql: string, params?: readonly SqlValue[]) => run(sql, params) as readonly R[],
    close: () => database.close(),
  };
}

/**
 * Runs `work`, and retries it for up to five seconds while another process holds a lock.
 *
 * @param turn returns a promise to await before each attempt, if there is one.
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

/** Returns the number that a statement selects. */
export const singleNumber = ([row = {}]: readonly object[]): number => Number(Object.values(row)[0]);

/** Result codes of SQLite. The lowest byte of an extended code is the primary code. */
const BUSY = 5;
const LOCKED = 6;
const READ_ONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;
const CONSTRAINT_PRIMARY_KEY = 1555;
const CONSTRAINT_TRIGGER = 1811;
const CONSTRAINT_UNIQUE = 2067;

/** Returns the extended result code of an error of node:sqlite or libsql. The error may come from another realm. */
function resultCode(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 0;
  if ('errcode' in error) return Number(error.errcode);
  return 'rawCode' in error ? Number(error.rawCode) : 0;
}

const primaryResultCode = (error: unknown): number => resultCode(error) & 0xff;

/** Advice for a database that cannot be opened, by primary result code; `NOT_A_DATABASE` has its own. */
const OPEN_ADVICE: ReadonlyMap<number, string> = new Map([
  [BUSY, 'another process has locked it: wait until that has finished, or stop it'],
  [LOCKED, 'another process has locked it: wait until that has finished, or stop it'],
  [READ_ONLY, 'this user may not write it: change its permissions, or use a copy'],
  [IO_ERROR, 'the disk cannot be read or written: check it, or use another place'],
  [CORRUPT, 'the file is damaged: restore a backup, or use another file'],
  [FULL, 'the disk is full: free some space'],
  [CANNOT_OPEN, 'its folder must exist, and this user must be able to write there: check the path'],
]);

/** Adds the path and what to do to an error of SQLite while a database is opened; returns other errors unchanged. */
export function toOpenError(error: unknown, path: string, content: DatabaseContent): unknown {
  // libsql has the code of a failed open in its message only.
  const [, inMessage] = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(errorMessage(error)) ?? [];
  const code = inMessage === undefined ? primaryResultCode(error) : Number(inMessage) & 0xff;
  if (code === 0) return error;
  const reason = inMessage === undefined ? errorMessage(error) : 'unable to open database file';
  const advice =
    code === NOT_A_DATABASE
      ? `pass the file of a ${content} database, or the name of a new file`
      : OPEN_ADVICE.get(code);
  const message = `cannot open the ${content} database ${path}: ${reason}${advice === undefined ? '' : `; ${advice}`}`;
  return new Error(message, { cause: error });
}

/** Reports whether another process holds a lock. */
const isBusy = (error: unknown): boolean => [BUSY, LOCKED].includes(primaryResultCode(error));

/** Reports whether a unique index has rejected a row, or the trigger that runs before the index. */
const isDuplicate = (error: unknown): boolean =>
  [CONSTRAINT_PRIMARY_KEY, CONSTRAINT_UNIQUE].includes(resultCode(error)) ||
  (resultCode(error) === CONSTRAINT_TRIGGER && String(error).includes('duplicate: '));

/** Problems after which a write may succeed later, by primary result code. */
const TEMPORARY: ReadonlyMap<number, string> = new Map([
  [FULL, 'the disk of the database is full'],
  [BUSY, 'the database is locked by another process'],
  [LOCKED, 'the database is locked by another process'],
  [IO_ERROR, 'the disk of the database cannot be written'],
]);

/** Converts an error of a write to `StoreUnavailableError` if the write may succeed later. */
export function toSqliteStoreError(error: unknown): unknown {
  const problem = TEMPORARY.get(primaryResultCode(error));
  return problem === undefined ? error : new StoreUnavailableError(`${problem}; nothing was stored`, { cause: error });
}

/** Rows per INSERT: SQLite saves the changed pages once per statement, which makes 16 rows a sixth faster than single ones. */
const ROWS = 16;

export const sqliteDialect: SqlDialect = {
  columnIn: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  list: (values) => JSON.stringify([...values]),
  rowsWith: (table, column, and) =>
    `(SELECT * FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?)) AND ${and} = ?)`,
  pairIn: (column, other) => `(${column}, ${other}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
  like: (column) => `${column} LIKE ? ESCAPE '\\'`,
  quote: (text) => `json_quote(${text})`,
  // An overflow in SQLite is infinity, not an error.
  toExactNumeric: (number) => number,
  toDouble: (number) => number,
  variance: undefined,
  tracesByRun: 'trace_rows AS t INDEXED BY traces_of_run_by_time',
  async insertAll(transaction, table, rows) {
    const names = Object.keys(rows[0] ?? {});
    for (let from = 0; from < rows.length; from += ROWS) {
      const some = rows.slice(from, from + ROWS);
      const values = some.flatMap((row) => Object.values(row));
      await transaction.query(insertInto(table, names, some.length), values);
    }
  },
  async updateAll(transaction, table, rows, key) {
    for (const { [key]: value = null, ...columns } of rows) await updateRow(transaction, table, columns, [key, value]);
  },
  isDuplicate,
};
