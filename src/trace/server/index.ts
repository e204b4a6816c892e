export {
  createTraceApi,
  hashKey,
  issueKey,
  type RunningTraceServer,
  type ServeTracesOptions,
  serveTraces,
  type TraceApi,
  type TraceApiOptions,
} from '../api/index.ts';
export { createLocalTraceApi, createRecorder } from '../recorder/index.ts';
export {
  createMemoryStore,
  openPostgresStore,
  openSqliteStore,
  type PostgresStoreOptions,
  type SqliteStoreOptions,
  type TraceStore,
} from '../store/index.ts';
