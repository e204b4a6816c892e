import { isStackOverflow, type JoinedSignal, joinSignals, onAbort } from '../core/index.ts';

/**
 * The ways in which a check can end if its requirement is not shown to be met. Only the requirement itself makes a check
 * fail: if a preceding step does not work, the check is not testable. That step has its own check.
 */

/** The server violates the requirement. The message says what the server did. */
export class ViolationError extends Error {
  override readonly name = 'ViolationError';
}

/** A prerequisite of the check is missing; the message says which. */
export class UntestableError extends Error {
  override readonly name = 'UntestableError';
}

/** The server does not have the feature that the requirement is about, and need not have it. */
export class NotApplicableError extends Error {
  override readonly name = 'NotApplicableError';
}

/** A bug in the suite itself. */
export class HarnessError extends Error {
  override readonly name = 'HarnessError';
}

/** Asserts the requirement. `message` says what the server did instead, with values. @throws ViolationError */
export function assertConforms(condition: unknown, message: string): asserts condition {
  if (!condition) throw new ViolationError(message);
}

/** Asserts a prerequisite of the check. `message` says why the check cannot be made. @throws UntestableError */
export function assume(condition: unknown, message: string): asserts condition {
  if (!condition) throw new UntestableError(message);
}

/** Start of the message of a check that could not keep its times. */
export const TOO_SLOW = 'this machine was too slow';

/** Assumes that the check has kept its times. `message` says what took too long. @throws UntestableError */
export function assumeInTime(condition: unknown, message?: string): asserts condition {
  assume(condition, message === undefined ? TOO_SLOW : `${TOO_SLOW}: ${message}`);
}

/** Asserts that the requirement applies. `message` says why it does not. @throws NotApplicableError */
export function assumeApplicable(condition: unknown, message: string): asserts condition {
  if (!condition) throw new NotApplicableError(message);
}

/** Returns a signal that aborts with `UntestableError` when the run is interrupted. */
export function interruptionSignal(signal: AbortSignal | undefined): JoinedSignal {
  const interruption = joinSignals();
  const release = onAbort(signal, () => interruption.abort(new UntestableError('the run was interrupted')));
  return { ...interruption, release };
}

/** Converts stack overflows: a response that is nested too deeply is not a bug of the suite. */
export const normalizeSuiteError = (error: unknown): unknown =>
  isStackOverflow(error) ? new UntestableError('a response of the server is nested too deeply to be read') : error;
