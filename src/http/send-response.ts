import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Awaitable, clampTimerMs, hasCode, isPromiseLike, stringifyJson } from '../core/index.ts';
import { encodeEvent, HEARTBEAT_COMMENT, type ServerSentEvent } from '../sse/index.ts';
import type { DescribeFailure } from './http-error.ts';
import {
  ByteStream,
  EventList,
  type EventStream,
  JSON_TYPE,
  JsonPieces,
  LateEvents,
  NOTHING,
  PlainText,
} from './operation.ts';
import { failure, type HttpResponse, isEvents } from './pipeline.ts';

export interface SendOptions extends SendEventsOptions {
  /** Called with errors after the pipeline. */
  readonly onError: (error: unknown) => void;
  readonly describeFailure?: DescribeFailure;
}

/**
 * Sends a response: JSON in one write, events and bytes as a stream. On an error after the head is sent, the connection is
 * cut. While a stream is open, nothing refers to `outcome`, so that its memory can be freed.
 */
export function sendResponse(response: ServerResponse, outcome: HttpResponse, options: SendOptions): Awaitable<void> {
  let sending: Awaitable<void>;
  try {
    sending = send(response, outcome, options);
  } catch (error) {
    return sendFailure(response, error, options);
  }
  return isPromiseLike(sending) ? afterSending(sending, response, options) : limitLastStall(response, options);
}

/** Separate function, since a closure in `sendResponse` would keep `outcome` in memory. */
const afterSending = (sending: Promise<void>, response: ServerResponse, options: SendOptions): Promise<void> =>
  sending.then(
    () => limitLastStall(response, options),
    (error) => sendFailure(response, error, options),
  );

function sendFailure(response: ServerResponse, error: unknown, options: SendOptions): void {
  const { status, headers, content } = failure(error, options.onError, undefined, options.describeFailure);
  if (response.headersSent) response.destroy();
  else sendText(response, { status, headers }, JSON.stringify(content));
}

function send(response: ServerResponse, outcome: HttpResponse, options: SendOptions): Awaitable<void> {
  const { content, headers } = outcome;
  if (isEvents(content)) {
    if (isHead(response)) return void response.writeHead(200, rawHeaders(HEADERS, headers)).end();
    if (content instanceof EventList) return sendEventList(response, content, headers, options);
    return sendEvents(response, content, headers, options);
  }
  if (content instanceof PlainText) return sendText(response, outcome, content.text, content.type);
  if (content instanceof ByteStream) return sendBytes(response, outcome, content, options);
  if (content instanceof JsonPieces) {
    return sendBytes(response, outcome, new ByteStream(content.pieces, JSON_TYPE), options);
  }
  if (content === NOTHING) return void response.writeHead(outcome.status, headers).end();
  return sendText(response, outcome, stringifyJson(content));
}

type Head = Pick<HttpResponse, 'status' | 'headers'>;

function sendText(response: ServerResponse, { status, headers }: Head, body: string, type = JSON_TYPE): void {
  const own = ['Content-Type', type, 'Content-Length', `${Buffer.byteLength(body)}`];
  sendWhole(response, status, rawHeaders(own, headers), body);
}

/** Sends a complete response in one write. */
export function sendWhole(response: ServerResponse, status: number, headers: string[], text: string): void {
  const { req } = response;
  const isEarly = !req.complete && hasBody(req);
  response.writeHead(status, isEarly && refusedBodies.has(req) ? [...headers, 'Connection', 'close'] : headers);
  response.write(text);
  // `end(text)` would add an empty second chunk to the write, which costs more than uncorking.
  response.socket?.uncork();
  if (isEarly && !refusedBodies.has(req)) endAfterBody(response);
  else response.end();
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;

const refusedBodies = new WeakSet<IncomingMessage>();

/** Marks a request whose client asked whether to send the body, and was not told to. */
export function refuseBody(request: IncomingMessage): void {
  refusedBodies.add(request);
}

/** Maximum part of a body that is received only to be discarded. */
export const MAX_DISCARDED_BYTES = 256 * 1024 * 1024;

/**
 * Ends a response whose request is still being received, once it has been: many clients read the response only after they
 * have sent the whole body, and a connection that is closed before is a broken pipe to them. The rest of the body is
 * discarded. Node ends a request that takes longer than the request timeout.
 */
function endAfterBody(response: ServerResponse): void {
  const { req } = response;
  let left = MAX_DISCARDED_BYTES;
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) response.destroy();
  });
  req.once('end', () => response.end());
  req.resume();
}

