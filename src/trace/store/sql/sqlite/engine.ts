import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { isMissingPackage } from '../../../../core/index.ts';
import type { DatabaseContent } from '../driver.ts';

/** A SQLite library: Node's own module, or the package libsql for a Node without it. */
export interface SqliteEngine {
  open(path: string): SqliteDatabase;
  /** Copies a database during writes; undefined if the library has no such function. */
  readonly backup:
    | ((source: SqliteDatabase, path: string, onProgress: OnBackupProgress) => Promise<unknown>)
    | undefined;
  /**
   * Checkpoints the WAL of a database in a thread, up to the snapshot of the oldest reader. Resolves to true if nothing is
   * left. Undefined if the library cannot do so.
   */
  readonly checkpointWal: ((path: string) => Promise<boolean>) | undefined;
}

export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  all(...params: readonly unknown[]): unknown[];
}

export type OnBackupProgress = (done: number, all: number) => void;

/** @throws Error if neither node:sqlite nor libsql is available. */
export function loadEngine(content: DatabaseContent = 'trace'): SqliteEngine {
  const engine = loadNodeSqlite() ?? loadLibsql();
  if (engine) return engine;
  throw new Error(
    `SQLite needs Node 22.13 or newer, or the package libsql, and this is ${process.version} without it; ` +
      `npm install libsql, ${content === 'trace' ? 'use a newer Node, or keep the traces in memory' : 'or use a newer Node'}`,
  );
}

/** Returns whether this Node has SQLite, so that no package is needed. */
export const hasNodeSqlite = (): boolean => loadNodeSqlite() !== undefined;

/** The part of node:sqlite that is used here; the types of Node 20 do not contain it. */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => NodeDatabase;
  /** Since Node 22.16. */
  readonly backup?: (
    source: SqliteDatabase,
    path: string,
    options: {
      readonly rate: number;
      readonly progress: (pages: { readonly totalPages: number; readonly remainingPages: number }) => void;
    },
  ) => Promise<number>;
}

interface NodeDatabase extends SqliteDatabase {
  prepare(sql: string): NodeStatement;
}

/** The optional methods exist since Node 22.16. */
interface NodeStatement extends SqliteStatement {
  setReturnArrays?(isEnabled: boolean): void;
  columns?(): readonly { readonly name: string }[];
}

/** Pages of 4 KB per step of a backup. */
const BACKUP_PAGES = 1000;

/** Returns undefined for a Node older than 22.13, which has no node:sqlite. */
export function loadNodeSqlite(): SqliteEngine | undefined {
  const sqlite = loadWithoutWarning();
  if (!sqlite) return undefined;
  const { DatabaseSync, backup } = sqlite as NodeSqlite;
  return {
    open(path) {
      const database = new DatabaseSync(path);
      const prepare = database.prepare.bind(database);
      return Object.assign(database, { prepare: (sql: string) => withPlainRows(prepare(sql)) });
    },
    backup:
      backup &&
      ((source, path, onProgress) =>
        backup(source, path, {
          rate: BACKUP_PAGES,
          progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
        })),
    checkpointWal: checkpointInThread,
  };
}

/** Loads node:sqlite. Node 22 would warn in every command that it is experimental. */
function loadWithoutWarning(): object | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule?.('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Source of the thread, as JavaScript text. Fails if the file does not exist, instead of creating it. */
const CHECKPOINT = `
const { parentPort, workerData } = require('node:worker_threads');
require('node:fs').accessSync(workerData);
const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
const database = new DatabaseSync(workerData);
const { busy, log, checkpointed } = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
database.close();
parentPort.postMessage(busy === 0 && log === checkpointed);`;

async function checkpointInThread(path: string): Promise<boolean> {
  // Modules that are preloaded into this process must not run in the thread.
  const options = { workerData: path, env: {}, execArgv: ['--disable-warning=ExperimentalWarning'] };
  const worker = new Worker(CHECKPOINT, { eval: true, ...options });
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
      worker.once('exit', () => reject(new Error('the checkpoint thread exited without a result')));
    });
  } finally {
    await worker.terminate();
  }
}

/** Builds rows from arrays: the row objects of node:sqlite are slow dictionaries, and reading 10,000 skeletons takes a third longer. */
function withPlainRows(statement: NodeStatement): SqliteStatement {
  if (!statement.setReturnArrays || !statement.columns) return statement;
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  const toRow = (values: readonly unknown[]) => {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index++) row[String(names[index])] = values[index];
    return row;
  };
  // `setReturnArrays` makes each row an array.
  return { all: (...params) => (statement.all(...params) as unknown[][]).map(toRow) };
}

/** Returns undefined if the package is not installed. */
export function loadLibsql(): SqliteEngine | undefined {
  let Database: new (path: string) => SqliteDatabase;
  try {
    Database = createRequire(import.meta.url)('libsql') as typeof Database;
  } catch (error) {
    if (!isMissingPackage(error, 'libsql')) throw error;
    return undefined;
  }
  return { open: (path) => wrap(new Database(path)), backup: undefined, checkpointWal: undefined };
}

const wrap = (database: SqliteDatabase): SqliteDatabase => ({
  exec: (sql) => void database.exec(sql),
  prepare(sql) {
    const statement = database.prepare(sql);
    return { all: (...params) => statement.all(...params.map(toParameter)).map(withBytes) };
  },
  close: () => database.close(),
});

/** libsql binds every number as a double; a bigint stays an integer. */
const toParameter = (value: unknown): unknown =>
  Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value as number) : value;

function withBytes(row: unknown): unknown {
  const columns = Object.entries(row as object);
  if (!columns.some(([, value]) => value instanceof ArrayBuffer)) return row;
  return Object.fromEntries(
    columns.map(([name, value]) => [name, value instanceof ArrayBuffer ? new Uint8Array(value) : value]),
  );
}
