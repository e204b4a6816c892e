export { decodeCursor, encodeCursor } from './cursor.ts';
export { createMemoryStore } from './memory-store.ts';
export { openPostgresStore, openSqliteStore, type PostgresStoreOptions, type SqliteStoreOptions } from './sql/index.ts';
export type {
  BlockQuery,
  Key,
  PageOf,
  Scope,
  TraceQuery,
  TraceStore,
} from './trace-store.ts';
export type { BlockPlace, BlockText, Fields } from './tree-reader.ts';
export { traceKey } from './watchers.ts';
