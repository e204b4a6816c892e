import type { ServerResponse } from 'node:http';
import { sleep } from '../../../core/index.ts';
import type { Exchange } from '../../probe/index.ts';

type ReplyHeaders = Readonly<Record<string, string>>;

/** One event as it stands on the wire, unless a script writes it otherwise. */
export const eventText = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`;

/** The answer to one request, while it is written. */
export class ScriptedReply {
  readonly #response: ServerResponse;
  readonly #exchange: Exchange;
  readonly #now: () => number;
  readonly #packetMs: number;

  constructor(response: ServerResponse, exchange: Exchange, now: () => number, packetMs: number) {
    this.#response = response;
    this.#exchange = exchange;
    this.#now = now;
    this.#packetMs = packetMs;
    response.on('close', () => {
      if (exchange.endedAt !== undefined) return;
      exchange.endedAt = now();
      exchange.failure = 'the client broke the connection';
    });
  }

  /** Whether the client has gone. */
  get isClosed(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  /** A whole answer. */
  json(status: number, body: unknown, headers: ReplyHeaders = {}): void {
    const bytes = Buffer.from(JSON.stringify(body));
    this.#head(status, { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length), ...headers });
    this.#exchange.chunks.push({ at: this.#now(), bytes });
    this.#end(() => this.#response.end(bytes));
  }

  /** An answer without body. */
  status(status: number, headers: ReplyHeaders): void {
    this.#head(status, { 'Content-Length': '0', ...headers });
    this.#end(() => this.#response.end());
  }

  /** Begins an event stream. */
  stream(): void {
    this.#head(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
    this.#response.flushHeaders();
  }

  /** Writes a piece of a stream; resolves when it is on its way. */
  async write(piece: string | Uint8Array): Promise<void> {
    if (this.isClosed) return;
    const bytes = Buffer.from(piece as string);
    this.#exchange.chunks.push({ at: this.#now(), bytes });
    await new Promise<void>((resolve) => this.#response.write(bytes, () => resolve()));
  }

  async event(name: string, data: string): Promise<void> {
    await this.write(eventText(name, data));
  }

  /** Writes pieces with a pause after each, so that they arrive one by one. */
  async writeSpaced(pieces: readonly (string | Uint8Array)[]): Promise<void> {
    for (const piece of pieces) {
      await this.write(piece);
      await sleep(this.#packetMs);
      // Timers that are late come in a row; after this, what was written has left.
      await new Promise(setImmediate);
    }
  }

  end(): void {
    this.#end(() => this.#response.end());
  }

  /** Breaks the connection off, after what was written has had time to arrive. */
  async breakConnection(): Promise<void> {
    await sleep(this.#packetMs);
    this.#exchange.failure = 'the script broke the connection';
    this.#end(() => this.#response.destroy());
  }

  #head(status: number, headers: ReplyHeaders): void {
    this.#exchange.status = status;
    this.#exchange.responseHeaders = Object.entries(headers);
    this.#exchange.headAt = this.#now();
    this.#response.writeHead(status, { ...headers });
  }

  #end(end: () => void): void {
    this.#exchange.endedAt ??= this.#now();
    end();
  }
}
