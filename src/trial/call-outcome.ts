import {
  CallLostError,
  OrsHttpError,
  OrsProtocolError,
  SessionLostError,
  ToolCallError,
  ToolCrashedError,
} from '../client/index.ts';
import { deadlineSignal, errorMessage, errorName } from '../core/index.ts';

/**
 * - `output`: an output. `refused`: `ok: false`.
 * - `crashed`: an `error` event, or an error status. `late`: a timeout. `lost`: the session no longer existed.
 * - `malformed`: a response that the standard does not allow.
 */
export type TrialCallOutcome = 'output' | 'refused' | 'crashed' | 'late' | 'lost' | 'malformed';

/** Limits of one request. */
export interface RequestLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Timeout of closing a session; a server may wait as long for teardown. */
export const CLOSE_TIMEOUT_MS = 30_000;

/** Runs a request within the time of a response. @throws DOMException named TimeoutError. */
export async function withDeadline<T>(
  { signal, timeoutMs }: RequestLimits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const reason = () => new DOMException(`no response within ${timeoutMs / 1000} s`, 'TimeoutError');
  const deadline = deadlineSignal(timeoutMs, reason, signal);
  try {
    return await work(deadline.signal);
  } finally {
    deadline.release();
  }
}

/** Returns whether an error is that of `withDeadline`. */
export const isTimeout = (error: unknown) => errorName(error) === 'TimeoutError';

/** Returns the message of an error without the address of the server. */
export const errorDetail = (error: unknown): string =>
  error instanceof OrsHttpError ? error.detail : errorMessage(error);

/** Classifies the error of a call. @throws the error if it is none of the environment or its server. */
export function classifyCallError(
  error: unknown,
  { timeoutMs }: Pick<RequestLimits, 'timeoutMs'>,
): { readonly outcome: TrialCallOutcome; readonly text: string; readonly reason?: string | null } {
  if (isTimeout(error)) return { outcome: 'late', text: `no response within ${timeoutMs / 1000} s` };
  if (error instanceof ToolCallError) return { outcome: 'refused', text: error.detail, reason: error.reason };
  if (error instanceof ToolCrashedError) return { outcome: 'crashed', text: error.detail };
  // The client reports an invalid reward with different errors, depending on the form of the response.
  const isInvalidReward = errorDetail(error).includes('output.reward');
  if (error instanceof OrsProtocolError || isInvalidReward) return { outcome: 'malformed', text: errorDetail(error) };
  if (error instanceof SessionLostError || error instanceof CallLostError) {
    return { outcome: 'lost', text: error.detail };
  }
  if (error instanceof OrsHttpError) return { outcome: 'crashed', text: `${error.status} ${error.detail}` };
  throw error;
}
