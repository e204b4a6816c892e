import { isOrsError, OrsError } from '../protocol/index.ts';
import type { SerializedError } from './messages.ts';
import { describeThrown, type ErrorDescription, RemoteError } from './thrown.ts';

export const toErrorDescription = (error: unknown): ErrorDescription => ({
  message: describeThrown(error, 'message'),
  stack: describeThrown(error, 'stack'),
});

/** An error as it travels. */
export function serializeError(error: unknown): SerializedError {
  if (!isOrsError(error)) return { kind: 'thrown', thrown: toErrorDescription(error) };
  const { code, message, cause } = error;
  return { kind: 'ors', code, message, ...(cause !== undefined && { cause: toErrorDescription(cause) }) };
}

/** The error that arrived. */
export function deserializeError(failure: SerializedError): Error {
  if (failure.kind === 'thrown') return new RemoteError(failure.thrown);
  const { code, message, cause } = failure;
  return new OrsError(code, message, cause && { cause: new RemoteError(cause) });
}
