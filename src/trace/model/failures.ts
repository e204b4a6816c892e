import type { BlockId, CallId, SubType, TraceError, TraceId, ValidationIssue } from '../../../generated/trace.ts';
import { sizeText } from './limits.ts';

/** Thrown if a request breaks a rule; none of it was stored. */
export class TraceStoreError extends Error {
  override readonly name = 'TraceStoreError';
  readonly body: TraceErrorBody;

  constructor(failure: TraceErrorBody) {
    super(failure.message);
    this.body = failure;
  }
}

/** Thrown if the store cannot write: its queue or disk is full, or the database is unreachable. Nothing was stored. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  /** Value for the `Retry-After` header, in seconds. */
  readonly retryAfterSeconds: number;

  constructor(
    message: string,
    { retryAfterSeconds = 1, ...options }: ErrorOptions & { readonly retryAfterSeconds?: number } = {},
  ) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The `error` field of an error response; `http_status` is the status of the response. */
export type TraceErrorBody = TraceError['error'];
export type PayloadTooLargeBody = Extract<TraceErrorBody, { code: 'PAYLOAD_TOO_LARGE' }>;
type LimitedField = PayloadTooLargeBody['details']['field'];

/** Position of a rejected block. */
interface BatchPosition {
  /** Undefined if the request is one block. */
  readonly index: number | undefined;
}

const withIndex = <T extends object>({ index }: BatchPosition, details: T): T & { index?: number } =>
  index === undefined ? details : { index, ...details };

/** Maximum number of issues in one response. */
const MAX_ISSUES = 100;

/** Creates a VALIDATION error. @param issues at least one; only the first 100 are listed. */
export function validationError(issues: readonly ValidationIssue[]): TraceErrorBody {
  const [first, ...rest] = issues.slice(0, MAX_ISSUES);
  if (first === undefined) throw new RangeError('validationError() needs at least one issue');
  const block = first.index === undefined ? '' : `block ${first.index}: `;
  const hidden = issues.length > MAX_ISSUES ? `, of which the first ${MAX_ISSUES} are listed` : '';
  const others = issues.length > 1 ? ` (${issues.length} issues${hidden})` : '';
  return {
    code: 'VALIDATION',
    http_status: 422,
    message: `${block}${first.path || 'the body'} must be ${first.expected}, not ${first.got}${others}`,
    details: { issues: [first, ...rest] },
  };
}

/** Creates the error for a field above its limit. Source: trace data model, PAYLOAD_TOO_LARGE. */
export function fieldTooLarge(
  position: BatchPosition,
  details: {
    readonly sub_type: SubType;
    readonly field: LimitedField;
    readonly limit_bytes: number;
    readonly actual_bytes: number;
    readonly trace_id: TraceId;
    readonly parent_block_id: BlockId | null;
  },
): PayloadTooLargeBody {
  const { sub_type, field, limit_bytes } = details;
  return {
    code: 'PAYLOAD_TOO_LARGE',
    http_status: 413,
    message: `${sub_type.toLowerCase()} ${field} exceeds ${sizeText(limit_bytes)} limit`,
    details: withIndex(position, details),
  };
}

/** Creates the error for a body above the limit. @param actual_bytes null if the client sent no Content-Length. */
export function requestTooLarge(
  trace_id: TraceId | null,
  limit_bytes: number,
  actual_bytes: number | null,
): PayloadTooLargeBody {
  return {
    code: 'PAYLOAD_TOO_LARGE',
    http_status: 413,
    message: `request body exceeds ${sizeText(limit_bytes)} limit`,
    details: { sub_type: null, field: 'request_body', limit_bytes, actual_bytes, trace_id, parent_block_id: null },
  };
}

export function parentMismatch(
  position: BatchPosition,
  details: {
    readonly sub_type: SubType;
    readonly parent_block_id: BlockId;
    readonly parent_sub_type: SubType;
    readonly allowed: SubType;
  },
): TraceErrorBody {
  const { sub_type, parent_block_id, parent_sub_type, allowed } = details;
  return {
    code: 'PARENT_SUBTYPE_MISMATCH',
    http_status: 409,
    message: `the parent of a ${sub_type} must be a ${allowed}; ${parent_block_id} is a ${parent_sub_type}`,
    details: withIndex(position, { ...details, allowed: [allowed] }),
  };
}

export function duplicateCallId(
  position: BatchPosition,
  details: { readonly trace_id: TraceId; readonly call_id: CallId; readonly existing_block_id: BlockId },
): TraceErrorBody {
  return {
    code: 'DUPLICATE_CALL_ID',
    http_status: 409,
    message: `${details.existing_block_id} is the TOOL_CALL with this call_id; use a unique call_id`,
    details: withIndex(position, details),
  };
}

export function duplicateResultSeq(
  position: BatchPosition,
  details: {
    readonly trace_id: TraceId;
    readonly call_id: CallId;
    readonly seq: number;
    readonly existing_block_id: BlockId;
  },
): TraceErrorBody {
  return {
    code: 'DUPLICATE_RESULT_SEQ',
    http_status: 409,
    message: `${details.existing_block_id} is the TOOL_RESULT with seq ${details.seq} of this call; use a unique seq`,
    details: withIndex(position, details),
  };
}

export function blockIdConflict(position: BatchPosition, id: BlockId): TraceErrorBody {
  return {
    code: 'BLOCK_ID_CONFLICT',
    http_status: 409,
    message: `${id} is the id of another block; blocks cannot be changed, so write this one with a new id`,
    details: withIndex(position, { id }),
  };
}

export const traceNotFound = (id: TraceId): TraceErrorBody => ({
  code: 'TRACE_NOT_FOUND',
  http_status: 404,
  message: `there is no trace ${id} in this organization`,
  details: { trace_id: id },
});

export const traceDeleted = (id: TraceId): TraceErrorBody => ({
  code: 'TRACE_DELETED',
  http_status: 410,
  message: `the trace ${id} was deleted; its id cannot be used again`,
  details: { trace_id: id },
});

export const traceIdConflict = (id: TraceId): TraceErrorBody => ({
  code: 'TRACE_ID_CONFLICT',
  http_status: 409,
  message: `${id} is the id of a trace that was created with other fields; create this one with a new id`,
  details: { trace_id: id },
});

export const keyRevoked = (): TraceErrorBody => ({
  code: 'UNAUTHENTICATED',
  http_status: 401,
  message: 'this API key was revoked while the stream was open; use another key',
  details: {},
});

export const blockNotFound = (trace_id: TraceId, id: BlockId): TraceErrorBody => ({
  code: 'BLOCK_NOT_FOUND',
  http_status: 404,
  message: `the trace ${trace_id} has no block ${id}`,
  details: { trace_id, id },
});

export const idempotencyMismatch = (key: string): TraceErrorBody => ({
  code: 'IDEMPOTENCY_MISMATCH',
  http_status: 422,
  message: 'this Idempotency-Key was used with another body; use a new key for a new request',
  details: { idempotency_key: key },
});

export const notFound = (message: string): TraceErrorBody => ({
  code: 'NOT_FOUND',
  http_status: 404,
  message,
  details: {},
});
