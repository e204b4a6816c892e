import type { TraceStore } from '../trace-store.ts';
import { openPostgres, type PostgresOptions } from './postgres/postgres-driver.ts';
import { createSqlStore } from './sql-store.ts';

export interface PostgresStoreOptions extends PostgresOptions {
  /** Milliseconds since 1970; by default the clock. */
  readonly now?: () => number;
}

/**
 * Opens or makes a store in a PostgreSQL database, which many processes on many machines may share. Every write is
 * committed when its promise resolves. It is copied by `pg_dump`, and has no `backup` of its own.
 *
 * @throws Error where the package pg is not installed, and for a database that cannot be reached or is another program's.
 */
export async function openPostgresStore({ now = Date.now, ...options }: PostgresStoreOptions): Promise<TraceStore> {
  return createSqlStore(await openPostgres(options), now);
}
