import { MISSING_STATUSES, type RefusalReason } from '../protocol/index.ts';

/** Type of warnings about parts of a response that are left out. */
export const WARNING = 'OrsClientWarning';

interface ErrorDetails {
  readonly status?: number | null | undefined;
  readonly detail?: string | undefined;
  readonly sid?: string | null | undefined;
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/**
 * Base class of all errors that the client throws for a server or a connection.
 *
 * @example
 * try {
 *   await session.call('submit', { answer: '42' });
 * } catch (error) {
 *   if (error instanceof OrsClientError && error.retryable) await playAgain();
 *   else throw error;
 * }
 */
export class OrsClientError extends Error {
  override readonly name: string = 'OrsClientError';
  /** HTTP status of the response; null if there was none. */
  readonly status: number | null;
  /** Reason in one sentence, as the server sent it or as the client found it. */
  readonly detail: string;
  /** Id of the session; null if the error belongs to none. */
  readonly sid: string | null;
  /** True if another attempt may succeed; for an error of an episode, in a new episode. */
  readonly retryable: boolean;

  constructor(message: string, { status, detail, sid, retryable, cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status ?? null;
    this.detail = detail ?? message;
    this.sid = sid ?? null;
    this.retryable = retryable ?? false;
  }
}

/**
 * The server rejected a request. Source: HTTP API, "Error Handling".
 *
 * @example
 * if (error instanceof OrsHttpError && error.status === 404) console.error(error.detail);
 */
export class OrsHttpError extends OrsClientError {
  override readonly name = 'OrsHttpError';
}

/**
 * No complete response arrived within the retry budget; `cause` is the last failure.
 *
 * @example
 * if (error instanceof OrsConnectionError) console.error('is the server running?', error.cause);
 */
export class OrsConnectionError extends OrsClientError {
  override readonly name = 'OrsConnectionError';
}

/**
 * The response does not follow the standard; usually the URL is not that of an ORS server.
 *
 * @example
 * if (error instanceof OrsProtocolError) console.error('check the URL of the server');
 */
export class OrsProtocolError extends OrsClientError {
  override readonly name = 'OrsProtocolError';
}

/**
 * The episode is gone: expired, deleted or never created. Its reward is unknown, which is not the same as a reward of 0.
 *
 * @example
 * if (error instanceof SessionLostError) discard(error.sid);
 */
export class SessionLostError extends OrsClientError {
  override readonly name = 'SessionLostError';
}

interface ToolCallErrorDetails extends ErrorDetails {
  readonly reason?: RefusalReason | null | undefined;
}

/**
 * The tool rejected the call, and the episode continues: `{"ok": false}`, an unknown tool or an invalid input. `detail`
 * is meant for the agent. Source: tools, "Error Handling".
 *
 * @example
 * if (error instanceof ToolCallError) messages.push({ role: 'tool', tool_call_id: id, content: error.detail });
 */
export class ToolCallError extends OrsClientError {
  override readonly name = 'ToolCallError';
  /**
   * Why the server refused the call: as it says, or as its text shows. Null if the tool itself rejected the call, or
   * nothing shows the reason.
   */
  readonly reason: RefusalReason | null;

  constructor(message: string, { reason, ...details }: ToolCallErrorDetails = {}) {
    super(message, details);
    this.reason = reason ?? null;
  }
}

/**
 * The tool itself failed: an `error` event, or status 500. Source: HTTP API, "SSE Event Types".
 *
 * @example
 * if (error instanceof ToolCrashedError) report(error.detail);
 */
export class ToolCrashedError extends OrsClientError {
  override readonly name = 'ToolCrashedError';
}

/**
 * The call may have run, but its result cannot be fetched, so the state of the episode is unknown.
 *
 * @example
 * if (error instanceof CallLostError) discard(error.sid);
 */
export class CallLostError extends OrsClientError {
  override readonly name = 'CallLostError';
}

/**
 * The environment cannot compare rollouts, or cannot read the candidates. The session continues.
 *
 * @example
 * if (error instanceof ScoreGroupUnsupportedError) return rewards;
 */
export class ScoreGroupUnsupportedError extends OrsClientError {
  override readonly name = 'ScoreGroupUnsupportedError';
}

/**
 * The environment failed to compare the rollouts, or returned invalid scores: the group has no scores, which is not the
 * same as scores of 0. The session continues.
 *
 * @example
 * if (error instanceof ScoreGroupError) discardGroup(error.detail);
 */
export class ScoreGroupError extends OrsClientError {
  override readonly name = 'ScoreGroupError';
}

/**
 * The server, or the environment, cannot fork sessions. The session continues.
 *
 * @example
 * if (error instanceof ForkUnsupportedError) console.warn(error.detail);
 */
export class ForkUnsupportedError extends OrsClientError {
  override readonly name = 'ForkUnsupportedError';
}

/** Returns true for the rejection of an operation that the server does not have. */
export const isMissingOperation = (error: unknown): error is OrsHttpError =>
  error instanceof OrsHttpError && MISSING_STATUSES.includes(error.status);

/** Sets the session id of an error that was created where the id was unknown. */
export function withSessionId(error: unknown, sid: string): unknown {
  // `sid` is read-only for users of the error.
  if (error instanceof OrsClientError && error.sid === null) (error as { sid: string | null }).sid = sid;
  return error;
}
