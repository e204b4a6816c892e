import type { ServerResponse } from 'node:http';
import { encodeEvent, HEARTBEAT, type ServerSentEvent } from '../sse/index.ts';
import { isHead } from './head-request.ts';
import { limitStall, type StallOptions } from './limit-stall.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

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
export async function sendEvents(
  response: ServerResponse,
  source: AsyncIterable<ServerSentEvent>,
  headers: Readonly<Record<string, string>>,
  options: SendEventsOptions,
): Promise<void> {
  if (isHead(response)) {
    response.writeHead(200, { ...HEADERS, ...headers }).end();
    return;
  }
  const watch = options.watchStream?.();
  const writer = eventWriter(response, { ...HEADERS, ...headers }, options.heartbeatMs, watch);
  const events = source[Symbol.asyncIterator]();
  try {
    while (true) {
      const next = await writer.unlessClosed(events.next());
      if (next.done) break;
      writer.write(encodeEvent(next.value));
      if (!response.writableNeedDrain) continue;
      watch?.waits(true);
      const goesOn = limitStall(response, options);
      await writer.drained();
      goesOn();
      watch?.waits(false);
    }
    writer.end();
  } catch (error) {
    writer.cut();
    throw error;
  } finally {
    watch?.closed();
    // Not awaited: a source that waits for a tool ends when the tool does.
    void events.return?.();
  }
}

/** Gathers what is written until the event loop turns or there is a lot of it, and breaks long silence. */
function eventWriter(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  heartbeatMs: number,
  watch: StreamWatch | undefined,
) {
  let pending = '';
  let heartbeat: NodeJS.Timeout | undefined;
  let onDrain = () => {};
  let onClose = () => {};
  response.once('close', () => {
    clearInterval(heartbeat);
    onDrain();
    onClose();
  });
  response.on('drain', () => onDrain());
  const flush = () => {
    if (pending === '' || response.closed) return;
    const text = pending;
    pending = '';
    if (!response.headersSent) response.writeHead(200, headers);
    response.write(text);
    watch?.sent(Buffer.byteLength(text));
    heartbeat ??= setInterval(() => response.writableNeedDrain || response.write(HEARTBEAT), heartbeatMs);
    heartbeat.refresh();
  };
  return {
    /** What comes next, or the end if the client goes away before. To race with one promise would keep every event. */
    unlessClosed: (next: Promise<IteratorResult<ServerSentEvent>>) =>
      new Promise<IteratorResult<ServerSentEvent>>((resolve, reject) => {
        onClose = () => resolve({ done: true, value: undefined });
        if (response.closed) onClose();
        next.then(resolve, reject);
      }),
    write(text: string) {
      if (pending === '') setImmediate(flush);
      pending += text;
      if (pending.length >= FLUSH_LENGTH) flush();
    },
    /** Resolves when there is room again, or nobody left to send to. */
    drained: () =>
      new Promise<void>((resolve) => {
        onDrain = resolve;
        if (response.closed) resolve();
      }),
    /** Sends what is there and no more. */
    cut() {
      flush();
      clearInterval(heartbeat);
    },
    end() {
      clearInterval(heartbeat);
      if (response.closed) return;
      // A stream that ends within one turn is an answer of known length.
      const length = Buffer.byteLength(pending);
      if (!response.headersSent) response.writeHead(200, { ...headers, 'Content-Length': length });
      response.end(pending);
      watch?.sent(length);
      pending = '';
    },
  };
}
