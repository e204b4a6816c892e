export { decodeCursor, encodeCursor } from './cursor.ts';
export { createMemoryStore } from './memory-store.ts';
export { openPostgresStore, openSqliteStore, type PostgresStoreOptions, type SqliteStoreOptions } from './sql/index.ts';
export type {
  ApiKeyRecord,
  ApiKeyScope,
  BlockQuery,
  StorePage,
  TraceQuery,
  TraceStore,
} from './trace-store.ts';
export type { BlockFields, BlockText, TreeNode } from './tree-reader.ts';
export { traceKey } from './watchers.ts';
