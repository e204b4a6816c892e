import type { Socket } from 'node:net';
import { Condition } from '../../core/index.ts';
import type { Exchange } from './exchange.ts';

/** A connection of its own on which a check writes bytes as it likes; for what no HTTP client would send. */
export class RawConnection {
  readonly exchange: Exchange;
  readonly #socket: Socket;
  readonly #changed = new Condition();

  constructor(exchange: Exchange, socket: Socket) {
    this.exchange = exchange;
    this.#socket = socket;
    const notify = () => this.#changed.notify();
    socket.on('data', notify).on('close', notify);
  }

  /** All that came back. */
  get bytes(): Buffer {
    return Buffer.concat(this.exchange.chunks.map(({ bytes }) => bytes));
  }

  /** The same as text, a character for each byte. */
  get text(): string {
    return this.bytes.toString('latin1');
  }

  get isClosed(): boolean {
    return this.exchange.endedAt !== undefined;
  }

  /** Writes further bytes; those that the server no longer takes are lost. */
  write(bytes: string | Uint8Array): void {
    if (this.#socket.writable) this.#socket.write(bytes);
  }

  /** Says that nothing more will be written, and still reads. */
  finish(): void {
    this.#socket.end();
  }

  /** Reads no further. */
  pause(): void {
    this.#socket.pause();
  }

  /** Breaks the connection. */
  close(): void {
    this.#socket.destroy();
  }

  /** Whether something comes to hold of what has arrived, before the server closes or so many milliseconds are over. */
  async waitUntil(condition: () => boolean, withinMs: number): Promise<boolean> {
    await this.#changed.until(() => this.isClosed || condition(), { ms: withinMs });
    return condition();
  }
}
