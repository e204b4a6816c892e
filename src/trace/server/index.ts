export {
  createTraceApi,
  hashOfKey,
  issueKey,
  type RunningTraceServer,
  type ServeTracesOptions,
  serveTraces,
  type TraceApi,
  type TraceApiOptions,
} from '../api/index.ts';
export { createLocalApi, createRecorder } from '../recorder/index.ts';
export {
  createMemoryStore,
  openPostgresStore,
  openSqliteStore,
  type PostgresStoreOptions,
  type SqliteStoreOptions,
  type TraceStore,
} from '../store/index.ts';