/**
 * Returns headers as a flat list, as in Node's `rawHeaders`. Building an object of headers, which Node takes apart again,
 * costs ten times as much.
 */
function rawHeaders(own: readonly string[], more: Readonly<Record<string, string>>): string[] {
  const raw = [...own];
  for (const name in more) raw.push(name, more[name] as string);
  return raw;
}

const headResponses = new WeakSet<ServerResponse>();

/** Marks the response of a HEAD request, for which no stream is started. */
export function markHead(response: ServerResponse): void {
  headResponses.add(response);
}

const isHead = (response: ServerResponse): boolean => headResponses.has(response);

/**
 * Streams bytes with back-pressure.
 *
 * @throws an error of the source. Before the first chunk nothing is sent, so another response is still possible.
 */
export async function sendBytes(
  response: ServerResponse,
  { status, headers }: Head,
  bytes: ByteStream,
  options: StallOptions,
): Promise<void> {
  const pieces = coalesce(bytes.chunks);
  const first = await pieces.next();
  response.writeHead(status, { ...headers, 'Content-Type': bytes.type });
  if (isHead(response)) {
    await pieces.return();
    response.end();
    return;
  }
  const stopLimit = limitStall(response, options);
  try {
    await pipeline(Readable.from(prepend(first, pieces), { objectMode: true, highWaterMark: 1 }), response);
  } catch (error) {
    // The client has disconnected.
    if (!isPrematureClose(error)) throw error;
  } finally {
    stopLimit();
  }
}

type Chunk = string | Uint8Array;

async function* prepend(first: IteratorResult<Chunk, void>, rest: AsyncGenerator<Chunk>): AsyncGenerator<Chunk> {
  if (!first.done) yield first.value;
  yield* rest;
}

/** Texts up to this length are joined into one write. */
const PIECE_LENGTH = 65_536;
/** Time slice, after which the event loop runs. */
const TURN_MS = 1;

/** Joins small texts, and yields to the event loop after each time slice: a fast reader would otherwise block it. */
async function* coalesce(chunks: ByteStream['chunks']): AsyncGenerator<Chunk, void, void> {
  let text = '';
  let since = performance.now();
  for await (const chunk of chunks) {
    const isText = typeof chunk === 'string';
    if (isText) text += chunk;
    const isOver = performance.now() - since >= TURN_MS;
    if (text !== '' && (isOver || !isText || text.length >= PIECE_LENGTH)) {
      yield text;
      text = '';
    }
    if (!isText) yield chunk;
    if (!isOver) continue;
    await nextTurn();
    since = performance.now();
  }
  if (text !== '') yield text;
}

const isPrematureClose = (error: unknown) => hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE');

/** Periods per time limit; a stalled reader is disconnected at most one period late. */
const PERIODS = 8;

export interface StallOptions {
  /** A reader that reads nothing for this time is disconnected. */
  readonly stalledReaderMs: number;
  /** Called for each reader that was disconnected. */
  readonly onStall?: () => void;
}

/**
 * Disconnects a reader that reads nothing for `stalledReaderMs` while a response waits for it.
 *
 * Node's socket timeout fires after a period in which the kernel accepted no byte; any byte starts a new period. With one
 * period as long as the limit, a reader could stay for twice the limit, so the period is an eighth of it.
 *
 * @returns stops the check.
 */
