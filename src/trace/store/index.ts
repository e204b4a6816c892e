export { decodeCursor, encodeCursor } from './cursor.ts';
export { createMemoryStore } from './memory-store.ts';
export { openPostgresStore, openSqliteStore, type PostgresStoreOptions, type SqliteStoreOptions } from './sql/index.ts';
export type {
  ApiKeyRecord as Key,
  ApiKeyScope as Scope,
  BlockQuery,
  StorePage as PageOf,
  TraceQuery,
  TraceStore,
} from './trace-store.ts';
export type { BlockFields as Fields, BlockText, TreeNode as BlockPlace } from './tree-reader.ts';
export { traceKey } from './watchers.ts';
