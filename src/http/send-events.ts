import { once } from 'node:events';
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
  response.writeHead(200, { ...HEADERS, ...headers });
  const writer = batchWriter(response);
  const heartbeat = setInterval(() => response.writableNeedDrain || response.write(HEARTBEAT), heartbeatMs);
  const closed = once(response, 'close').then(() => ({ done: true }) as const);
  const events = source[Symbol.asyncIterator]();
  try {
    while (true) {
      const next = await Promise.race([events.next(), closed]);
      if (response.closed) return;
      if (next.done) break;
      heartbeat.refresh();
      writer.write(encodeEvent(next.value));
      if (response.writableNeedDrain) await Promise.race([once(response, 'drain'), closed]);
    }
    writer.end();
  } finally {
    clearInterval(heartbeat);
    // Not awaited: a source that waits for a tool ends when the tool does.
    void events.return?.();
  }
}

/** Gathers what is written until the event loop turns or there is a lot of it. */
function batchWriter(response: ServerResponse) {
  let pending = '';
  const flush = () => {
    if (pending === '' || response.closed) return;
    const text = pending;
    pending = '';
    response.write(text);
  };
  return {
    write(text: string) {
      if (pending === '') setImmediate(flush);
      pending += text;
      if (pending.length >= FLUSH_LENGTH) flush();
    },
    end() {
      response.end(pending);
      pending = '';
    },
  };
}
