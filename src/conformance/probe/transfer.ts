import type { IncomingMessage } from 'node:http';
import { Condition, startTimer } from '../../core/index.ts';
import { ProbeResponse } from './answer.ts';
import { type StreamEvent, StrictSseParser } from './event-reader.ts';
import type { Exchange, ReceivedChunk } from './exchange.ts';

const MIB = 1024 * 1024;
/** No check asks for answers as long; what is longer may never end. */
const MAX_MIB = { stream: 48, other: 32 } as const;
/** What is kept of a longer one: as much as reports show, and events enough to see what it was. */
const KEPT = { bytes: 64 * 1024, events: 100 } as const;

/** One request while its answer arrives. */
export class PendingExchange implements Disposable {
  readonly exchange: Exchange;
  readonly reader = new StrictSseParser();
  readonly #now: () => number;
  readonly #timeoutMs: number;
  readonly #cancelTimer: () => void;
  readonly #changed = new Condition();
  #abort: () => void = () => undefined;
  #response: IncomingMessage | undefined;
  #isPaused = false;
  #bytes = 0;
  #isTooLong = false;

  constructor(exchange: Exchange, now: () => number, timeoutMs: number) {
    this.exchange = exchange;
    this.#now = now;
    this.#timeoutMs = timeoutMs;
    this.#cancelTimer = startTimer(timeoutMs, () => this.#onTimeout());
  }

  /** The answer has ended, broken off, or will not come. */
  get hasEnded(): boolean {
    return this.exchange.endedAt !== undefined;
  }

  begin(response: IncomingMessage): void {
    this.#response = response;
    this.exchange.status = response.statusCode ?? 0;
    this.exchange.responseHeaders = headerPairs(response.rawHeaders);
    this.exchange.headAt = this.#now();
    response.on('data', (bytes: Uint8Array) => {
      if (this.hasEnded) return;
      const at = this.#now();
      this.exchange.chunks.push({ at, bytes });
      if (this.isEventStream) this.reader.feed(bytes, at);
      this.#bytes += bytes.length;
      this.#limit();
      this.#changed.notify();
    });
    response.on('error', (error) => this.fail(error.message));
    response.on('aborted', () => this.fail('the connection broke within the answer'));
    response.on('end', () => {
      if (this.hasEnded) return;
      if (this.isEventStream) this.reader.end(this.#now());
      this.#end();
    });
    if (this.#isPaused) response.pause();
    this.#changed.notify();
  }

  get isEventStream(): boolean {
    const type = this.exchange.responseHeaders.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
    return type?.trimStart().toLowerCase().startsWith('text/event-stream') === true;
  }

  fail(reason: string): void {
    if (this.hasEnded) return;
    this.exchange.failure = reason;
    this.#end();
  }

  onAbort(abort: () => void): void {
    this.#abort = abort;
  }

  /** Breaks the connection, as a client does that goes away. */
  abort(): void {
    // The connection of an answer that is over may serve another request.
    if (this.hasEnded) return;
    this.fail('the suite broke the connection');
    this.#abort();
  }

  [Symbol.dispose](): void {
    this.abort();
  }

  /** Reads no further, so that the server meets a full connection. */
  pause(): void {
    this.#isPaused = true;
    this.#response?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#response?.resume();
  }

  /** Whether something comes to hold of what has arrived, before the answer is over or so many milliseconds are. */
  async waitUntil(condition: () => boolean, withinMs: number): Promise<boolean> {
    await this.#changed.until(() => this.hasEnded || condition(), { ms: withinMs });
    return condition();
  }

  /** The first event of this name; as soon as it is there. Undefined if the answer ends without one. */
  async event(name: string): Promise<StreamEvent | undefined> {
    const find = () => this.reader.events.find(({ event }) => event === name);
    await this.#changed.until(() => this.hasEnded || find() !== undefined);
    return find();
  }

  /** Resolves when the answer's head is there, or will never be. */
  async head(): Promise<void> {
    await this.#changed.until(() => this.hasEnded || this.exchange.headAt !== undefined);
  }

  /**
   * The answer, when it is over. An answer that broke off is one too: `exchange.failure` says why. Untestable if it is no
   * stream and has no end: a long list is nothing wrong.
   */
  async end(): Promise<ProbeResponse> {
    await this.#changed.until(() => this.hasEnded);
    const response = new ProbeResponse(this.exchange, this.reader);
    return this.#isTooLong && !this.isEventStream ? response.requireComplete() : response;
  }

  /** As `end`, but an answer that broke off or never came makes the check untestable. */
  async requireComplete(): Promise<ProbeResponse> {
    return (await this.end()).requireComplete();
  }

  /** Reads no more of an answer than there is room for. */
  #limit(): void {
    const max = this.isEventStream ? MAX_MIB.stream : MAX_MIB.other;
    if (this.#bytes <= max * MIB) return;
    this.#isTooLong = true;
    this.fail(`more than ${max} MiB`);
    this.#abort();
    keepBeginning(this.exchange.chunks);
    this.reader.truncate(KEPT.events);
  }

  #onTimeout(): void {
    this.fail(`no end within ${this.#timeoutMs / 1_000} s`);
    this.#abort();
  }

  #end(): void {
    this.#cancelTimer();
    this.exchange.endedAt = this.#now();
    this.#changed.notify();
  }
}

function keepBeginning(pieces: ReceivedChunk[]): void {
  let [end, length] = [0, 0];
  while (length < KEPT.bytes) length += pieces[end++]?.bytes.length ?? KEPT.bytes;
  pieces.splice(end);
}

/** Returns the raw headers of Node, in which names and values alternate, as pairs. */
export function headerPairs(rawHeaders: readonly string[]): [string, string][] {
  const all: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    all.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  }
  return all;
}
