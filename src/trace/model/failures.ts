import type {
  BlockId,
  DuplicateCallId,
  DuplicateResultSeq,
  JSONObject,
  OtherFailure,
  ParentSubtypeMismatch,
  PayloadTooLarge,
  SubType,
  TraceError,
  TraceId,
  ValidationIssue,
} from '../../../generated/trace.ts';
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

type DetailsOf<F extends { readonly details: object }> = Omit<F['details'], 'index'>;

/** Adds the position of a rejected block in its batch. @param index undefined if the request is one block. */
const withIndex = <T extends object>(index: number | undefined, details: T): T & { index?: number } =>
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
  index: number | undefined,
  details: DetailsOf<PayloadTooLarge> & { readonly sub_type: SubType },
): PayloadTooLarge {
  const { sub_type, field, limit_bytes } = details;
  return {
    code: 'PAYLOAD_TOO_LARGE',
    http_status: 413,
    message: `${sub_type.toLowerCase()} ${field} exceeds ${sizeText(limit_bytes)} limit`,
    details: withIndex(index, details),
  };
}

/** Creates the error for a body above the limit. @param actual_bytes null if the client sent no Content-Length. */
export function requestTooLarge(
  trace_id: TraceId | null,
  limit_bytes: number,
  actual_bytes: number | null,
): PayloadTooLarge {
  return {
    code: 'PAYLOAD_TOO_LARGE',
    http_status: 413,
    message: `request body exceeds ${sizeText(limit_bytes)} limit`,
    details: { sub_type: null, field: 'request_body', limit_bytes, actual_bytes, trace_id, parent_block_id: null },
  };
}

export function parentMismatch(index: number | undefined, details: DetailsOf<ParentSubtypeMismatch>): TraceErrorBody {
  const { sub_type, parent_block_id, parent_sub_type, allowed } = details;
  return {
    code: 'PARENT_SUBTYPE_MISMATCH',
    http_status: 409,
    message: `the parent of a ${sub_type} must be a ${allowed}; ${parent_block_id} is a ${parent_sub_type}`,
    details: withIndex(index, details),
  };
}

export const duplicateCallId = (index: number | undefined, details: DetailsOf<DuplicateCallId>): TraceErrorBody => ({
  code: 'DUPLICATE_CALL_ID',
  http_status: 409,
  message: `${details.existing_block_id} is the TOOL_CALL with this call_id; use a unique call_id`,
  details: withIndex(index, details),
});

export const duplicateResultSeq = (
  index: number | undefined,
  details: DetailsOf<DuplicateResultSeq>,
): TraceErrorBody => ({
  code: 'DUPLICATE_RESULT_SEQ',
  http_status: 409,
  message: `${details.existing_block_id} is the TOOL_RESULT with seq ${details.seq} of this call; use a unique seq`,
  details: withIndex(index, details),
});

/** Creates an error of a code whose details the schema leaves open. */
export const otherFailure = (
  code: OtherFailure['code'],
  http_status: OtherFailure['http_status'],
  message: string,
  details: JSONObject = {},
): OtherFailure => ({ code, http_status, message, details });

export function blockIdConflict(index: number | undefined, id: BlockId): TraceErrorBody {
  const message = `${id} is the id of another block; blocks cannot be changed, so write this one with a new id`;
  return otherFailure('BLOCK_ID_CONFLICT', 409, message, withIndex(index, { id }));
}

export const traceNotFound = (trace_id: TraceId): TraceErrorBody =>
  otherFailure('TRACE_NOT_FOUND', 404, `there is no trace ${trace_id} in this organization`, { trace_id });

export const traceDeleted = (trace_id: TraceId): TraceErrorBody =>
  otherFailure('TRACE_DELETED', 410, `the trace ${trace_id} was deleted; its id cannot be used again`, { trace_id });

export function traceIdConflict(trace_id: TraceId): TraceErrorBody {
  const message = `${trace_id} is the id of a trace that was created with other fields; create this one with a new id`;
  return otherFailure('TRACE_ID_CONFLICT', 409, message, { trace_id });
}

export function scoreIdConflict(id: string): TraceErrorBody {
  const message = `${id} is the id of a score with other fields; delete that one, or use a new id`;
  return otherFailure('SCORE_ID_CONFLICT', 409, message, { id });
}

export const scoreNotFound = (id: string): TraceErrorBody =>
  otherFailure('NOT_FOUND', 404, `there is no score ${id} in this organization`, { id });

export const runNotFound = (run: string): TraceErrorBody =>
  otherFailure('NOT_FOUND', 404, `there is no run ${JSON.stringify(run)} in this organization`);

export const blockNotFound = (trace_id: TraceId, id: BlockId): TraceErrorBody =>
  otherFailure('BLOCK_NOT_FOUND', 404, `the trace ${trace_id} has no block ${id}`, { trace_id, id });

export function idempotencyMismatch(idempotency_key: string): TraceErrorBody {
  const message = 'this Idempotency-Key was used with another body; use a new key for a new request';
  return otherFailure('IDEMPOTENCY_MISMATCH', 422, message, { idempotency_key });
}
