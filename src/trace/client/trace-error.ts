import type { TraceError as ErrorEnvelope, JSONObject } from '../../../generated/trace.ts';
import { errorMessage, isInstance, isRecord } from '../../core/index.ts';

/**
 * Error codes of a trace store and of the client.
 *
 * @example
 * const permanent: TraceErrorCode[] = ['TRACE_DELETED', 'CLOSED'];
 */
export type TraceErrorCode =
  | ErrorEnvelope['error']['code']
  /** No complete response; `cause` is the last failure. */
  | 'NETWORK'
  /** The response is not one of a trace store; usually the URL is wrong. */
  | 'PROTOCOL'
  /** The logged value is not valid JSON and was not sent. */
  | 'NOT_JSON'
  /** Logged after `close`; not sent. */
  | 'CLOSED'
  /** The spool cannot be read or written; blocks are sent nevertheless. */
  | 'SPOOL';

interface TraceErrorParts extends Partial<Pick<TraceError, 'status' | 'details' | 'retryAfterMs'>> {
  readonly cause?: unknown;
}

/**
 * Error of a request to a trace store. Source: trace data model, "Common error codes".
 *
 * @example
 * try {
 *   await trace.logMessage({ role: 'user', content: 'Hello' });
 * } catch (error) {
 *   if (error instanceof TraceError && error.code === 'TRACE_DELETED') stop();
 *   else throw error;
 * }
 */
export class TraceError extends Error {
  override readonly name = 'TraceError';
  readonly code: TraceErrorCode;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** Details of the store: limits, issues, ids. */
  readonly details: JSONObject;
  /** Value of the `Retry-After` header in ms; 0 without one. */
  readonly retryAfterMs: number;

  constructor(
    code: TraceErrorCode,
    message: string,
    { status = null, details = {}, retryAfterMs = 0, cause }: TraceErrorParts = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.details = details;
    this.retryAfterMs = retryAfterMs;
  }
}

const BUSY: readonly (number | null)[] = [408, 425, 429];

/**
 * Returns true if the same request can succeed later.
 *
 * @example
 * if (error instanceof TraceError && !isRetryableTraceError(error)) throw error;
 */
export const isRetryableTraceError = ({ code, status }: TraceError): boolean =>
  code === 'NETWORK' || (status !== null && (status >= 500 || BUSY.includes(status)));

/** Returns true for a response that may be of a proxy; it is unknown if the store has written anything. */
export const isMalformedResponse = ({ code, status }: TraceError): boolean =>
  code === 'PROTOCOL' && (status === null || status < 400);

/** Statuses that are caused by the content of a request, not by its sender or the state of the store. */
const CONTENT_ERRORS: readonly (number | null)[] = [400, 409, 410, 413, 422];

/** Returns true if the store will never accept the content. */
export const isPermanentError = ({ code, status }: TraceError): boolean =>
  code === 'NOT_JSON' || CONTENT_ERRORS.includes(status);

/**
 * Parses the error envelope of a store; undefined for other bodies.
 *
 * @param retryAfterMs value of the `Retry-After` header, in ms. @default 0
 * @example
 * const response = await fetch(`${url}/v1/organizations/default/traces`);
 * const error = parseTraceError(response.status, await response.json());
 */
export function parseTraceError(status: number, body: unknown, retryAfterMs = 0): TraceError | undefined {
  const error = isRecord(body) && isRecord(body.error) ? body.error : undefined;
  if (!error || typeof error.code !== 'string' || typeof error.message !== 'string') return undefined;
  const details = isRecord(error.details) ? (error.details as JSONObject) : {};
  return new TraceError(error.code as TraceErrorCode, error.message, { status, details, retryAfterMs });
}

/** Wraps unexpected errors of the client itself, so that callers always receive a TraceError. */
export const toTraceError = (cause: unknown): TraceError =>
  isInstance(cause, TraceError)
    ? cause
    : new TraceError('PROTOCOL', `the client failed: ${errorMessage(cause)}`, { cause });
