import type { ServerResponse } from 'node:http';
import { encodeEvent, HEARTBEAT, type ServerSentEvent } from '../sse/index.ts';
import { isHead } from './head-request.ts';
import { limitStall, type StallOptions } from './limit-stall.ts';
import type { EventList, EventStream } from './operation.ts';
import { rawHeaders } from './raw-headers.ts';

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
  source: EventStream,
  headers: Readonly<Record<string, string>>,
  options: SendEventsOptions,
): Promise<void> {
  if (isHead(response)) {
    response.writeHead(200, rawHeaders(HEADERS, headers)).end();
    return Promise.resolve();
  }
  const watch = options.watchStream?.();
  const writer = new EventWriter(response, headers, options.heartbeatMs, watch);
  const events = source[Symbol.asyncIterator]();
  // Not an async function: to race each event with the client's going away would cost as much as the rest.
  return new Promise((resolve, reject) => {
    let isOver = false;
    const stop = () => {
      if (isOver) return;
      isOver = true;
      watch?.closed();
      // Not awaited: a source that waits for a tool ends when the tool does.
      void events.return?.();
      resolve();
    };
    const fail = (error: unknown) => {
      if (isOver) return;
      writer.cut();
      // Of this and `resolve`, the first counts.
      reject(error);
      stop();
    };
    const ask = () => void events.next().then(take).catch(fail);
    const take = (next: IteratorResult<ServerSentEvent | readonly ServerSentEvent[]>) => {
      if (isOver) return;
      if (next.done) {
        writer.end();
        return stop();
      }
      for (const event of [next.value].flat()) writer.write(encodeEvent(event));
      if (!response.writableNeedDrain) return ask();
      watch?.waits(true);
      const goesOn = limitStall(response, options);
      response.once('drain', () => {
        goesOn();
        watch?.waits(false);
        ask();
      });
    };
    response.once('close', () => {
      writer.close();
      stop();
    });
    if (response.closed) stop();
    else ask();
  });
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
  const text = events.map(encodeEvent).join('');
  const length = Buffer.byteLength(text);
  response.writeHead(200, rawHeaders([...HEADERS, 'Content-Length', length], headers)).end(text);
  watch?.sent(length);
  watch?.closed();
}

/** Gathers what is written until the event loop turns or there is a lot of it, and breaks long silence. */
class EventWriter {
  readonly #response: ServerResponse;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #heartbeatMs: number;
  readonly #watch: StreamWatch | undefined;
  #pending = '';
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    heartbeatMs: number,
    watch: StreamWatch | undefined,
  ) {
    this.#response = response;
    this.#headers = headers;
    this.#heartbeatMs = heartbeatMs;
    this.#watch = watch;
  }

  write(text: string): void {
    if (this.#pending === '') flushSoon(this);
    this.#pending += text;
    if (this.#pending.length >= FLUSH_LENGTH) this.flush();
  }

  flush(): void {
    const response = this.#response;
    if (this.#pending === '' || response.closed) return;
    const text = this.#pending;
    this.#pending = '';
    if (!response.headersSent) response.writeHead(200, rawHeaders(HEADERS, this.#headers));
    response.write(text);
    this.#watch?.sent(Buffer.byteLength(text));
    this.#heartbeat ??= setInterval(() => response.writableNeedDrain || response.write(HEARTBEAT), this.#heartbeatMs);
    this.#heartbeat.refresh();
  }

  /** Sends what is there and no more. */
  cut(): void {
    this.flush();
    this.close();
  }

  end(): void {
    this.close();
    const response = this.#response;
    if (response.closed) return;
    const text = this.#pending;
    this.#pending = '';
    // A stream that ends within one turn is an answer of known length.
    const length = Buffer.byteLength(text);
    if (!response.headersSent) {
      response.writeHead(200, rawHeaders([...HEADERS, 'Content-Length', length], this.#headers));
    }
    response.end(text);
    this.#watch?.sent(length);
  }

  close(): void {
    clearInterval(this.#heartbeat);
  }
}

/** Streams that have something to send when the event loop turns: one turn for all costs less than one for each. */
let unsent: EventWriter[] = [];

function flushSoon(writer: EventWriter): void {
  if (unsent.length === 0) setImmediate(flushAll);
  unsent.push(writer);
}

function flushAll(): void {
  const writers = unsent;
  unsent = [];
  for (const writer of writers) writer.flush();
}
