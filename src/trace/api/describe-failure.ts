import type { Failure as Named, OtherFailure } from '../../../generated/trace.ts';
import {
  BodyTooLarge,
  type DescribeFailure,
  type HttpError,
  InvalidRequest,
  NotJson,
  WrongMediaType,
} from '../../http/index.ts';
import { requestTooLarge, TRACE_ID, type TraceErrorBody, validationError } from '../model/index.ts';
import { expectedText } from './expectation.ts';

const CODES: Readonly<
  Record<number, { readonly code: OtherFailure['code']; readonly status: OtherFailure['http_status'] }>
> = {
  401: { code: 'UNAUTHENTICATED', status: 401 },
  403: { code: 'FORBIDDEN', status: 403 },
  404: { code: 'NOT_FOUND', status: 404 },
  405: { code: 'METHOD_NOT_ALLOWED', status: 405 },
  // A client that was slow may try again; told 400, it would give up.
  408: { code: 'BAD_REQUEST', status: 408 },
  415: { code: 'UNSUPPORTED_MEDIA_TYPE', status: 415 },
  417: { code: 'BAD_REQUEST', status: 417 },
  429: { code: 'RATE_LIMITED', status: 429 },
  431: { code: 'BAD_REQUEST', status: 431 },
  503: { code: 'OVERLOADED', status: 503 },
};

/** Puts every failure into the envelope of the trace data model. */
export const describeFailure: DescribeFailure = (error, path) => {
  const failure = failureOf(error, path);
  return { status: failure.http_status, json: { error: failure } };
};

function failureOf(error: HttpError, path: string): TraceErrorBody {
  if (error.more.failure) return error.more.failure as Named;
  if (error instanceof BodyTooLarge) return requestTooLarge(traceIdIn(path), error.limitBytes, error.actualBytes);
  if (error instanceof InvalidRequest) return invalid(error);
  if (error instanceof NotJson) return { code: 'BAD_JSON', http_status: 400, message: error.message, details: {} };
  const status = error instanceof WrongMediaType ? 415 : error.status;
  const known = CODES[status];
  if (known) return { code: known.code, http_status: known.status, message: error.message, details: {} };
  if (status < 500) return { code: 'BAD_REQUEST', http_status: 400, message: error.message, details: {} };
  return { code: 'INTERNAL', http_status: 500, message: error.message, details: {} };
}

/** What the validator found in path, query and headers. */
function invalid({ findings, message }: InvalidRequest): TraceErrorBody {
  const issues = findings.map(({ path = '', message: found = '' }) =>
    found.startsWith('Unknown query parameter')
      ? { path, rule: 'unknown_parameter', expected: 'left out', got: 'a parameter' }
      : { path, rule: 'parameter', expected: expectedText(found), got: 'another value' },
  );
  return { ...validationError(issues), message };
}

function traceIdIn(path: string): string | null {
  const [, id = ''] = /\/traces\/([^/]+)/.exec(path) ?? [];
  return TRACE_ID.test(id) ? id : null;
}
