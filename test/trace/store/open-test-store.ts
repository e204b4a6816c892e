import { createMemoryStore, openSqliteStore, type TraceStore } from '../../../src/trace/store/index.ts';

/** Opens the store for tests of higher layers: in memory, or in SQLite if ORS_TRACE_STORE=sqlite. */
export const openTestStore = async (): Promise<TraceStore> =>
  process.env.ORS_TRACE_STORE === 'sqlite' ? openSqliteStore({ path: ':memory:' }) : createMemoryStore();