export function limitStall(response: ServerResponse, { stalledReaderMs, onStall }: StallOptions): () => void {
  const { socket } = response;
  if (!socket) return () => {};
  const period = Math.ceil(clampTimerMs(stalledReaderMs) / PERIODS);
  let silentPeriods = 0;
  let lastTimeout = performance.now();
  const onTimeout = () => {
    const now = performance.now();
    // If two timeouts are further apart, the kernel accepted bytes in between.
    if (now - lastTimeout >= 2 * period) silentPeriods = 0;
    lastTimeout = now;
    silentPeriods++;
    if (silentPeriods < PERIODS) return void socket.setTimeout(period);
    onStall?.();
    response.destroy();
  };
  socket.setTimeout(period);
  response.on('timeout', onTimeout);
  return () => {
    response.off('timeout', onTimeout);
    // Node may have set the keep-alive timeout since.
    if (socket.timeout === period) socket.setTimeout(0);
  };
}

/** Applies the limit to a response that is complete on this side but not yet read. */
export function limitLastStall(response: ServerResponse, options: StallOptions): void {
  if (response.writableLength > 0) response.once('finish', limitStall(response, options));
}

const HEADERS = [
  ...['Content-Type', 'text/event-stream; charset=utf-8'],
  ...['Cache-Control', 'no-cache, no-transform'],
  ...['X-Accel-Buffering', 'no'],
];

const FLUSH_LENGTH = 65_536;

/** Observer of one event stream. */
export interface StreamWatch {
  sent(bytes: number): void;
  /** Called when the stream starts and stops waiting for its reader. */
  waits(isWaiting: boolean): void;
  closed(): void;
}

export interface SendEventsOptions extends StallOptions {
  readonly heartbeatMs: number;
  /** Returns the observer of a new stream. */
  readonly watchStream?: () => StreamWatch | undefined;
}

/**
 * Streams events with back-pressure; events of one turn of the event loop are sent in one write. After `heartbeatMs` of
 * silence, a comment is sent. If the client disconnects, the source is closed.
 */
export function sendEvents(
  response: ServerResponse,
  source: EventStream | LateEvents,
  headers: Readonly<Record<string, string>>,
  options: SendEventsOptions,
): Promise<void> {
  return new Promise((done, failed) => new EventSender(response, headers, options, done, failed).begin(source));
}

/** Sends a complete list of events. */
function sendEventList(
  response: ServerResponse,
  { events }: EventList,
  headers: Readonly<Record<string, string>>,
  { watchStream }: SendEventsOptions,
): void {
  const watch = watchStream?.();
  let text = '';
  for (const event of events) text += encodeEvent(event);
  const length = Buffer.byteLength(text);
  sendWhole(response, 200, rawHeaders([...HEADERS, 'Content-Length', `${length}`], headers), text);
  watch?.sent(length);
  watch?.closed();
}

/**
 * One open stream. A class instead of an async function: racing each event against the disconnect would double its cost,
 * and a server may hold very many streams.
 */
