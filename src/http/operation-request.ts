import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { JsonProblem } from '../core/index.ts';
import type { DeclaredHeader, QueryParameter } from './described-operation.ts';
import { InvalidRequest } from './http-error.ts';
import type { OperationRequest } from './operation.ts';

/** A request that the document has accepted, whichever entrance it came in by. */
export interface AcceptedRequest {
  /** As it came, with its query. */
  readonly url: string;
  readonly path: Readonly<Record<string, unknown>>;
  /** The parameters of the query that the document declares. */
  readonly query?: readonly QueryParameter[];
  readonly headers: IncomingHttpHeaders;
  /** The headers that the document declares for the operation. */
  readonly declared: readonly DeclaredHeader[];
  readonly body: unknown;
  readonly problems: readonly JsonProblem[];
  readonly bytes: number | undefined;
  readonly caller: string | undefined;
  readonly response: ServerResponse;
}

/** The request as handlers see it; that the document has accepted it makes it one of the operation. */
export function operationRequest({
  url,
  path,
  query = [],
  headers,
  declared,
  body,
  problems,
  bytes,
  caller,
  response,
}: AcceptedRequest): OperationRequest<never> {
  const request = {
    url: url.includes('?') ? url.slice(0, url.indexOf('?')) : url,
    path,
    query: query.length === 0 ? {} : readQuery(url, query),
    header: valuesOf(declared, headers),
    body,
    problems,
    bytes,
    caller,
    accepts: (mediaType: string) => isNamed(mediaType, headers.accept ?? ''),
    onClose(listener: () => void) {
      if (response.closed) listener();
      else response.once('close', listener);
    },
  };
  return request as unknown as OperationRequest<never>;
}

function valuesOf(declared: readonly DeclaredHeader[], headers: IncomingHttpHeaders): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, key } of declared) values[name] = headers[key];
  return values;
}

/** Whether an `Accept` header names a media type, which is in lower case, and does not rule it out. */
function isNamed(mediaType: string, accept: string): boolean {
  const all = accept.toLowerCase();
  // Most do not, and need not be taken apart.
  if (!all.includes(mediaType)) return false;
  const ranges = all.split(',').map((range) => range.split(';').map((part) => part.trim()));
  return ranges.some(
    ([type, ...parameters]) => type === mediaType && !parameters.some((each) => /^q=0(\.0*)?$/.test(each)),
  );
}

/** The validator takes `Infinity`, and whatever is as large, for a number of any size. @throws InvalidRequest */
function numberIn(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value)) return value;
  throw new InvalidRequest(400, [{ path: `/query/${name}`, message: 'must be a number that is not infinite' }]);
}

/** The validator has accepted the values as text of these types. */
function readQuery(url: string, parameters: readonly QueryParameter[]): Record<string, unknown> {
  const given = url.includes('?') ? new URL(url, 'http://localhost').searchParams : new URLSearchParams();
  const entries = parameters.flatMap(({ name, type, default: fallback }) => {
    const text = given.get(name);
    if (text === null) return fallback === undefined ? [] : [[name, fallback] as const];
    return [[name, type === 'boolean' ? text === 'true' : type === 'string' ? text : numberIn(name, text)] as const];
  });
  return Object.fromEntries(entries);
}
