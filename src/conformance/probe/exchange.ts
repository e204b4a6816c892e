import type { IncomingMessage } from 'node:http';
import { Condition, isRecord, startTimer, truncate, tryParseJson } from '../../core/index.ts';
import { UntestableError } from '../assertions.ts';
import { type StreamEvent, StrictSseParser } from './sse-parser.ts';

/**
 * A header line as it was sent.
 *
 * @example
 * const header: HttpHeader = ['Authorization', `Bearer ${key}`];
 */
export type HttpHeader = readonly [name: string, value: string];

export const JSON_TYPE: HttpHeader = ['Content-Type', 'application/json'];

/** Bytes that arrived together. */
export interface ReceivedChunk {
  /** Milliseconds since the start of the run. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** One request with its response, kept as evidence. Times are milliseconds since the start of the run. */
export interface Exchange {
  /** Counts the exchanges of a run, from 1. */
  readonly number: number;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: readonly HttpHeader[];
  readonly requestBody: Uint8Array | undefined;
  readonly sentAt: number;
  status?: number;
  responseHeaders: readonly HttpHeader[];
  readonly chunks: ReceivedChunk[];
  /** Arrival of the response headers. */
  headAt?: number;
  /** End of the response, or of the connection. */
  endedAt?: number;
  /** Reason why the response is missing or incomplete: a reset, a time limit. */
  failure?: string;
}

const MIB = 1024 * 1024;
/** No check requests longer responses; a longer one may be endless. */
const MAX_MIB = { stream: 48, other: 32 } as const;
/** Kept part of a longer response: as many bytes as reports show, and some events. */
const KEPT = { bytes: 64 * 1024, events: 100 } as const;

/** A request whose response is arriving. */
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

  /** The response is complete, has broken off, or will not arrive. */
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
    response.on('aborted', () => this.fail('the connection closed before the end of the response'));
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

  /** Breaks the connection, like a client that disconnects. */
  abort(): void {
    // The connection of a complete response may already serve another request.
    if (this.hasEnded) return;
    this.fail('the suite closed the connection');
    this.#abort();
  }

  [Symbol.dispose](): void {
    this.abort();
  }

  /** Stops reading, so that the server's writes block. */
  pause(): void {
    this.#isPaused = true;
    this.#response?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#response?.resume();
  }

  /** Waits until the condition holds, the response ends, or the time is over; returns the condition. */
  async waitUntil(condition: () => boolean, withinMs: number): Promise<boolean> {
    await this.#changed.until(() => this.hasEnded || condition(), { ms: withinMs });
    return condition();
  }

  /** Resolves with the first event of this name as soon as it arrives; undefined if the response ends without one. */
  async event(name: string): Promise<StreamEvent | undefined> {
    const find = () => this.reader.events.find(({ event }) => event === name);
    await this.#changed.until(() => this.hasEnded || find() !== undefined);
    return find();
  }

  /** Resolves when the response headers have arrived, or will never arrive. */
  async head(): Promise<void> {
    await this.#changed.until(() => this.hasEnded || this.exchange.headAt !== undefined);
  }

  /**
   * Resolves with the response when it ends, also if it is incomplete; `exchange.failure` has the reason. Rejects with
   * UntestableError if it is too long and not a stream: long lists are allowed.
   */
  async end(): Promise<ProbeResponse> {
    await this.#changed.until(() => this.hasEnded);
    const response = new ProbeResponse(this.exchange, this.reader);
    return this.#isTooLong && !this.isEventStream ? response.requireComplete() : response;
  }

  /** Like `end`, but rejects with UntestableError if the response is missing or incomplete. */
  async requireComplete(): Promise<ProbeResponse> {
    return (await this.end()).requireComplete();
  }

  /** Aborts a response that exceeds the limit. */
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

function keepBeginning(chunks: ReceivedChunk[]): void {
  let length = 0;
  let end = 0;
  while (length < KEPT.bytes) length += chunks[end++]?.bytes.length ?? KEPT.bytes;
  chunks.splice(end);
}

/** Returns the raw headers of Node, in which names and values alternate, as pairs. */
export const headerPairs = (rawHeaders: readonly string[]): HttpHeader[] =>
  rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : []));

