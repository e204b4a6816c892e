import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { failureReason, hasCode, isHttpUrl, withoutTrailingSlashes } from '../../core/index.ts';
import { UntestableError } from '../verdict.ts';
import type { Exchange, HttpHeader } from './exchange.ts';
import { RawConnection } from './raw-connection.ts';
import { PendingExchange } from './transfer.ts';

export interface ConnectionOptions {
  /** The server's base URL; a path of it stands before every path. */
  readonly url: URL;
  /** Headers of every request, such as an API key. */
  readonly headers: readonly HttpHeader[];
  /** How long one answer may take, unless a check says otherwise, in milliseconds. */
  readonly timeoutMs: number;
  readonly tls: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    readonly rejectUnauthorized?: boolean;
  };
}

export interface OutgoingRequest {
  readonly method: string;
  /** From the base URL on, with its slash; or a whole URL of the same server. */
  readonly path: string;
  readonly headers: readonly HttpHeader[];
  readonly body: Uint8Array | undefined;
  readonly timeoutMs?: number | undefined;
}

// Servers close idle connections; a request on one that is just being closed would fail through no fault of theirs.
const IDLE_SOCKET_MS = 1_000;
// Several idle connections may be closed at the same time; the last attempt need not meet an open one.
const MAX_RETRIES = 3;
// What is asked for in bytes is short.
const MAX_RAW_MIB = 8;

/** Bare HTTP to one server. Knows nothing of ORS, follows no redirects, repeats nothing that a server has read. */
export class ProbeConnection implements Disposable {
  readonly #options: ConnectionOptions;
  readonly #agent: HttpAgent;
  readonly #began = performance.now();
  readonly #rawSockets = new Set<Socket>();
  #count = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const agentOptions = { keepAlive: true, timeout: IDLE_SOCKET_MS };
    this.#agent =
      options.url.protocol === 'https:'
        ? new HttpsAgent({ ...agentOptions, ...options.tls })
        : new HttpAgent(agentOptions);
  }

  /** Milliseconds since the run began. */
  now(): number {
    return performance.now() - this.#began;
  }

  /** What a Host header says. */
  get host(): string {
    return this.#options.url.host;
  }

  /** Sends a request; the answer is read as it comes. */
  open(outgoing: OutgoingRequest): PendingExchange {
    const { exchange, url } = this.#exchange(outgoing);
    const transfer = new PendingExchange(exchange, () => this.now(), outgoing.timeoutMs ?? this.#options.timeoutMs);
    this.#send(outgoing, url, transfer);
    return transfer;
  }

  /** Writes bytes on a connection of their own, and reads what comes until it is closed; for what is not HTTP. */
  openRaw(bytes: Uint8Array): RawConnection {
    const { url, tls } = this.#options;
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const servername = isIP(host) ? {} : { servername: host };
    const socket =
      url.protocol === 'https:' ? connectTls({ host, port, ...servername, ...tls }) : connectTcp({ host, port });
    this.#rawSockets.add(socket);
    const { exchange } = this.#exchange({ method: 'RAW', path: '', headers: [], body: bytes });
    let length = 0;
    socket.on('data', (piece) => {
      exchange.chunks.push({ at: this.now(), bytes: piece });
      length += piece.length;
      if (length > MAX_RAW_MIB * 1024 * 1024) socket.destroy(new Error(`more than ${MAX_RAW_MIB} MiB`));
    });
    socket.on('error', (error) => {
      exchange.failure = error.message;
    });
    socket.on('close', () => {
      exchange.endedAt = this.now();
      this.#rawSockets.delete(socket);
    });
    socket.write(bytes);
    return new RawConnection(exchange, socket);
  }

  /** A request as the bytes of HTTP/1.1, with the headers that every request has. */
  requestText(method: string, path: string, headers: readonly HttpHeader[], body = ''): string {
    const { url, headers: always } = this.#options;
    const target = withoutTrailingSlashes(url.pathname) + path;
    const lines = [['Host', this.host] as const, ...always, ...headers].map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
    for (const socket of this.#rawSockets) socket.destroy();
  }

  #exchange({ method, path, headers, body }: OutgoingRequest): { exchange: Exchange; url: URL } {
    const base = this.#options.url;
    const url = isHttpUrl(path) ? new URL(path) : new URL(base.origin + withoutTrailingSlashes(base.pathname) + path);
    // A redirect to elsewhere would carry the session and the key along.
    if (url.origin !== base.origin)
      throw new UntestableError(`the server sends requests on to another server, ${url.origin}`);
    const exchange: Exchange = {
      number: ++this.#count,
      method,
      url: url.href,
      requestHeaders: [...this.#options.headers, ...headers],
      requestBody: body,
      sentAt: this.now(),
      responseHeaders: [],
      chunks: [],
    };
    return { exchange, url };
  }

  #send(outgoing: OutgoingRequest, url: URL, transfer: PendingExchange, repeats = MAX_RETRIES): void {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(url, {
      method: outgoing.method,
      agent: this.#agent,
      headers: grouped(transfer.exchange.requestHeaders),
      ...(url.protocol === 'https:' && this.#options.tls),
    });
    request.on('response', (response: IncomingMessage) => transfer.begin(response));
    request.on('error', (error) => {
      const isStale = request.reusedSocket && hasCode(error, 'ECONNRESET', 'EPIPE');
      const isUnanswered = transfer.exchange.status === undefined && !transfer.hasEnded;
      if (isStale && isUnanswered && repeats > 0) this.#send(outgoing, url, transfer, repeats - 1);
      else transfer.fail(failureReason(error));
    });
    transfer.onAbort(() => request.destroy());
    endRequest(request, outgoing.body);
  }
}

/** Several lines of one header stay several lines. */
function grouped(headers: readonly HttpHeader[]): Record<string, string | string[]> {
  const all: Record<string, string | string[]> = {};
  for (const [name, value] of headers) {
    const before = all[name];
    all[name] = before === undefined ? value : [before, value].flat();
  }
  return all;
}

function endRequest(request: ClientRequest, body: Uint8Array | undefined): void {
  if (body === undefined) request.end();
  else request.setHeader('Content-Length', body.length).end(body);
}
