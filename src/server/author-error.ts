import type { Logger } from 'pino';
import { isOrsError, OrsError } from '../protocol/index.ts';
import { redact } from './redact.ts';
import type { ErrorDetail, Settings } from './settings.ts';

/** Where errors are told. */
interface Reporting {
  readonly log: Logger;
  readonly settings: Pick<Settings, 'errorDetail'>;
}

/** What of an author's code is running, for the log. */
export interface AuthorCode {
  readonly environment: string;
  /** Setup, prompt, a tool, ... */
  readonly what: string;
  readonly sid?: string;
  /** Values that neither clients nor the log may see; error messages of API clients like to quote them. */
  readonly secrets?: readonly string[];
}

/** Logs an error that an author's code threw, and gives what a client may learn of it, which is never empty. */
export function reportAuthorError(
  error: unknown,
  { environment, what, sid, secrets = [] }: AuthorCode,
  { log, settings }: Reporting,
): string {
  log.warn(
    { environment, what, sid, error: redact(describe(error, 'stack'), secrets) },
    "an environment's code failed",
  );
  return redact(describe(error, settings.errorDetail), secrets);
}

/** Runs an author's code outside of a tool: what it throws becomes 500 `{"detail"}`; an OrsError passes. */
export async function runAuthorCode<T>(code: AuthorCode, reporting: Reporting, run: () => Promise<T> | T): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isOrsError(error)) {
      if (error.cause !== undefined) reportAuthorError(error.cause, code, reporting);
      throw error;
    }
    throw new OrsError('author_error', reportAuthorError(error, code, reporting));
  }
}

const UNKNOWN = 'the environment failed';

/** Anything can be thrown, also what fails when it is looked at. */
function describe(error: unknown, level: ErrorDetail): string {
  if (level === 'none') return UNKNOWN;
  try {
    return (error instanceof Error ? describeError(error, level) : describeThrown(error)) || UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

function describeError(error: Error, level: ErrorDetail): string {
  if (level === 'stack' && typeof error.stack === 'string') return error.stack;
  const name = error.name === 'OutputError' ? 'invalid output' : String(error.name);
  return error.message ? `${name}: ${error.message}` : name;
}

const describeThrown = (thrown: unknown) =>
  `the environment threw ${typeof thrown === 'string' && thrown !== '' ? thrown : `a value of type ${typeof thrown}`}`;
