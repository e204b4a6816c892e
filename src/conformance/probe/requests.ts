import { parseRetryAfter } from '../../core/index.ts';
import { UntestableError } from '../assertions.ts';
import type { ProbeConnection, RawConnection } from './connection.ts';
import { type Exchange, type HttpHeader, JSON_TYPE, type PendingExchange, type ProbeResponse } from './exchange.ts';

export interface RequestOptions {
  /** Sent as JSON, with its Content-Type. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly body?: string | Uint8Array;
  readonly headers?: readonly HttpHeader[];
  /** X-Session-ID. */
  readonly sid?: string;
  /** @default the time limit of the run */
  readonly timeoutMs?: number;
  /** Follows redirects within the server, with method and body. @default false */
  readonly follow?: boolean;
  /** Repeats `/create` while the server is at its session limit. @default true */
  readonly retryWhileFull?: boolean;
}

/** Content of a request that is written as text; only Host and the headers of the run are added. */
export interface RawRequestOptions {
  readonly sid?: string;
  readonly headers?: readonly HttpHeader[];
  readonly body?: string;
}

const MAX_REDIRECTS = 5;

/** Lets servers that record episodes distinguish those of checks. */
const TRACE_TAGS: HttpHeader = ['X-Trace-Tags', 'conformance'];

/** Sends the requests of one check, and records all of them as its evidence. */
export class ProbeRequests {
  readonly exchanges: Exchange[] = [];
  readonly #connection: ProbeConnection;

  constructor(connection: ProbeConnection) {
    this.#connection = connection;
  }

  /** Starts a request whose response can be read while it arrives. */
  open(method: string, path: string, options: RequestOptions = {}): PendingExchange {
    const { json, body, sid, headers = [], timeoutMs } = options;
    const transfer = this.#connection.open({
      method,
      path,
      headers: [
        ...(json === undefined ? [] : [JSON_TYPE]),
        ...(sid === undefined ? [] : [['X-Session-ID', sid] as const]),
        ...(path === '/create' ? [TRACE_TAGS] : []),
        ...headers,
      ],
      body: bodyBytes(json === undefined ? body : JSON.stringify(json), method),
      timeoutMs,
    });
    this.exchanges.push(transfer.exchange);
    return transfer;
  }

  /** Sends a request, and resolves with the response. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<ProbeResponse> {
    let response = await this.open(method, path, options).end();
    for (let count = 0; options.follow && count < MAX_REDIRECTS; count++) {
      const next = redirectOf(response);
      if (next === undefined) break;
      response = await this.open(method, next.href, options).end();
    }
    return response;
  }

  /** Opens a connection, and writes the first bytes to it. */
  openRaw(bytes: string | Uint8Array, isEvidence = true): RawConnection {
    const connection = this.#connection.openRaw(Buffer.from(bytes as string));
    if (isEvidence) this.exchanges.push(connection.exchange);
    return connection;
  }

  /** Returns a request as HTTP/1.1 text. */
  formatRequest(method: string, path: string, { sid, headers = [], body = '' }: RawRequestOptions = {}): string {
    const session = sid === undefined ? [] : [['X-Session-ID', sid] as const];
    return this.#connection.requestText(method, path, [...session, ...headers], body);
  }
}

/** Returns the target of a 307 or 308. */
function redirectOf(response: ProbeResponse): URL | undefined {
  const location = response.header('location');
  if ((response.status !== 307 && response.status !== 308) || !location) return undefined;
  return URL.canParse(location, response.exchange.url) ? new URL(location, response.exchange.url) : undefined;
}

function bodyBytes(body: string | Uint8Array | undefined, method: string): Uint8Array | undefined {
  if (body !== undefined) return Buffer.from(body as string);
  // An empty body adds Content-Length: 0.
  return method === 'POST' ? new Uint8Array() : undefined;
}

const MAX_ATTEMPTS = 6;
const DEFAULT_WAIT_MS = 1_000;
const MAX_WAIT_MS = 5_000;

/**
 * Repeats a `/create` that the server rejects with 429 or 503: concurrent checks delete their sessions soon. Rejects with
 * UntestableError after six attempts, which take at most half a minute.
 */
export async function retryWhileFull(
  send: () => Promise<ProbeResponse>,
  pause: (ms: number) => Promise<unknown>,
): Promise<ProbeResponse> {
  for (let attempts = 1; ; attempts++) {
    const response = await send();
    if (response.status !== 503 && response.status !== 429) return response;
    if (attempts === MAX_ATTEMPTS) {
      throw new UntestableError(`the server has no room for another session: ${response.summary}; try --concurrency 1`);
    }
    await pause(Math.min(parseRetryAfter(response.header('retry-after')) ?? DEFAULT_WAIT_MS, MAX_WAIT_MS));
  }
}
