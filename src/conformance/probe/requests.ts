import type { Answer } from './answer.ts';
import type { Connection } from './connection.ts';
import type { Exchange, Header } from './exchange.ts';
import type { Transfer } from './transfer.ts';

export interface RequestOptions {
  /** Sent as JSON, with its Content-Type. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: string | Uint8Array;
  readonly headers?: readonly Header[];
  /** X-Session-ID. */
  readonly sid?: string;
  /** Default: as the run's. */
  readonly timeoutMs?: number;
  /** Follows redirects within the server, with method and body. Default: false. */
  readonly follow?: boolean;
}

const MOST_REDIRECTS = 5;

/** Requests of one check; all of them are kept as its evidence. */
export class Requests {
  readonly exchanges: Exchange[] = [];
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Starts a request; its answer can be read while it comes. */
  open(method: string, path: string, options: RequestOptions = {}): Transfer {
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
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    let answer = await this.open(method, path, options).end();
    for (let count = 0; options.follow && isRedirect(answer) && count < MOST_REDIRECTS; count++) {
      const next = new URL(answer.header('location') ?? '', answer.exchange.url);
      answer = await this.open(method, next.href, options).end();
    }
    return answer;
  }

  /** Writes bytes on a connection of their own; resolves with what came back when it is closed, or after the time. */
  async raw(bytes: string | Uint8Array, waitMs: number): Promise<Exchange> {
    const { exchange, socket } = this.#connection.openRaw(Buffer.from(bytes as string));
    this.exchanges.push(exchange);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        exchange.failure ??= `no end within ${waitMs / 1_000} s`;
        socket.destroy();
        resolve();
      }, waitMs);
      socket.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    return exchange;
  }
}

const isRedirect = ({ status }: Answer) => status === 307 || status === 308;

function bodyBytes(body: string | Uint8Array | undefined, method: string): Uint8Array | undefined {
  if (body !== undefined) return Buffer.from(body as string);
  // A POST without a body says that it has none.
  return method === 'POST' ? new Uint8Array() : undefined;
}