/** A response that has ended. Its methods throw UntestableError, and assert nothing about the server. */
export class ProbeResponse {
  readonly exchange: Exchange;
  readonly stream: StrictSseParser;

  constructor(exchange: Exchange, stream: StrictSseParser) {
    this.exchange = exchange;
    this.stream = stream;
  }

  /** 0 without a response. */
  get status(): number {
    return this.exchange.status ?? 0;
  }

  get isSuccess(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** Returns the value of a header; names are case-insensitive. */
  header(name: string): string | undefined {
    return this.exchange.responseHeaders.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
  }

  get contentType(): string {
    return this.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  }

  get text(): string {
    return Buffer.concat(this.exchange.chunks.map(({ bytes }) => bytes)).toString('utf8');
  }

  /** The body as JSON; undefined if it is not valid. */
  get json(): unknown {
    return tryParseJson(this.text);
  }

  /** `detail` of an error response; the body if there is none. */
  get detail(): string {
    const { json } = this;
    const detail = isRecord(json) ? json.detail : undefined;
    return typeof detail === 'string' ? detail : detail === undefined ? this.text : JSON.stringify(detail);
  }

  /** The response in a message: `404 {"detail":"..."}`. */
  get summary(): string {
    if (this.exchange.failure !== undefined) return `no complete response (${this.exchange.failure})`;
    return `${this.status} ${truncate(this.text, 200)}`.trimEnd();
  }

  /** Returns this response. @throws UntestableError if it is incomplete */
  requireComplete(): this {
    const { failure, method, url } = this.exchange;
    if (failure === undefined) return this;
    throw new UntestableError(`${method} ${new URL(url).pathname} got no complete response: ${failure}`);
  }

  /** Returns this response. @throws UntestableError if it is not a success */
  requireSuccess(what: string): this {
    if (!this.isSuccess) throw new UntestableError(`${what} returned ${this.summary}`);
    return this;
  }

  get events(): readonly StreamEvent[] {
    return this.stream.events;
  }

  /** Data of the first `task_id` event. */
  get taskId(): string | undefined {
    return this.events.find(({ event }) => event === 'task_id')?.data;
  }

  /** Data of all `chunk` events and of `end`, joined; undefined if there is no `end`. */
  get resultText(): string | undefined {
    if (!this.events.some(({ event }) => event === 'end')) return undefined;
    return this.events
      .filter(({ event }) => event === 'chunk' || event === 'end')
      .map(({ data }) => data)
      .join('');
  }

  /** Result of a call; undefined if it is missing or not valid JSON. */
  get result(): unknown {
    const text = this.resultText;
    return text === undefined ? undefined : tryParseJson(text);
  }

  /** Text of the `error` event. */
  get streamError(): string | undefined {
    return this.events.find(({ event }) => event === 'error')?.data;
  }

  /** Reason why the call failed, in any of the documented ways; undefined if it succeeded. */
  get failure(): string | undefined {
    if (this.status >= 400) return this.detail;
    const { result } = this;
    return this.streamError ?? (isRecord(result) && result.ok === false ? String(result.error) : undefined);
  }

  /** Output of a call. @throws UntestableError if the call did not succeed */
  get output(): Record<string, unknown> {
    const output = outputIn(this.result);
    if (output) return output;
    throw new UntestableError(`the call returned no output: ${this.failure ?? this.summary}`);
  }

  /** All texts of the output, joined; undefined if the call did not succeed. */
  get outputText(): string | undefined {
    const output = outputIn(this.result);
    return output && textIn(output);
  }
}

const outputIn = (result: unknown): Record<string, unknown> | undefined =>
  isRecord(result) && result.ok === true && isRecord(result.output) ? result.output : undefined;

/** Returns all texts of an output, joined. */
export const textIn = ({ blocks }: Record<string, unknown>): string =>
  (Array.isArray(blocks) ? blocks : [])
    .map((block) => (isRecord(block) && typeof block.text === 'string' ? block.text : ''))
    .join('');
