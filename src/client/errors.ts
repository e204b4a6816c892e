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

/** The server rejected a request. Source: HTTP API, "Error Handling". */
export class OrsHttpError extends OrsClientError {
  override readonly name = 'OrsHttpError';
}

/** No complete response arrived within the retry budget; `cause` is the last failure. */
export class OrsConnectionError extends OrsClientError {
  override readonly name = 'OrsConnectionError';
}

/** The response does not follow the standard; usually the URL is not that of an ORS server. */
export class OrsProtocolError extends OrsClientError {
  override readonly name = 'OrsProtocolError';
}

/**
 * The episode is gone: expired, deleted or never created. Its reward is unknown, which is not the same as a reward of 0.
 */
export class SessionLostError extends OrsClientError {
  override readonly name = 'SessionLostError';
}

/**
 * The tool rejected the call, and the episode continues: `{"ok": false}`, an unknown tool or an invalid input. `detail`
 * is meant for the agent. Source: tools, "Error Handling".
 */
export class ToolCallError extends OrsClientError {
  override readonly name = 'ToolCallError';
}

/** The tool itself failed: an `error` event, or status 500. Source: HTTP API, "SSE Event Types". */
export class ToolCrashedError extends OrsClientError {
  override readonly name = 'ToolCrashedError';
}

/** The call may have run, but its result cannot be fetched, so the state of the episode is unknown. */
export class CallLostError extends OrsClientError {
  override readonly name = 'CallLostError';
}

/** Sets the session id of an error that was created where the id was unknown. */
export function withSessionId(error: unknown, sid: string): unknown {
  // `sid` is read-only for users of the error.
  if (error instanceof OrsClientError && error.sid === null) (error as { sid: string | null }).sid = sid;
  return error;
}
