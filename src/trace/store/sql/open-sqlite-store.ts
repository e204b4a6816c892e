import type { TraceStore } from '../trace-store.ts';
import { createSqlStore } from './sql-store.ts';
import { openSqlite, type SqliteOptions } from './sqlite/sqlite-driver.ts';

export interface SqliteStoreOptions extends SqliteOptions {
  /** Milliseconds since 1970; by default the clock. */
  readonly now?: () => number;
}

/**
 * Opens or makes a store in one SQLite file. Every write is on disk when its promise resolves; many at a time share one
 * transaction. Several processes may have the file open.
 *
 * @throws Error where this Node has no node:sqlite (older than 22.13) and libsql is not installed, and for a file that is not a trace database.
 */
export async function openSqliteStore({ now = Date.now, ...options }: SqliteStoreOptions): Promise<TraceStore> {
  return createSqlStore(await openSqlite(options), now);
}
