import { existsSync } from 'node:fs';
import { withoutCredentials } from '../../core/index.ts';
import { Failure } from '../failure.ts';
import { readAddress } from '../remote/connect.ts';
import type { AccessFlags } from './access-options.ts';
import { shownPlace } from './open-store.ts';

/** Where `ors traces serve` keeps traces unless it is told. */
export const DEFAULT_FILE = 'traces.db';

export type Place = { readonly file: string; readonly url?: never } | { readonly url: string; readonly file?: never };

type Named = Pick<AccessFlags, 'db' | 'url'>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Which store is meant: flags go before variables, and both before ./traces.db. @throws Failure where that is not clear. */
export function placeOf({ db, url }: Named, env: Environment = process.env): Place {
  if (db !== undefined && url !== undefined)
    throw new Failure(`--db ${shownPlace(db)} and --url ${withoutCredentials(url)} are two stores; give one`);
  if (db !== undefined) return { file: db };
  if (url !== undefined) return { url: readAddress(url) };
  const { ORS_TRACES_DB: file, ORS_TRACES_URL: address } = env;
  if (file && address) {
    throw new Failure('ORS_TRACES_DB and ORS_TRACES_URL are both set; say by --db or --url which one is meant');
  }
  if (file) return { file };
  if (address) return { url: readAddress(address) };
  if (existsSync(DEFAULT_FILE)) return { file: DEFAULT_FILE };
  throw new Failure(
    `there is no ${DEFAULT_FILE} here; name the traces by --db <file>, or their server by --url http://127.0.0.1:8090`,
  );
}

/** The file that a command works on that no server can do for it. @throws Failure for --url. */
export function fileOf(command: string, { db, url }: Named, env: Environment = process.env): string {
  if (url === undefined) return db ?? (env.ORS_TRACES_DB || DEFAULT_FILE);
  throw new Failure(
    `ors traces ${command} works on the file of the store and not over HTTP; run it where that is, with --db <file>`,
  );
}
