import { Worker } from 'node:worker_threads';
import type { SqliteDatabase, SqliteEngine, SqliteStatement } from './engine.ts';

/** As much of node:sqlite as is used here. The types of Node 20, which has no node:sqlite, do not know it. */
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

/** The last two since Node 22.16. */
interface NodeStatement extends SqliteStatement {
  setReturnArrays?(isWanted: boolean): void;
  columns?(): readonly { readonly name: string }[];
}

/** Pages of 4 KB that are copied at a time. */
const RATE = 1000;

/** Undefined where this Node has no node:sqlite; it has since 22.13. */
export function loadNodeSqlite(): SqliteEngine | undefined {
  const sqlite: object | undefined = process.getBuiltinModule?.('node:sqlite');
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
          rate: RATE,
          progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
        })),
    checkpointWal: moveLog,
  };
}

/** What runs in the thread; plain JavaScript, because it is handed to it as a text. A file that is gone is not made anew. */
const MOVE = `
const { parentPort, workerData } = require('node:worker_threads');
require('node:fs').accessSync(workerData);
const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
const database = new DatabaseSync(workerData);
const { busy, log, checkpointed } = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
database.close();
parentPort.postMessage(busy === 0 && log === checkpointed);`;

async function moveLog(path: string): Promise<boolean> {
  // What is preloaded into this process is not for the thread.
  const options = { workerData: path, env: {}, execArgv: ['--disable-warning=ExperimentalWarning'] };
  const worker = new Worker(MOVE, { eval: true, ...options });
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
      worker.once('exit', () => reject(new Error('the thread ended before it had moved the log')));
    });
  } finally {
    await worker.terminate();
  }
}

/** The objects that node:sqlite makes are hash tables: out of lists, reading 10,000 outlines takes two thirds of the time. */
function withPlainRows(statement: NodeStatement): SqliteStatement {
  if (!statement.setReturnArrays || !statement.columns) return statement;
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  const toRow = (values: readonly unknown[]) => {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index++) row[String(names[index])] = values[index];
    return row;
  };
  // So each row comes, once it was asked for.
  return { all: (...params) => (statement.all(...params) as unknown[][]).map(toRow) };
}
