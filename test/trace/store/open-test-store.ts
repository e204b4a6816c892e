import { createMemoryStore, openSqliteStore, type TraceStore } from '../../../src/trace/store/index.ts';

/** The store that tests of what stands above it run over: in memory, or with ORS_TRACE_STORE=sqlite in SQLite. */
export const openTestStore = async (): Promise<TraceStore> =>
  process.env.ORS_TRACE_STORE === 'sqlite' ? openSqliteStore({ path: ':memory:' }) : createMemoryStore();
