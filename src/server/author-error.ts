import { type Awaitable, isInstance, NO_REDACTION, orElse, type Redactor, truncate } from '../core/index.ts';
import { describeThrown, WorkerLostError } from '../hosting/index.ts';
import { isOrsError, OrsError } from '../protocol/index.ts';
import type { ServerLog } from './log.ts';
import type { ErrorDetail, ServerSettings } from './settings.ts';

/** Of an error's text, in characters. A result that is too large is refused whole; of an error the beginning helps. */
const MAX_MESSAGE_CHARACTERS = 10_000;

/** Where errors are told. */
interface ErrorReporting {
  readonly log: ServerLog;
  readonly settings: Pick<ServerSettings, 'errorDetail'>;
}

/** What of an author's code is running, for the log. */
export interface AuthorCodeContext {
  readonly environment: string;
  /** Setup, prompt, a tool, ... */
  readonly label: string;
  readonly sid?: string;
  /** Masks what neither clients nor the log may see; error messages of API clients like to quote secrets. */
  readonly redactor?: Redactor;
}

/** Logs an error that an author's code threw, and gives what a client may learn of it, which is never empty. */
export function reportAuthorError(
  error: unknown,
  { environment, label, sid, redactor = NO_REDACTION }: AuthorCodeContext,
  { log, settings }: ErrorReporting,
): string {
  // Why a worker went is told once, by whoever ended it or for what ended it.
  if (isInstance(error, WorkerLostError)) return error.message;
  log.warn(
    { environment, what: label, sid, error: shortened(redactor.text(describe(error, 'stack'))) },
    "an environment's code failed",
  );
  return shortened(redactor.text(describe(error, settings.errorDetail)));
}

/** Runs an author's code outside of a tool: what it throws becomes 500 `{"detail"}`; an OrsError passes. */
export function runAuthorCode<T>(
  code: AuthorCodeContext,
  reporting: ErrorReporting,
  run: () => Awaitable<T>,
): Awaitable<T> {
  return orElse(run, (error) => {
    if (!isOrsError(error)) throw new OrsError('author_error', reportAuthorError(error, code, reporting));
    if (error.cause !== undefined) reportAuthorError(error.cause, code, reporting);
    const detail = code.redactor?.text(error.message) ?? error.message;
    throw detail === error.message ? error : new OrsError(error.code, detail, { cause: error.cause });
  });
}

const shortened = (text: string): string =>
  text.length <= MAX_MESSAGE_CHARACTERS
    ? text
    : `${truncate(text, MAX_MESSAGE_CHARACTERS)} (the first ${MAX_MESSAGE_CHARACTERS} characters)`;

const describe = (error: unknown, level: ErrorDetail): string =>
  level === 'none' ? 'the environment failed' : describeThrown(error, level);
