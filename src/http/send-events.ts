import type { ServerResponse } from 'node:http';
import { encodeEvent, HEARTBEAT, type ServerSentEvent } from '../sse/index.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

const FLUSH_LENGTH = 65_536;

/**
 * Sends events as they come, no faster than the client reads; what comes in one turn of the event loop leaves in one
 * write. A stream silent for `heartbeatMs` gets a comment. When the client goes away, sending ends and the source is
 * told so.
 */
export async function sendEvents(
  response: ServerResponse,
  source: AsyncIterable<ServerSentEvent>,
  { headers, heartbeatMs }: { headers: Readonly<Record<string, string>>; heartbeatMs: number },
): Promise<void> {
  const writer = eventWriter(response, { ...HEADERS, ...headers }, heartbeatMs);
  const events = source[Symbol.asyncIterator]();
  try {
    while (true) {
      const next = await Promise.race([events.next(), writer.closed]);
      if (next.done) break;
      writer.write(encodeEvent(next.value));
      if (response.writableNeedDrain) await writer.drained();
    }
    writer.end();
  } catch (error) {
    writer.cut();
    throw error;
  } finally {
    // Not awaited: a source that waits for a tool ends when the tool does.
    void events.return?.();
  }
}

/** Gathers what is written until the event loop turns or there is a lot of it, and breaks long silence. */
function eventWriter(response: ServerResponse, headers: Readonly<Record<string, string>>, heartbeatMs: number) {
  let pending = '';
  let heartbeat: NodeJS.Timeout | undefined;
  let onDrain = () => {};
  const closed = new Promise<{ done: true }>((resolve) => {
    response.once('close', () => {
      clearInterval(heartbeat);
      onDrain();
      resolve({ done: true });
    });
  });
  response.on('drain', () => onDrain());
  const flush = () => {
    if (pending === '' || response.closed) return;
    const text = pending;
    pending = '';
    if (!response.headersSent) response.writeHead(200, headers);
    response.write(text);
    heartbeat ??= setInterval(() => response.writableNeedDrain || response.write(HEARTBEAT), heartbeatMs);
    heartbeat.refresh();
  };
  return {
    closed,
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
      if (!response.headersSent) response.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(pending) });
      response.end(pending);
      pending = '';
    },
  };
}
