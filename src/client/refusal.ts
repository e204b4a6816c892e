import { isRecord, parseRetryAfter, truncate, tryParseJson } from '../core/index.ts';
import { OrsHttpError } from './errors.ts';
import { BusyError } from './retry.ts';
import type { TransportResponse } from './transport.ts';

const MAX_DETAIL = 2_000;

/** Makes an error of an answer that is no success. `request` is its method and URL. */
export function readErrorResponse(
  request: string,
  sid: string | undefined,
  { status, header }: Pick<TransportResponse, 'status' | 'header'>,
  text: string,
): OrsHttpError {
  const detail = detailOf(text) || `status ${status}`;
  const retryable = status === 408 || status === 429 || status >= 500;
  const error = new OrsHttpError(`${request}: ${status} ${detail}`, { status, detail, sid, retryable });
  if (status !== 429 && status !== 503) return error;
  const retryAfterMs = parseRetryAfter(header('Retry-After'));
  // The platform says in a header of its own that an environment is on its way.
  if (retryAfterMs === undefined && header('X-Backend-State') !== 'starting') return error;
  return new BusyError(error, retryAfterMs ?? 0);
}

/** The reason in a body: `{"detail"}` as a string, a list of findings or an object, or whatever else there is. */
function detailOf(text: string): string {
  const body = tryParseJson(text);
  if (body === undefined) return truncate(text.trim(), MAX_DETAIL);
  const detail = isRecord(body) ? (body.detail ?? body.error ?? body.message ?? body) : body;
  if (Array.isArray(detail)) return truncate(detail.map(finding).join('; '), MAX_DETAIL);
  return truncate(typeof detail === 'string' ? detail : JSON.stringify(detail), MAX_DETAIL);
}

/** A finding of the Python servers: `{"loc": ["body", "split"], "msg": "Field required"}`. */
function finding(value: unknown): string {
  if (!isRecord(value) || typeof value.msg !== 'string') return JSON.stringify(value);
  return Array.isArray(value.loc) ? `${value.loc.join('.')}: ${value.msg}` : value.msg;
}
