import { resolve } from 'node:path';
import { hasScheme, isHttpUrl, withoutCredentials } from '../../core/index.ts';
import { CliError } from '../failure.ts';
import { parseServerUrl } from '../remote/connect.ts';
import { IN_MEMORY } from '../traces/open-store.ts';

/**
 * Where a run is recorded, as it is written down: true for the file in its folder, false for nowhere, a file or URL; or
 * what is shown of a URL that has a secret in it, which is kept nowhere.
 */
export type TraceTarget = string | boolean | { readonly hidden: string };

/** Query parameters of the URL of a database that are not secrets. */
export const HARMLESS: readonly string[] = [
  ...['host', 'port', 'user', 'dbname', 'sslmode', 'application_name', 'connect_timeout', 'options', 'search_path'],
  ...['client_encoding', 'sslrootcert', 'target_session_attrs', 'keepalives'],
];

/** @throws Failure for the address of a server with a password or a query in it. */
export function parseTraceTarget(given: string | boolean | undefined): TraceTarget {
  if (given === undefined || given === true || given === false) return given ?? true;
  if (isHttpUrl(given)) {
    const address = parseServerUrl(given);
    if (!/[?#]/.test(given)) return address;
    const advice = 'give its address alone, and its key in ORS_TRACES_API_KEY';
    throw new CliError(`the address of the store, ${withoutCredentials(given)}, has a query or a fragment; ${advice}`);
  }
  if (hasScheme(given)) return hasSecret(given) ? { hidden: withoutCredentials(given) } : given;
  return given === IN_MEMORY ? given : resolve(given);
}

/** Whatever cannot be read may have one. */
function hasSecret(given: string): boolean {
  if (!URL.canParse(given)) return withoutCredentials(given) !== given;
  const { password, searchParams } = new URL(given);
  return password !== '' || [...searchParams.keys()].some((name) => !HARMLESS.includes(name.toLowerCase()));
}

/** Which store a new run is recorded into. */
export const resolveStore = (given: string | boolean | undefined, place: TraceTarget): string | boolean =>
  typeof place === 'object' ? (given ?? true) : place;

/** Which store a run that goes on is recorded into: the same. @throws Failure where another is given, or it is needed. */
export function resolveResumedStore(
  given: string | boolean | undefined,
  place: TraceTarget | null,
  file: string,
): string | boolean {
  // Written before what is shown of it was.
  const shown = place === null ? 'which has a password' : typeof place === 'object' ? place.hidden : undefined;
  if (shown !== undefined) {
    if (typeof given === 'string' && (place === null || withoutCredentials(given) === shown)) return given;
    const where =
      place === null ? `the store of this run, ${shown},` : `the store of this run, ${shown}, has a secret that`;
    throw new CliError(`${where} is kept nowhere; name it again by --traces <store>`);
  }
  // What is left is neither null nor hidden.
  const before = place as string | boolean;
  if (given === undefined) return before;
  const now = parseTraceTarget(given);
  if (now === before || (before === true && now === resolve(file))) return before;
  const where = before === false ? 'nowhere' : before === true ? `in ${file}` : `in ${withoutCredentials(before)}`;
  const flag = given === false ? '--no-traces' : '--traces';
  throw new CliError(`this run is recorded ${where}; leave ${flag} out, or begin a new run without --resume`);
}
