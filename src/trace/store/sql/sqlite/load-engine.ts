import type { SqliteEngine } from './engine.ts';
import { loadLibsql } from './libsql.ts';
import { loadNodeSqlite } from './node-sqlite.ts';

/** @throws Error where there is neither node:sqlite nor libsql. */
export function loadEngine(): SqliteEngine {
  const engine = loadNodeSqlite() ?? loadLibsql();
  if (engine) return engine;
  throw new Error(
    `SQLite needs Node 22.13 or newer, or the package libsql, and this is ${process.version} without it; ` +
      'npm install libsql, run it with a newer Node, or keep the traces in memory',
  );
}
