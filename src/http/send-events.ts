import type { ServerResponse } from 'node:http';
import { clampTimerMs } from '../core/index.ts';
import { encodeEvent, HEARTBEAT, type ServerSentEvent } from '../sse/index.ts';
import { EventList, type EventStream, LateEvents } from './operation.ts';
import { isHead, limitStall, rawHeaders, type StallOptions, sendWhole } from './send-response.ts';

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
  if (isHead(response)) {
    response.writeHead(200, rawHeaders(HEADERS, headers)).end();
    return Promise.resolve();
  }
  return new Promise((done, failed) => new EventSender(response, headers, options, { done, failed }).begin(source));
}

/** Sends a complete list of events. */
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
 * One open stream. A class instead of an async function: racing each event against the disconnect would double its cost,
 * and a server may hold very many streams.
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
  #hasEnded = false;

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
    else if (source instanceof LateEvents) this.#continueLater(source);
    else this.#follow(source);
  }

  /** Writes the pending events. */
  flush(): void {
    const response = this.#response;
    if (this.#pending === '' || response.closed) return;
    const text = this.#pending;
    this.#pending = '';
    const bytes = Buffer.byteLength(text);
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
    const take = (value: T) => {
      if (!this.#hasEnded) next(value);
    };
    coming.then(take).catch((error: unknown) => this.#fail(error));
  }

  /** Buffers events until the next turn of the event loop, or until there are many. */
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
    this.#ending.failed(error);
    this.#stop();
  }

  #stop(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearInterval(this.#heartbeat);
    this.#watch?.closed();
    // Not awaited, since the source may be waiting.
    void this.#events?.return?.();
    this.#ending.done();
  }
}

const beat = (response: ServerResponse) => response.writableNeedDrain || response.write(HEARTBEAT);

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
