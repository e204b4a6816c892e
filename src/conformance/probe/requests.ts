import type { ProbeResponse } from './answer.ts';
import type { ProbeConnection } from './connection.ts';
import type { Exchange, HttpHeader } from './exchange.ts';
import type { RawConnection } from './raw-connection.ts';
import type { PendingExchange } from './transfer.ts';

export interface RequestOptions {
  /** Sent as JSON, with its Content-Type. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: string | Uint8Array;
  readonly headers?: readonly HttpHeader[];
  /** X-Session-ID. */
  readonly sid?: string;
  /** Default: as the run's. */
  readonly timeoutMs?: number;
  /** Follows redirects within the server, with method and body. Default: false. */
  readonly follow?: boolean;
  /** Whether a `/create` is repeated while the server has no room for another session. Default: true. */
  readonly retryWhileFull?: boolean;
}

/** What stands in a request that is written as text; nothing is added but Host and the headers of the run. */
export interface RawRequestOptions {
  readonly sid?: string;
  readonly headers?: readonly HttpHeader[];
  readonly body?: string;
}

const MAX_REDIRECTS = 5;

/** Requests of one check; all of them are kept as its evidence. */
export class ProbeRequests {
  readonly exchanges: Exchange[] = [];
  readonly #connection: ProbeConnection;

  constructor(connection: ProbeConnection) {
    this.#connection = connection;
  }

  /** Starts a request; its answer can be read while it comes. */
  open(method: string, path: string, options: RequestOptions = {}): PendingExchange {
    const { json, body, sid, headers = [], timeoutMs } = options;
    const transfer = this.#connection.open({
      method,
      path,
      headers: [
        ...(json === undefined ? [] : [['Content-Type', 'application/json'] as const]),
        ...(sid === undefined ? [] : [['X-Session-ID', sid] as const]),
        ...headers,
      ],
      body: bodyBytes(json === undefined ? body : JSON.stringify(json), method),
      timeoutMs,
    });
    this.exchanges.push(transfer.exchange);
    return transfer;
  }

  /** A request and its answer, whatever that is. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<ProbeResponse> {
    let response = await this.open(method, path, options).end();
    for (let count = 0; options.follow && count < MAX_REDIRECTS; count++) {
      const next = redirectOf(response);
      if (next === undefined) break;
      response = await this.open(method, next.href, options).end();
    }
    return response;
  }

  /** A connection of its own, with the first bytes that are written to it. */
  openRaw(bytes: string | Uint8Array, isEvidence = true): RawConnection {
    const connection = this.#connection.openRaw(Buffer.from(bytes as string));
    if (isEvidence) this.exchanges.push(connection.exchange);
    return connection;
  }

  /** Writes bytes on a connection of their own; resolves with what came back when it is closed, or after the time. */
  async raw(bytes: string | Uint8Array, waitMs: number): Promise<Exchange> {
    const connection = this.openRaw(bytes);
    const { exchange } = connection;
    await connection.waitUntil(() => connection.isClosed, waitMs);
    if (connection.isClosed) return exchange;
    exchange.failure ??= `no end within ${waitMs / 1_000} s`;
    connection.close();
    return exchange;
  }

  /** A request as the bytes of HTTP/1.1. */
  formatRequest(method: string, path: string, { sid, headers = [], body = '' }: RawRequestOptions = {}): string {
    const session = sid === undefined ? [] : [['X-Session-ID', sid] as const];
    return this.#connection.requestText(method, path, [...session, ...headers], body);
  }
}

/** Where a 307 or 308 leads, if it leads anywhere. */
function redirectOf(response: ProbeResponse): URL | undefined {
  const location = response.header('location');
  if ((response.status !== 307 && response.status !== 308) || !location) return undefined;
  return URL.canParse(location, response.exchange.url) ? new URL(location, response.exchange.url) : undefined;
}

function bodyBytes(body: string | Uint8Array | undefined, method: string): Uint8Array | undefined {
  if (body !== undefined) return Buffer.from(body as string);
  // A POST without a body says that it has none.
  return method === 'POST' ? new Uint8Array() : undefined;
}
