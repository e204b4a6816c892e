import { isOrsError, OrsError } from '../protocol/index.ts';
import type { Failure } from './messages.ts';
import { type Description, describeThrown, ThrownElsewhere } from './thrown.ts';

export const descriptionOf = (error: unknown): Description => ({
  message: describeThrown(error, 'message'),
  stack: describeThrown(error, 'stack'),
});

/** An error as it travels. */
export function failureOf(error: unknown): Failure {
  if (!isOrsError(error)) return { kind: 'thrown', thrown: descriptionOf(error) };
  const { code, message, cause } = error;
  return { kind: 'ors', code, message, ...(cause !== undefined && { cause: descriptionOf(cause) }) };
}

/** The error that arrived. */
export function errorOf(failure: Failure): Error {
  if (failure.kind === 'thrown') return new ThrownElsewhere(failure.thrown);
  const { code, message, cause } = failure;
  return new OrsError(code, message, cause && { cause: new ThrownElsewhere(cause) });
}
