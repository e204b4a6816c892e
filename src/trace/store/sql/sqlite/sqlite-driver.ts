import { resolve } from 'node:path';
import { errorMessage } from '../../../../core/index.ts';
import type { BackupDatabase, SqlDriver } from '../driver.ts';
import { backUp } from './back-up.ts';
import { openSqliteConnection, retryWhileLocked, type SqliteConnection, singleNumber } from './connection.ts';
import { sqliteDialect } from './dialect.ts';
import { createGroupCommitWriter } from './group-commit.ts';
import { loadEngine } from './load-engine.ts';
import { checkpointLongWal } from './long-log.ts';
import { migrateSqlite } from './migrate.ts';
import { createFileIdentityCheck, type FileIdentityCheck } from './presence.ts';

export interface SqliteOptions {
  /** A file, made where there is none; its folder has to be there. `:memory:` keeps all in memory. */
  readonly path: string;
  /** The most bytes that may wait to be written; more is refused with `Overloaded`. Default 64 MB. */
  readonly maxQueuedBytes?: number;
}

/** @throws Error where there is neither node:sqlite nor libsql, and for a path that cannot be opened or is another program's. */
export async function openSqlite({ path, maxQueuedBytes = 64 * 1024 * 1024 }: SqliteOptions): Promise<SqlDriver> {
  const engine = loadEngine();
  const isFile = path !== ':memory:';
  const connection = await open(() => openSqliteConnection(engine, path), path);
  try {
    await migrateSqlite(connection, path);
  } catch (error) {
    connection.close();
    throw error;
  }
  const file = isFile ? resolve(path) : undefined;
  const presence: FileIdentityCheck = file ? createFileIdentityCheck(file) : { check: () => {} };
  const endWatch = file ? checkpointLongWal(engine, connection, file) : undefined;
  const { write, openTransaction, end } = createGroupCommitWriter(connection, presence, maxQueuedBytes);
  const run = (sql: string) => retryWhileLocked(() => connection.run(sql), openTransaction);
  const backup: BackupDatabase = async (target, onProgress) => {
    // Opened by its name, another file would be copied, or an empty one made.
    presence.check();
    await backUp(engine, path, target, onProgress);
    presence.check();
  };
  return {
    dialect: sqliteDialect,
    forUpdate: '',
    // What a statement selects is known where it is written.
    query: async <R extends object>(sql: string, params: Parameters<SqliteConnection['run']>[1]) =>
      (await retryWhileLocked(() => connection.run(sql, params), openTransaction)) as readonly R[],
    write,
    batchWriter: undefined,
    watch: (listener) => pollForChanges(connection, listener),
    // The file itself shows it.
    announce: () => {},
    checkFileIdentity: async () => presence.check(),
    check: async () => problemsIn(await run('PRAGMA integrity_check'), await run('PRAGMA foreign_key_check')),
    backup: isFile ? backup : undefined,
    async close() {
      await end();
      await endWatch?.();
      connection.close();
    },
  };
}

async function open<T>(work: () => Promise<T>, path: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`cannot open the trace database ${path}: ${errorMessage(error)}`, { cause: error });
  }
}

const POLL_MS = 1000;

/** `PRAGMA data_version` changes when another connection has written; writes of this one leave it. */
function pollForChanges(connection: SqliteConnection, listener: () => void): () => void {
  let last = dataVersion(connection);
  const timer = setInterval(() => {
    const version = dataVersion(connection);
    if (version === undefined || version !== last) listener();
    last = version;
  }, POLL_MS).unref();
  return () => clearInterval(timer);
}

/** Undefined where it cannot be known: another process is in the way, or the disk fails, which readers will be told. */
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
    ...problems.map((text) => `SQLite finds in its file: ${text}`),
    ...links.map((row) => `SQLite finds a link to a row that is not there: ${JSON.stringify(row)}`),
  ];
}
