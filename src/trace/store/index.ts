export { traceKey } from './change-listeners.ts';
export { allItems, decodeCursor, encodeCursor } from './cursor.ts';
export { createMemoryStore } from './memory/memory-store.ts';
export type { SqlDriver, SqlReader } from './sql/driver.ts';
export { openPostgres, openPostgresStore, type PostgresStoreOptions } from './sql/postgres/postgres-driver.ts';
export { hasNodeSqlite, loadEngine as loadSqlite } from './sql/sqlite/engine.ts';
export { openSqlite, openSqliteStore, type SqliteStoreOptions } from './sql/sqlite/sqlite-driver.ts';
export { missingVersions, newestVersion } from './sql/tables.ts';
export type {
  ApiKeyRecord,
  ApiKeyScope,
  BlockFields,
  BlockQuery,
  BlockText,
  MessagePage,
  TraceQuery,
  TraceStore,
  TreeNode,
} from './trace-store.ts';
