import { type OperationId, operations } from '../../../generated/trace-api-operations.ts';
import { failureReason, parseRetryAfter, truncate, tryParseJson } from '../../core/index.ts';
import { parseTraceError, TraceError } from './trace-error.ts';

const RESPONSE_TIMEOUT_MS = 120_000;
/** Maximum length of a quoted response. */
const MAX_QUOTED = 200;

interface TraceApiRequesterOptions {
  /** URL of the store, without a trailing slash. */
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly organization: string;
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Request of an operation: the fields that its URL, query and body need.
 *
 * @example
 * const request: TraceApiRequest = { query: { run: 'nightly', limit: 100 } };
 * const page = await api.json('listTraces', request);
 */
export interface TraceApiRequest {
  readonly traceId?: string;
  readonly sha256?: string;
  readonly run?: string;
  readonly scoreId?: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: string | Uint8Array;
  /** Media type of the body. @default 'application/json' */
  readonly mediaType?: string;
}

/**
 * Sends requests to a trace store, without retries.
 *
 * @example
 * const read = (api: TraceApiRequester, traceId: string) => api.json('getTrace', { traceId });
 */
export interface TraceApiRequester {
  /** Returns parsed JSON. @throws TraceError of the store; NETWORK; PROTOCOL if the response is not JSON. */
  json(operation: OperationId, request: TraceApiRequest): Promise<unknown>;
  /** Returns the body of the response. @throws TraceError, like `json`. */
  bytes(operation: OperationId, request: TraceApiRequest): Promise<Uint8Array>;
  /** Maximum number of concurrent requests of a client. @default 8 */
  readonly maxRequests?: number;
}

/**
 * Creates a requester for one organization of a trace store.
 *
 * @example
 * const url = 'http://127.0.0.1:8090';
 * const api = createTraceApiRequester({ url, apiKey: undefined, organization: 'default', fetch });
 * const trace = await api.json('getTrace', { traceId: 'tr_1' });
 */
export function createTraceApiRequester(options: TraceApiRequesterOptions): TraceApiRequester {
  return {
    async json(operation, request) {
      const { target, bytes } = await send(options, operation, request);
      const text = new TextDecoder().decode(bytes);
      const value = tryParseJson(text);
      if (value !== undefined) return value;
      const quoted = truncate(text, MAX_QUOTED);
      throw new TraceError(
        'PROTOCOL',
        `${target} returned a body that is not JSON: ${quoted}; is there a trace store?`,
      );
    },
    bytes: async (operation, request) => (await send(options, operation, request)).bytes,
  };
}

async function send(
  { url, apiKey, organization, fetch }: TraceApiRequesterOptions,
  operation: OperationId,
  request: TraceApiRequest,
) {
  const { traceId, sha256, run, scoreId, query, body, mediaType = 'application/json' } = request;
  const { method, path } = operations[operation];
  const parameters = new Map(Object.entries({ org: organization, traceId, sha256, run, scoreId }));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters.get(name) ?? ''));
  const search = query
    ? `?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]))}`
    : '';
  const target = `${method.toUpperCase()} ${url}${filled}`;
  let response: Response;
  let bytes: Uint8Array;
  try {
    response = await fetch(url + filled + search, {
      method: method.toUpperCase(),
      headers: {
        ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
        ...(body === undefined ? {} : { 'content-type': mediaType }),
      },
      // The types of buffers differ between versions of TypeScript's libraries.
      ...(body === undefined ? {} : { body: body as BodyInit }),
      // The key must not be sent to another host.
      redirect: 'manual',
      credentials: 'omit',
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw new TraceError('NETWORK', `no response to ${target}: ${failureReason(cause)}`, { cause });
  }
  if (!response.ok) throw toError(target, response, new TextDecoder().decode(bytes));
  return { target, bytes };
}

function toError(target: string, response: Response, text: string): TraceError {
  const { status } = response;
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after')) ?? 0;
  const error = parseTraceError(status, tryParseJson(text), retryAfterMs);
  if (error) return error;
  // The response may be from a proxy, in any format.
  const quoted = truncate(text.trim(), MAX_QUOTED) || response.statusText || 'nothing';
  const redirect = response.type === 'opaqueredirect' || (status >= 300 && status < 400);
  const advice = redirect ? '; use the URL that it redirects to' : '; is there a trace store?';
  const message = `${target} returned ${status}: ${quoted}${status >= 500 ? '' : advice}`;
  return new TraceError('PROTOCOL', message, { status: status || null, retryAfterMs });
}
