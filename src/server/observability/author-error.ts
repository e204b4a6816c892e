import { type Awaitable, isInstance, NO_REDACTION, orElse, type Redactor } from '../../core/index.ts';
import { describeThrown, WorkerLostError } from '../../hosting/index.ts';
import { isOrsError, OrsError } from '../../protocol/index.ts';
import type { ErrorDetail, ServerSettings } from '../settings.ts';
import type { ServerLog } from './server-log.ts';

interface ErrorReporting {
  readonly log: ServerLog;
  readonly settings: Pick<ServerSettings, 'errorDetail'>;
}

/** Names a piece of author code in the log. */
export interface AuthorCodeContext {
  readonly environment: string;
  /** `setup`, `prompt`, `tool submit`, ... */
  readonly label: string;
  readonly sid?: string;
  /** Masks secrets in messages for clients and the log; errors of API clients often quote them. */
  readonly redactor?: Redactor;
}

/** Logs an error that author code threw, and returns the message for the client, which is never empty. */
export function reportAuthorError(
  error: unknown,
  { environment, label, sid, redactor = NO_REDACTION }: AuthorCodeContext,
  { log, settings }: ErrorReporting,
): string {
  // The host of the worker logs the reason once.
  if (isInstance(error, WorkerLostError)) return error.message;
  log.warn(
    { environment, what: label, sid, error: redactor.text(describe(error, 'stack')) },
    "an environment's code failed",
  );
  return redactor.text(describe(error, settings.errorDetail));
}

/** Runs author code other than a tool. An OrsError passes; everything else becomes a 500 with a `detail`. */
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

const describe = (error: unknown, level: ErrorDetail): string =>
  level === 'none' ? 'the environment failed' : describeThrown(error, level);
