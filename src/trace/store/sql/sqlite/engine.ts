import { loadLibsql } from './libsql.ts';
import { loadNodeSqlite } from './node-sqlite.ts';

/** What opens SQLite files: Node's own module, or a package where this Node has none. */
export interface Engine {
  open(path: string): Database;
  /** Copies a database while others write to it; undefined where only a statement can. */
  readonly copy: ((source: Database, path: string, onProgress: OnProgress) => Promise<unknown>) | undefined;
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  all(...params: readonly (string | number | Uint8Array | null)[]): unknown[];
}

export type OnProgress = (done: number, all: number) => void;

/** @throws Error where there is neither node:sqlite nor libsql. */
export function loadEngine(): Engine {
  const engine = loadNodeSqlite() ?? loadLibsql();
  if (engine) return engine;
  throw new Error(
    `SQLite needs Node 22.13 or newer, or the package libsql, and this is ${process.version} without it; ` +
      'npm install libsql, run it with a newer Node, or keep the traces in memory',
  );
}