class EventSender {
  readonly #response: ServerResponse;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #options: SendEventsOptions;
  readonly #done: () => void;
  readonly #failed: (error: unknown) => void;
  readonly #watch: StreamWatch | undefined;
  #events: AsyncIterator<ServerSentEvent | readonly ServerSentEvent[]> | undefined;
  #pending = '';
  /** True if all pending events are known to be ASCII. */
  #isAscii = true;
  #heartbeat: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor(
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    options: SendEventsOptions,
    done: () => void,
    failed: (error: unknown) => void,
  ) {
    this.#response = response;
    this.#headers = headers;
    this.#options = options;
    this.#done = done;
    this.#failed = failed;
    this.#watch = options.watchStream?.();
  }

  begin(source: EventStream | LateEvents): void {
    this.#response.on('close', () => this.#stop());
    if (this.#response.closed) this.#stop();
    else if (source instanceof LateEvents) this.#continueLater(source);
    else this.#follow(source);
  }

  /** Writes the pending events. */
  flush(): void {
    const response = this.#response;
    if (this.#pending === '' || response.closed) return;
    const text = this.#pending;
    this.#pending = '';
    const bytes = this.#isAscii ? text.length : Buffer.byteLength(text);
    this.#isAscii = true;
    // ASCII is the same in both encodings, and Latin-1 is faster for a large result.
    if (response.headersSent) response.write(text, bytes === text.length ? 'latin1' : 'utf8');
    else this.#writeFirst(text);
    this.#watch?.sent(bytes);
    this.#heartbeat ??= setInterval(beat, clampTimerMs(this.#options.heartbeatMs), response);
    this.#heartbeat.refresh();
  }

  /**
   * Sends head and events in one packet, but as separate strings: joined, the head that Node keeps would remain a rope of
   * twenty parts. Corks the socket, since newer versions of Node write a corked response in five pieces.
   */
  #writeFirst(text: string): void {
    const response = this.#response;
    const { socket } = response;
    socket?.cork();
    response.writeHead(200, rawHeaders(HEADERS, this.#headers));
    // The head must be Latin-1; `flushHeaders` would write UTF-8.
    response.write('', 'latin1');
    response.write(text);
    socket?.uncork();
  }

  #continueLater({ first, rest }: LateEvents): void {
    this.#write(first);
    this.#await(rest, (late) => (late instanceof EventList ? this.#end(late.events) : this.#follow(late)));
  }

  #follow(source: EventStream): void {
    this.#events = source[Symbol.asyncIterator]();
    this.#ask(this.#events);
  }

  #ask(events: AsyncIterator<ServerSentEvent | readonly ServerSentEvent[]>): void {
    this.#await(events.next(), ({ done, value }) => {
      if (done) return this.#end([]);
      this.#write([value].flat());
      if (!this.#response.writableNeedDrain) return this.#ask(events);
      this.#watch?.waits(true);
      const stopLimit = limitStall(this.#response, this.#options);
      this.#response.once('drain', () => {
        stopLimit();
        this.#watch?.waits(false);
        this.#ask(events);
      });
    });
  }

  /** Continues with the result, unless the stream has ended by then. */
  #await<T>(coming: Promise<T>, next: (value: T) => void): void {
    const proceed = (value: T) => {
      if (!this.#hasEnded) next(value);
    };
    coming.then(proceed).catch((error: unknown) => this.#fail(error));
  }

  /** Buffers events until the next turn of the event loop, or until there are many. */
  #write(events: readonly ServerSentEvent[]): void {
    if (this.#pending === '') flushSoon(this);
    for (const event of events) {
      this.#pending += encodeEvent(event);
      this.#isAscii &&= event.isAscii === true;
    }
    if (this.#pending.length >= FLUSH_LENGTH) this.flush();
  }

  #end(events: readonly ServerSentEvent[]): void {
    const response = this.#response;
    const text = events.reduce((before, event) => before + encodeEvent(event), this.#pending);
    this.#pending = '';
    const length = Buffer.byteLength(text);
    // A stream that ends within one turn has a known length.
    if (!response.headersSent) {
      response.writeHead(200, rawHeaders([...HEADERS, 'Content-Length', `${length}`], this.#headers));
    }
    response.end(text);
    this.#watch?.sent(length);
    this.#stop();
  }

  /** Sends the pending events, and ends with an error. */
  #fail(error: unknown): void {
    if (this.#hasEnded) return;
    this.flush();
    // Only the first of this and `done` has an effect.
    this.#failed(error);
    this.#stop();
  }

  #stop(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearInterval(this.#heartbeat);
    this.#watch?.closed();
    // Not awaited, since the source may be waiting.
    void this.#events?.return?.();
    this.#done();
  }
}

const beat = (response: ServerResponse) => response.writableNeedDrain || response.write(HEARTBEAT_COMMENT);

/** Streams with pending events. One callback per turn for all of them is cheaper than one for each. */
let unsent: EventSender[] = [];

function flushSoon(sender: EventSender): void {
  if (unsent.length === 0) setImmediate(flushAll);
  unsent.push(sender);
}

function flushAll(): void {
  const senders = unsent;
  unsent = [];
  for (const sender of senders) sender.flush();
}
