import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isHead } from './head-request.ts';
import { limitStall, type StallOptions } from './limit-stall.ts';
import type { ByteStream } from './operation.ts';
import type { Outcome } from './pipeline.ts';

/**
 * Sends bytes as they come, no faster than the client reads; undefined is an answer without a body.
 *
 * @throws what fails before the first of them, while another answer can still be given, and what fails later.
 */
export async function sendBytes(
  response: ServerResponse,
  { status, headers }: Pick<Outcome, 'status' | 'headers'>,
  bytes: ByteStream | undefined,
  options: StallOptions,
): Promise<void> {
  if (!bytes) {
    response.writeHead(status, headers);
    response.end();
    return;
  }
  const chunks = each(bytes.chunks);
  const first = await chunks.next();
  response.writeHead(status, { ...headers, 'Content-Type': bytes.type });
  if (isHead(response)) {
    await chunks.return();
    response.end();
    return;
  }
  const goesOn = limitStall(response, options);
  try {
    await pipeline(Readable.from(goOn(first, chunks), { objectMode: true, highWaterMark: 1 }), response);
  } catch (error) {
    // Nobody is left to be told.
    if (!isPrematureClose(error)) throw error;
  } finally {
    goesOn();
  }
}

type Chunk = string | Uint8Array;

async function* each(chunks: ByteStream['chunks']): AsyncGenerator<Chunk, void, void> {
  yield* chunks;
}

async function* goOn(first: IteratorResult<Chunk, void>, rest: AsyncGenerator<Chunk>): AsyncGenerator<Chunk> {
  if (!first.done) yield first.value;
  let since = performance.now();
  for await (const chunk of rest) {
    yield chunk;
    if (performance.now() - since < TURN_MS) continue;
    // While the reader keeps up, nothing here waits for it, and everybody else would wait until the end.
    await nextTurn();
    since = performance.now();
  }
}

/** After so long others have their turn. */
const TURN_MS = 5;

const isPrematureClose = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
