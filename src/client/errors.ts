interface ErrorDetails {
  readonly status?: number | undefined;
  readonly detail?: string | undefined;
  readonly sid?: string | undefined;
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/** What all errors of the client have in common. */
export class OrsClientError extends Error {
  override readonly name: string = 'OrsClientError';
  /** The HTTP status of the answer; null where there was none. */
  readonly status: number | null;
  /** What the server said, or what was found, in one sentence. */
  readonly detail: string;
  /** The session, where there was one. */
  readonly sid: string | null;
  /** Whether the same may succeed when it is done again, in a new episode if it was in one. */
  readonly retryable: boolean;

  constructor(message: string, { status, detail, sid, retryable, cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status ?? null;
    this.detail = detail ?? message;
    this.sid = sid ?? null;
    this.retryable = retryable ?? false;
  }
}

/** The server refused a request. Source: HTTP API, "Error Handling". */
export class OrsHttpError extends OrsClientError {
  override readonly name = 'OrsHttpError';
}

/** No whole answer came within the retry budget; `cause` is the last failure. */
export class OrsConnectionError extends OrsClientError {
  override readonly name = 'OrsConnectionError';
}

/** The answer does not follow the standard; most often the URL does not lead to an ORS server. */
export class OrsProtocolError extends OrsClientError {
  override readonly name = 'OrsProtocolError';
}

/** The episode is gone: expired, deleted or never created. Its reward is unknown, which is not a reward of 0. */
export class SessionLostError extends OrsClientError {
  override readonly name = 'SessionLostError';
}

/**
 * The tool could not do what it was asked for, and the episode goes on: `{"ok": false}`, an unknown tool, an invalid
 * input. `detail` is for the agent. Source: tools, "Error Handling".
 */
export class ToolCallError extends OrsClientError {
  override readonly name = 'ToolCallError';
}

/** The tool itself failed: an `error` event, or the status 500. Source: HTTP API, "SSE Event Types". */
export class ToolCrashedError extends OrsClientError {
  override readonly name = 'ToolCrashedError';
}

/** The call may have run, but its outcome cannot be fetched, so the state of the episode is unknown. */
export class CallLostError extends OrsClientError {
  override readonly name = 'CallLostError';
}

/** Names the session of an error that was made where it was not known. */
export function withSessionId(error: unknown, sid: string): unknown {
  // The field is fixed for users only.
  if (error instanceof OrsClientError && error.sid === null) (error as { sid: string | null }).sid = sid;
  return error;
}
