import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Condition, failureReason, hasCode, isHttpUrl, withoutTrailingSlashes } from '../../core/index.ts';
import { UntestableError } from '../assertions.ts';
import type { ConformanceOptions } from '../options.ts';
import { type Exchange, type HttpHeader, PendingExchange } from './exchange.ts';

export interface ConnectionOptions {
  /** Base URL of the server; its path precedes every path. */
  readonly url: URL;
  /** Headers of every request, such as an API key. */
  readonly headers: readonly HttpHeader[];
  /** Default time limit for one response, in milliseconds. */
  readonly timeoutMs: number;
  readonly tls: NonNullable<ConformanceOptions['tls']>;
}

export interface OutgoingRequest {
  readonly method: string;
  /** Path below the base URL, with a leading slash; or an absolute URL of the same server. */
  readonly path: string;
  readonly headers: readonly HttpHeader[];
  readonly body: Uint8Array | undefined;
  readonly timeoutMs?: number | undefined;
}

// Servers close idle connections; a request on a connection that is just being closed would fail.
const IDLE_SOCKET_MS = 1_000;
// Several idle connections may be closed at the same time.
const MAX_RETRIES = 3;
// Responses to raw requests are short.
const MAX_RAW_MIB = 8;

/** Plain HTTP client for one server: no knowledge of ORS, no redirects, no retries of requests that a server has read. */
export class ProbeConnection implements Disposable {
  readonly #options: ConnectionOptions;
  readonly #agent: HttpAgent;
  readonly #startedAt = performance.now();
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
    return performance.now() - this.#startedAt;
  }

  /** Value of the Host header. */
  get host(): string {
    return this.#options.url.host;
  }

  /** Sends a request whose response is read while it arrives. */
  open(outgoing: OutgoingRequest): PendingExchange {
    const { exchange, url } = this.#exchange(outgoing);
    const transfer = new PendingExchange(exchange, () => this.now(), outgoing.timeoutMs ?? this.#options.timeoutMs);
    this.#send(outgoing, url, transfer);
    return transfer;
  }

  /** Writes bytes to a new connection, and reads until it is closed; for requests that are not valid HTTP. */
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
    socket.on('data', (chunk) => {
      exchange.chunks.push({ at: this.now(), bytes: chunk });
      length += chunk.length;
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

  /** Returns a request as HTTP/1.1 text, with the headers of the run. */
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
    // A redirect to another origin would leak the session id and the API key.
    if (url.origin !== base.origin) throw new UntestableError(`the server redirects to another origin, ${url.origin}`);
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

  #send(outgoing: OutgoingRequest, url: URL, transfer: PendingExchange, retries = MAX_RETRIES): void {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(url, {
      method: outgoing.method,
      agent: this.#agent,
      headers: groupHeaders(transfer.exchange.requestHeaders),
      ...(url.protocol === 'https:' && this.#options.tls),
    });
    request.on('response', (response: IncomingMessage) => transfer.begin(response));
    request.on('error', (error) => {
      const isStale = request.reusedSocket && hasCode(error, 'ECONNRESET', 'EPIPE');
      const isUnanswered = transfer.exchange.status === undefined && !transfer.hasEnded;
      if (isStale && isUnanswered && retries > 0) this.#send(outgoing, url, transfer, retries - 1);
      else transfer.fail(failureReason(error));
    });
    transfer.onAbort(() => request.destroy());
    if (outgoing.body === undefined) request.end();
    else request.setHeader('Content-Length', outgoing.body.length).end(outgoing.body);
  }
}

/** Returns headers by name; repeated headers stay separate lines. */
function groupHeaders(headers: readonly HttpHeader[]): Record<string, string | string[]> {
  const all = new Map<string, string | string[]>();
  for (const [name, value] of headers) {
    const before = all.get(name);
    all.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(all);
}

/** A connection on which a check writes arbitrary bytes; for requests that no HTTP client would send. */
export class RawConnection {
  readonly exchange: Exchange;
  readonly #socket: Socket;
  readonly #changed = new Condition();

  constructor(exchange: Exchange, socket: Socket) {
    this.exchange = exchange;
    this.#socket = socket;
    const notify = () => this.#changed.notify();
    socket.on('data', notify).on('drain', notify).on('close', notify);
  }

  /** All received bytes. */
  get bytes(): Buffer {
    return Buffer.concat(this.exchange.chunks.map(({ bytes }) => bytes));
  }

  /** The received bytes as latin1 text. */
  get text(): string {
    return this.bytes.toString('latin1');
  }

  get isClosed(): boolean {
    return this.exchange.endedAt !== undefined;
  }

  /** Writes further bytes, unless the server has closed the connection. */
  write(bytes: string | Uint8Array): void {
    if (this.#socket.writable) this.#socket.write(bytes);
  }

  /** Closes the writing side, and continues to read. */
  finish(): void {
    this.#socket.end();
  }

  /** Stops reading. */
  pause(): void {
    this.#socket.pause();
  }

  /** Reads again. */
  resume(): void {
    this.#socket.resume();
  }

  /** Waits until all bytes have been passed to the system, the connection is closed, or the time is over. */
  async written(withinMs: number): Promise<void> {
    await this.waitUntil(() => this.#socket.writableLength === 0, withinMs);
  }

  /** Destroys the connection. */
  close(): void {
    this.#socket.destroy();
  }

  /** Resolves with the exchange when the server closes the connection. Closes it after this time. */
  async closed(withinMs: number): Promise<Exchange> {
    if (await this.waitUntil(() => this.isClosed, withinMs)) return this.exchange;
    this.exchange.failure ??= `no end within ${withinMs / 1_000} s`;
    this.close();
    return this.exchange;
  }

  /** Waits until the condition holds, the server closes the connection, or the time is over; returns the condition. */
  async waitUntil(condition: () => boolean, withinMs: number): Promise<boolean> {
    await this.#changed.until(() => this.isClosed || condition(), { ms: withinMs });
    return condition();
  }
}
