import type { TraceError as ErrorEnvelope, JSONObject } from '../../../generated/trace.ts';
import { errorMessage, isInstance, isRecord } from '../../core/index.ts';

/** Codes of a trace store, and of what goes wrong before one has answered. */
export type TraceErrorCode =
  | ErrorEnvelope['error']['code']
  /** No whole answer came; `cause` is the last failure. */
  | 'NETWORK'
  /** An answer that no trace store gives; most often the URL does not lead to one. */
  | 'PROTOCOL'
  /** What was logged is no JSON, and was not sent. */
  | 'NOT_JSON'
  /** It was logged after `close`, and was not sent. */
  | 'CLOSED'
  /** The spool cannot be read or written; what is logged is sent all the same. */
  | 'SPOOL';

interface TraceErrorParts {
  readonly status?: number | null;
  readonly details?: JSONObject;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** Why something was not logged. Source: trace data model, "Common error codes". */
export class TraceError extends Error {
  override readonly name = 'TraceError';
  readonly code: TraceErrorCode;
  /** The HTTP status; null where the store has not answered. */
  readonly status: number | null;
  /** As the store gave them: limits, issues, ids. */
  readonly details: JSONObject;
  /** After how long the store wants to be asked again, in ms; 0 where it does not say. */
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

/** Whether the same request may succeed later. */
export const isRetryableTraceError = ({ code, status }: TraceError): boolean =>
  code === 'NETWORK' || (status !== null && (status >= 500 || BUSY.includes(status)));

/** Whether what answered was perhaps not the store, such as a proxy: whether it has stored anything is not known. */
export const isMalformedResponse = ({ code, status }: TraceError): boolean =>
  code === 'PROTOCOL' && (status === null || status < 400);

/** Statuses that find fault with what was sent, and not with the sender or the state of the store. */
const CONTENT: readonly (number | null)[] = [400, 409, 410, 413, 422];

/** Whether the store will never take what was sent, whoever sends it. */
export const isPermanentError = ({ code, status }: TraceError): boolean =>
  code === 'NOT_JSON' || CONTENT.includes(status);

/** What a store's envelope says; undefined for anything else. */
export function parseTraceError(status: number, body: unknown, retryAfterMs = 0): TraceError | undefined {
  const error = isRecord(body) && isRecord(body.error) ? body.error : undefined;
  if (!error || typeof error.code !== 'string' || typeof error.message !== 'string') return undefined;
  const details = isRecord(error.details) ? (error.details as JSONObject) : {};
  return new TraceError(error.code as TraceErrorCode, error.message, { status, details, retryAfterMs });
}

/** Anything but an error of ours is a mistake of ours; whoever waits must learn of it all the same. */
export const toTraceError = (cause: unknown): TraceError =>
  isInstance(cause, TraceError)
    ? cause
    : new TraceError('PROTOCOL', `the client failed: ${errorMessage(cause)}`, { cause });
