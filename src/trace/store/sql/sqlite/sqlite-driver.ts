import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TraceStore } from '../../trace-store.ts';
import type { BackupDatabase, DatabaseContent, SqlDriver, SqlValue } from '../driver.ts';
import { createSqlStore } from '../sql-store.ts';
import {
  openSqliteConnection,
  retryWhileLocked,
  type SqliteConnection,
  singleNumber,
  sqliteDialect,
  toOpenError,
} from './connection.ts';
import { checkpointLongWal, createFileIdentityCheck } from './database-files.ts';
import { loadEngine, type OnBackupProgress, type SqliteEngine } from './engine.ts';
import { createGroupCommitWriter } from './group-commit.ts';
import { migrateSqlite } from './schema.ts';

/**
 * Options for {@link openSqliteStore}.
 *
 * @example
 * const options: SqliteStoreOptions = { path: 'traces.db', maxQueuedBytes: 16 * 1024 * 1024 };
 */
export interface SqliteStoreOptions {
  /** Path of the file, which is created if it does not exist; its folder must exist. `:memory:` keeps data in memory. */
  readonly path: string;
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
 * Opens or creates a trace store in a SQLite file. A write is on disk when its promise resolves; concurrent writes share
 * a transaction. Several processes may open the same file.
 *
 * @example
 * await using store = await openSqliteStore({ path: 'traces.db' });
 *
 * @throws Error if neither node:sqlite (Node 22.13) nor the package libsql is available, and if the file cannot be opened
 * or is not a trace database.
 */
export async function openSqliteStore({ now = Date.now, ...options }: SqliteStoreOptions): Promise<TraceStore> {
  return createSqlStore(await openSqlite(options), now);
}

/** Opens the driver of a SQLite file. @throws Error as `openSqliteStore` does. */
export async function openSqlite({
  path,
  maxQueuedBytes = 64 * 1024 * 1024,
  content = 'trace',
}: Omit<SqliteStoreOptions, 'now'> & { readonly content?: DatabaseContent }): Promise<SqlDriver> {
  const engine = loadEngine(content);
  const connection = await openSqliteConnection(engine, path).catch((error: unknown) => {
    throw toOpenError(error, path, content);
  });
  try {
    await migrateSqlite(connection, path, undefined, content);
  } catch (error) {
    connection.close();
    throw toOpenError(error, path, content);
  }
  const file = path === ':memory:' ? undefined : resolve(path);
  const checkFileIdentity = file ? createFileIdentityCheck(file) : () => {};
  const stopCheckpoints = file ? checkpointLongWal(engine, connection, file) : undefined;
  const { write, batchWriter, openTransaction, drained } = createGroupCommitWriter(
    connection,
    checkFileIdentity,
    maxQueuedBytes,
  );
  const run = (sql: string, params?: readonly SqlValue[]) =>
    retryWhileLocked(() => connection.run(sql, params), openTransaction);
  const backup: BackupDatabase = async (target, onProgress) => {
    // The copy opens the file by name, and would copy a file that has replaced it.
    checkFileIdentity();
    await backUp(engine, path, target, onProgress);
    checkFileIdentity();
  };
  return {
    dialect: sqliteDialect,
    forUpdate: '',
    // The caller knows the type of the rows that its statement selects.
    query: async <R extends object>(sql: string, params?: readonly SqlValue[]) =>
      (await run(sql, params)) as readonly R[],
    write,
    batchWriter,
    watch: (listener) => pollForChanges(connection, listener),
    // Other processes detect changes in the file.
    announce: () => {},
    checkFileIdentity: async () => checkFileIdentity(),
    check: async () => problemsIn(await run('PRAGMA integrity_check'), await run('PRAGMA foreign_key_check')),
    backup: file ? backup : undefined,
    async close() {
      await drained();
      await stopCheckpoints?.();
      connection.close();
    },
  };
}

const POLL_MS = 1000;

/** `PRAGMA data_version` changes when another connection has written, but not with writes of this one. */
function pollForChanges(connection: SqliteConnection, listener: () => void): () => void {
  let last = dataVersion(connection);
  const timer = setInterval(() => {
    const version = dataVersion(connection);
    if (version === undefined || version !== last) listener();
    last = version;
  }, POLL_MS).unref();
  return () => clearInterval(timer);
}

/** Returns undefined if the file is locked or the disk fails; reads report such an error themselves. */
function dataVersion(connection: SqliteConnection): number | undefined {
  try {
    return singleNumber(connection.run('PRAGMA data_version'));
  } catch {
    return undefined;
  }
}

function problemsIn(integrity: readonly object[], links: readonly object[]): string[] {
  const problems = integrity.map((row) => String(Object.values(row)[0])).filter((text) => text !== 'ok');
  return [
    ...problems.map((text) => `SQLite reports about its file: ${text}`),
    ...links.map((row) => `SQLite reports a reference to a missing row: ${JSON.stringify(row)}`),
  ];
}

/** Copies the database during writes. A separate connection reads from one snapshot, so that writes do not restart the copy. */
async function backUp(
  engine: SqliteEngine,
  path: string,
  target: string,
  onProgress: OnBackupProgress = () => {},
): Promise<void> {
  if (existsSync(target)) throw new Error(`${target} is there already; name a new file for the copy`);
  const source = await openSqliteConnection(engine, path);
  try {
    if (engine.backup) {
      source.run('BEGIN');
      source.run('SELECT count(*) FROM sqlite_schema');
      await engine.backup(source.database, target, onProgress);
      source.run('COMMIT');
    } else {
      source.run('VACUUM INTO ?', [target]);
    }
  } finally {
    source.close();
  }
}
