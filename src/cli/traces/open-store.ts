import { existsSync } from 'node:fs';
import { hasScheme, withoutCredentials } from '../../core/index.ts';
import type { TraceStore } from '../../trace/store/index.ts';
import { CliError } from '../failure.ts';

/** Keeps nothing; for a server to try things out on. */
export const IN_MEMORY = ':memory:';

export interface OpenStoreOptions {
  /** Whether a file that is not there is made; one that is misspelt would be an empty store otherwise. */
  readonly mayCreate: boolean;
}

const isPostgres = (place: string): boolean => /^postgres(ql)?:\/\//i.test(place);

/** A place as people may see it: without a password. */
export const redactLocation = (place: string): string => (hasScheme(place) ? withoutCredentials(place) : place);

/**
 * @param place a SQLite file, `:memory:`, or the URL of a PostgreSQL database.
 * @throws Failure where there is no such file; Error where what it needs is not installed, or the place is of something else.
 */
export async function openStore(place: string, { mayCreate }: OpenStoreOptions): Promise<TraceStore> {
  const { createMemoryStore, openPostgresStore, openSqliteStore } = await import('../../trace/store/index.ts');
  if (isPostgres(place)) return openPostgresStore({ url: place });
  if (place === IN_MEMORY) return createMemoryStore();
  if (hasScheme(place)) {
    throw new CliError(
      `${redactLocation(place)} is no store; name a SQLite file, or a database as postgres://<host>/<name>`,
    );
  }
  if (!mayCreate && !existsSync(place)) {
    throw new CliError(
      `there is no file ${place}; name the one of the store by --db <file>, or its server by --url <server>`,
    );
  }
  return openSqliteStore({ path: place });
}
