import { existsSync } from 'node:fs';
import { withoutCredentials } from '../../core/index.ts';
import { CliError } from '../failure.ts';
import { parseServerUrl } from '../remote/connect.ts';
import type { StoreAccessFlags } from './access-options.ts';
import { redactLocation } from './open-store.ts';

/** Where `ors traces serve` keeps traces unless it is told. */
export const DEFAULT_FILE = 'traces.db';

export type StoreLocation =
  | { readonly file: string; readonly url?: never }
  | { readonly url: string; readonly file?: never };

type StoreLocationFlags = Pick<StoreAccessFlags, 'db' | 'url'>;
type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

/** Which store is meant: flags go before variables, and both before ./traces.db. @throws Failure where that is not clear. */
export function resolveStoreLocation(
  { db, url }: StoreLocationFlags,
  env: ProcessEnvironment = process.env,
): StoreLocation {
  if (db !== undefined && url !== undefined)
    throw new CliError(`--db ${redactLocation(db)} and --url ${withoutCredentials(url)} are two stores; give one`);
  if (db !== undefined) return { file: db };
  if (url !== undefined) return { url: parseServerUrl(url) };
  const { ORS_TRACES_DB: file, ORS_TRACES_URL: address } = env;
  if (file && address) {
    throw new CliError('ORS_TRACES_DB and ORS_TRACES_URL are both set; say by --db or --url which one is meant');
  }
  if (file) return { file };
  if (address) return { url: parseServerUrl(address) };
  if (existsSync(DEFAULT_FILE)) return { file: DEFAULT_FILE };
  throw new CliError(
    `there is no ${DEFAULT_FILE} here; name the traces by --db <file>, or their server by --url http://127.0.0.1:8090`,
  );
}

/** The file that a command works on that no server can do for it. @throws Failure for --url. */
export function requireStoreFile(
  command: string,
  { db, url }: StoreLocationFlags,
  env: ProcessEnvironment = process.env,
): string {
  if (url === undefined) return db ?? (env.ORS_TRACES_DB || DEFAULT_FILE);
  throw new CliError(
    `ors traces ${command} works on the file of the store and not over HTTP; run it where that is, with --db <file>`,
  );
}
