import { type OperationId, operations } from '../../../generated/trace-api-operations.ts';
import { failureReason, parseRetryAfter, truncate, tryParseJson } from '../../core/index.ts';
import { parseTraceError, TraceError } from './trace-error.ts';

/** An answer that takes longer is no answer. */
const ANSWER_MS = 120_000;
const SHOWN = 200;

export interface TraceApiRequesterOptions {
  /** Of the store, without a slash at its end. */
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly organization: string;
  readonly fetch: typeof globalThis.fetch;
}

export interface TraceApiRequest {
  readonly traceId?: string;
  readonly sha256?: string;
  readonly run?: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: string | Uint8Array;
  /** Of the body; JSON by default. */
  readonly mediaType?: string;
}

/** One request, made once. */
export interface TraceApiRequester {
  /** @throws TraceError of the store; NETWORK; PROTOCOL for an answer that is no JSON. */
  json(operation: OperationId, request: TraceApiRequest): Promise<unknown>;
  /** Throws as `json`. */
  bytes(operation: OperationId, request: TraceApiRequest): Promise<Uint8Array>;
  /** How many requests a client makes at once. Default: 8. */
  readonly maxRequests?: number;
}

/** Speaks to one organization of a trace store. */
export function createTraceApiRequester(options: TraceApiRequesterOptions): TraceApiRequester {
  return {
    async json(operation, request) {
      const { where, bytes } = await exchange(options, operation, request);
      const text = new TextDecoder().decode(bytes);
      const value = tryParseJson(text);
      if (value === undefined) throw notAStore(where, text);
      return value;
    },
    bytes: async (operation, request) => (await exchange(options, operation, request)).bytes,
  };
}

async function exchange(
  { url, apiKey, organization, fetch }: TraceApiRequesterOptions,
  operation: OperationId,
  request: TraceApiRequest,
) {
  const { traceId = '', sha256 = '', run = '', query, body, mediaType = 'application/json' } = request;
  const { method, path } = operations[operation];
  const filled = path
    .replace('{org}', encodeURIComponent(organization))
    .replace('{traceId}', encodeURIComponent(traceId))
    .replace('{sha256}', encodeURIComponent(sha256))
    .replace('{run}', encodeURIComponent(run));
  const where = `${method.toUpperCase()} ${url}${filled}`;
  const { response, bytes } = await answer(where, async () => {
    const got = await fetch(url + filled + (query ? `?${new URLSearchParams(textsOf(query))}` : ''), {
      method: method.toUpperCase(),
      headers: {
        ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
        ...(body === undefined ? {} : { 'content-type': mediaType }),
      },
      // The types of the platform's buffers differ between versions of TypeScript's libraries.
      ...(body === undefined ? {} : { body: body as BodyInit }),
      // A key must not follow to a host that was not asked for.
      redirect: 'manual',
      credentials: 'omit',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return { response: got, bytes: new Uint8Array(await got.arrayBuffer()) };
  });
  if (!response.ok) throw refusalOf(where, response, new TextDecoder().decode(bytes));
  return { where, bytes };
}

const textsOf = (query: NonNullable<TraceApiRequest['query']>): string[][] =>
  Object.entries(query).map(([name, value]) => [name, String(value)]);

async function answer<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new TraceError('NETWORK', `no answer to ${where}: ${failureReason(cause)}`, { cause });
  }
}

function refusalOf(where: string, response: Response, text: string): TraceError {
  const { status } = response;
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after')) ?? 0;
  const told = parseTraceError(status, tryParseJson(text), retryAfterMs);
  if (told) return told;
  // What stands before a store answers in its own words.
  const words = truncate(text.trim(), SHOWN) || response.statusText || 'nothing';
  const redirect = response.type === 'opaqueredirect' || (status >= 300 && status < 400);
  const advice = redirect ? '; use the address that it redirects to' : '; is there a trace store?';
  const message = `${where} answered ${status}: ${words}${status >= 500 ? '' : advice}`;
  return new TraceError('PROTOCOL', message, { status: status || null, retryAfterMs });
}

const notAStore = (where: string, text: string) =>
  new TraceError('PROTOCOL', `${where} answered what is no JSON: ${truncate(text, SHOWN)}; is there a trace store?`);
