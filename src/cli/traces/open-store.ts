import { existsSync } from 'node:fs';
import { errorMessage, hasScheme, isHttpUrl, isPostgresUrl, withoutCredentials } from '../../core/index.ts';
import type { TraceStore } from '../../trace/store/index.ts';
import { parseServerUrl } from '../command.ts';
import { CliError } from '../failure.ts';

/** Location of a store in memory. */
export const IN_MEMORY = ':memory:';

export interface OpenStoreOptions {
  /** Create a missing file. False for commands that read, where a misspelled name would be an empty store. */
  readonly mayCreate: boolean;
  /** Flag or argument that names the store, for messages. @default '--db' */
  readonly flag?: string | undefined;
}

/** Removes a password from a location. */
export const redactLocation = (location: string): string =>
  hasScheme(location) ? withoutCredentials(location) : location;

/**
 * Opens a trace store.
 *
 * @param location a SQLite file, `:memory:`, or the URL of a PostgreSQL database.
 * @throws CliError if the file does not exist or the URL is not of a database; Error if a needed package is missing.
 */
export async function openStore(location: string, { mayCreate, flag = '--db' }: OpenStoreOptions): Promise<TraceStore> {
  const { createMemoryStore, openPostgresStore, openSqliteStore } = await import('../../trace/store/index.ts');
  if (location === IN_MEMORY) return createMemoryStore();
  if (!mayCreate && !hasScheme(location) && !existsSync(location)) {
    throw new CliError(
      `there is no file ${location}; pass the store with --db <file>, or its server with --url <server>`,
    );
  }
  return openDatabase(location, flag, () =>
    isPostgresUrl(location) ? openPostgresStore({ url: location }) : openSqliteStore({ path: location }),
  );
}

/**
 * Opens a database, and names its flag in errors.
 *
 * @throws CliError if the location is the URL of something else, or the database cannot be opened; Error if a package is
 *   missing.
 */
export async function openDatabase<T>(location: string, flag: string, open: () => Promise<T>): Promise<T> {
  const shown = redactLocation(location);
  // SQLite keeps a file without a name only until it is closed.
  if (location === '' || (hasScheme(location) && !isPostgresUrl(location))) {
    const advice = flag === '--db' && isHttpUrl(location) ? '; pass the URL of a server with --url' : '';
    throw new CliError(
      `${flag}: invalid database '${shown}': expected a SQLite file, or postgres://<host>/<name>${advice}`,
    );
  }
  try {
    return await open();
  } catch (error) {
    // A missing package is not a mistake of the flag.
    if (errorMessage(error).includes('npm install')) throw error;
    throw new CliError(`${flag}${isPostgresUrl(location) ? ` ${shown}` : ''}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

/**
 * Checks that the library of a SQLite file is installed, before anything is created.
 *
 * @param location true for a file whose name is not known yet, false for no store.
 * @throws CliError with the command that installs it.
 */
export async function assertStoreLibrary(location: string | boolean): Promise<void> {
  if (location === false || location === IN_MEMORY || (location !== true && hasScheme(location))) return;
  const { loadSqlite } = await import('../../trace/store/index.ts');
  try {
    loadSqlite();
  } catch (cause) {
    throw new CliError(`${errorMessage(cause)}; --no-traces records nothing`, { cause });
  }
}

/** Default port of `ors traces serve`. */
export const DEFAULT_TRACES_PORT = 8090;

/** Default file of `ors traces serve`. */
const DEFAULT_FILE = 'traces.db';

type StoreLocation = { readonly file: string; readonly url?: never } | { readonly url: string; readonly file?: never };

interface StoreLocationFlags {
  readonly db?: string;
  readonly url?: string;
}

/** Resolves the store: flags take precedence over variables, both over ./traces.db. @throws CliError if it is ambiguous. */
export function resolveStoreLocation({ db, url }: StoreLocationFlags): StoreLocation {
  if (db !== undefined && url !== undefined)
    throw new CliError(`--db ${redactLocation(db)} and --url ${withoutCredentials(url)} are two stores; pass one`);
  if (db !== undefined) return { file: db };
  if (url !== undefined) return { url: parseServerUrl(url) };
  const { ORS_TRACES_DB: file, ORS_TRACES_URL: address } = process.env;
  if (file && address) {
    throw new CliError('ORS_TRACES_DB and ORS_TRACES_URL are both set; select one with --db or --url');
  }
  if (file) return { file };
  if (address) return { url: parseServerUrl(address) };
  if (existsSync(DEFAULT_FILE)) return { file: DEFAULT_FILE };
  throw new CliError(
    `there is no ${DEFAULT_FILE} here; pass the store with --db <file>, or its server with --url http://127.0.0.1:8090`,
  );
}

/** Returns the file for a command that cannot work over HTTP. @throws CliError for --url. */
export function requireStoreFile(command: string, { db, url }: StoreLocationFlags): string {
  if (url === undefined) return db ?? (process.env.ORS_TRACES_DB || DEFAULT_FILE);
  throw new CliError(
    `--url: ors traces ${command} needs the file of the store and does not work over HTTP; run it on that machine with --db <file>`,
  );
}
