import { isStackOverflow, type JoinedSignal, joinSignals, onAbort } from '../core/index.ts';

/**
 * What a check can end with besides its plain end, which means that the requirement is met.
 *
 * Only the point in question makes a check fail. A step on the way to it that does not work makes the check untestable;
 * that step has a check of its own.
 */

/** The server does not do what the requirement says. The message says what it did. */
export class ViolationError extends Error {
  override readonly name = 'Violation';
}

/** Something that the check needs could not be had; the message says what. */
export class UntestableError extends Error {
  override readonly name = 'Untestable';
}

/** The server rightly has nothing that the requirement is about. */
export class NotApplicableError extends Error {
  override readonly name = 'NotApplicable';
}

/** The suite itself is wrong. */
export class HarnessError extends Error {
  override readonly name = 'HarnessError';
}

/** The point in question. `message` says what the server did instead, with values. */
export function assertConforms(condition: unknown, message: string): asserts condition {
  if (!condition) throw new ViolationError(message);
}

/** A step on the way to it. `message` says what kept the check from being made. */
export function assume(condition: unknown, message: string): asserts condition {
  if (!condition) throw new UntestableError(message);
}

/** Whether there is anything to check. `message` says why there is not. */
export function assumeApplicable(condition: unknown, message: string): asserts condition {
  if (!condition) throw new NotApplicableError(message);
}

/**
 * A signal that aborts with `Untestable` when a run is interrupted.
 *
 * @param signal of the run. Default: it is never interrupted.
 */
export function interruptionSignal(signal: AbortSignal | undefined): JoinedSignal {
  const interruption = joinSignals();
  const release = onAbort(signal, () => interruption.abort(new UntestableError('the run was interrupted')));
  return { ...interruption, release };
}

/** What an error of the suite means: what a server nests too deeply to be read is no fault of the suite. */
export const normalizeSuiteError = (error: unknown): unknown =>
  isStackOverflow(error) ? new UntestableError('what the server sent is nested too deeply to be read') : error;
