import type { ServerResponse } from 'node:http';
import { clampTimerMs } from '../core/index.ts';
import { encodeEvent, HEARTBEAT, type ServerSentEvent } from '../sse/index.ts';
import { isHead } from './head-request.ts';
import { limitStall, type StallOptions } from './limit-stall.ts';
import { EventList, type EventStream, LateEvents } from './operation.ts';
import { rawHeaders } from './raw-headers.ts';
import { sendWhole } from './send-whole.ts';

const HEADERS = [
  ...['Content-Type', 'text/event-stream; charset=utf-8'],
  ...['Cache-Control', 'no-cache, no-transform'],
  ...['X-Accel-Buffering', 'no'],
];

const FLUSH_LENGTH = 65_536;

/** Somebody who watches one event stream. */
export interface StreamWatch {
  sent(bytes: number): void;
  /** Whether the stream has to wait for its reader. */
  waits(isWaiting: boolean): void;
  closed(): void;
}

export interface SendEventsOptions extends StallOptions {
  readonly heartbeatMs: number;
  /** Asked at each stream who watches it. */
  readonly watchStream?: () => StreamWatch | undefined;
}

/**
 * Sends events as they come, no faster than the client reads; what comes in one turn of the event loop leaves in one
 * write. A stream silent for `heartbeatMs` gets a comment. When the client goes away, sending ends and the source is
 * told so.
 */
export function sendEvents(
  response: ServerResponse,
  source: EventStream | LateEvents,
  headers: Readonly<Record<string, string>>,
  options: SendEventsOptions,
): Promise<void> {
  if (isHead(response)) {
    response.writeHead(200, rawHeaders(HEADERS, headers)).end();
    return Promise.resolve();
  }
  return new Promise((done, failed) => new EventSender(response, headers, options, { done, failed }).begin(source));
}

/** Sends events that are all there. */
export function sendEventList(
  response: ServerResponse,
  { events }: EventList,
  headers: Readonly<Record<string, string>>,
  { watchStream }: SendEventsOptions,
): void {
  if (isHead(response)) {
    response.writeHead(200, rawHeaders(HEADERS, headers)).end();
    return;
  }
  const watch = watchStream?.();
  let text = '';
  for (const event of events) text += encodeEvent(event);
  const length = Buffer.byteLength(text);
  sendWhole(response, 200, rawHeaders([...HEADERS, 'Content-Length', `${length}`], headers), text);
  watch?.sent(length);
  watch?.closed();
}

interface Ending {
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * One stream. Not an async function: to race each event with the client's going away would cost as much as the rest, and
 * there may be very many that wait.
 */
class EventSender {
  readonly #response: ServerResponse;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #options: SendEventsOptions;
  readonly #ending: Ending;
  readonly #watch: StreamWatch | undefined;
  #events: AsyncIterator<ServerSentEvent | readonly ServerSentEvent[]> | undefined;
  #pending = '';
  #heartbeat: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    options: SendEventsOptions,
    ending: Ending,
  ) {
    this.#response = response;
    this.#headers = headers;
    this.#options = options;
    this.#ending = ending;
    this.#watch = options.watchStream?.();
  }

  begin(source: EventStream | LateEvents): void {
    this.#response.on('close', () => this.#stop());
    if (this.#response.closed) this.#stop();
    else if (source instanceof LateEvents) this.#goOnLater(source);
    else this.#follow(source);
  }

  /** Sends what has gathered. */
  flush(): void {
    const response = this.#response;
    if (this.#pending === '' || response.closed) return;
    const text = this.#pending;
    this.#pending = '';
    const bytes = Buffer.byteLength(text);
    // ASCII is the same in both, and as Latin-1 a large result is written sooner.
    if (response.headersSent) response.write(text, bytes === text.length ? 'latin1' : 'utf8');
    else this.#writeFirst(text);
    this.#watch?.sent(bytes);
    this.#heartbeat ??= setInterval(beat, clampTimerMs(this.#options.heartbeatMs), response);
    this.#heartbeat.refresh();
  }

  /**
   * In one write, and yet each by itself: what Node keeps of the head stays in twenty parts if it was joined to others.
   * The socket is held back and not the answer, which newer Nodes then write in five pieces.
   */
  #writeFirst(text: string): void {
    const response = this.#response;
    const { socket } = response;
    socket?.cork();
    response.writeHead(200, rawHeaders(HEADERS, this.#headers));
    // A head is Latin-1; `flushHeaders` would write it as UTF-8.
    response.write('', 'latin1');
    response.write(text);
    socket?.uncork();
  }

  #goOnLater({ first, rest }: LateEvents): void {
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
      const goesOn = limitStall(this.#response, this.#options);
      this.#response.once('drain', () => {
        goesOn();
        this.#watch?.waits(false);
        this.#ask(events);
      });
    });
  }

  /** Goes on with what comes, unless sending is over by then. */
  #await<T>(coming: Promise<T>, next: (value: T) => void): void {
    const take = (value: T) => {
      if (!this.#isOver) next(value);
    };
    coming.then(take).catch((error: unknown) => this.#fail(error));
  }

  /** Gathers until the event loop turns or there is a lot. */
  #write(events: readonly ServerSentEvent[]): void {
    if (this.#pending === '') flushSoon(this);
    for (const event of events) this.#pending += encodeEvent(event);
    if (this.#pending.length >= FLUSH_LENGTH) this.flush();
  }

  #end(events: readonly ServerSentEvent[]): void {
    const response = this.#response;
    const text = events.reduce((before, event) => before + encodeEvent(event), this.#pending);
    this.#pending = '';
    const length = Buffer.byteLength(text);
    // A stream that ends within one turn is an answer of known length.
    if (!response.headersSent) {
      response.writeHead(200, rawHeaders([...HEADERS, 'Content-Length', `${length}`], this.#headers));
    }
    response.end(text);
    this.#watch?.sent(length);
    this.#stop();
  }

  /** What is there is sent, and no more. */
  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.flush();
    // Of this and `done`, the first counts.
    this.#ending.failed(error);
    this.#stop();
  }

  #stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#heartbeat);
    this.#watch?.closed();
    // Not awaited: a source that waits for something ends when that does.
    void this.#events?.return?.();
    this.#ending.done();
  }
}

const beat = (response: ServerResponse) => response.writableNeedDrain || response.write(HEARTBEAT);

/** Streams that have something to send when the event loop turns: one turn for all costs less than one for each. */
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
