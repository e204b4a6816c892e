import { CliError } from '../failure.ts';

/** Parameters whose values are no secret; those of all others are kept nowhere. */
const HARMLESS: readonly string[] = ['api-version'];
const HIDDEN = '...';

/** The base URL of a model as it is written down and shown. @throws Failure where it has a password in it. */
export function redactBaseUrl(given: string): string {
  // What is no URL at all is told by whoever asks it.
  if (!URL.canParse(given)) return given;
  const url = new URL(given);
  if (url.username || url.password) {
    const advice = 'put the key into a variable, and name that by --key-variable';
    throw new CliError(`the base URL of ${url.host} has a name or password in it; ${advice}`);
  }
  if (url.search === '') return given;
  for (const name of new Set(url.searchParams.keys()))
    if (!HARMLESS.includes(name.toLowerCase())) url.searchParams.set(name, HIDDEN);
  return url.href;
}

/** The base URL of a run that goes on: the one that is written down, or given again. @throws Failure where it is another. */
export function resolveResumedBaseUrl(given: string | undefined, kept: string | undefined): string | undefined {
  if (given !== undefined && (kept === undefined || redactBaseUrl(given) !== redactBaseUrl(kept))) {
    throw new CliError(
      'a run is gone on with as it was begun; leave --base-url out, or begin a new run without --resume',
    );
  }
  if (given !== undefined || kept === undefined || !isIncomplete(kept)) return given ?? kept;
  throw new CliError(
    `the base URL of this run, ${kept}, has a secret that is kept nowhere; give it again by --base-url`,
  );
}

const isIncomplete = (kept: string): boolean =>
  URL.canParse(kept) && [...new URL(kept).searchParams.values()].includes(HIDDEN);
