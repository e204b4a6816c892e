import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasCode } from '../core/index.ts';
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
  const pieces = inPieces(bytes.chunks);
  const first = await pieces.next();
  response.writeHead(status, { ...headers, 'Content-Type': bytes.type });
  if (isHead(response)) {
    await pieces.return();
    response.end();
    return;
  }
  const goesOn = limitStall(response, options);
  try {
    await pipeline(Readable.from(goOn(first, pieces), { objectMode: true, highWaterMark: 1 }), response);
  } catch (error) {
    // Nobody is left to be told.
    if (!isPrematureClose(error)) throw error;
  } finally {
    goesOn();
  }
}

type Chunk = string | Uint8Array;

async function* goOn(first: IteratorResult<Chunk, void>, rest: AsyncGenerator<Chunk>): AsyncGenerator<Chunk> {
  if (!first.done) yield first.value;
  yield* rest;
}

/** Of texts that are there at once so much goes in one write, which costs more than they do. */
const PIECE_LENGTH = 65_536;
/** After so long others have their turn; a request waits for two or three of them. */
const TURN_MS = 1;

/** In turns: while the reader keeps up nothing here waits for it, and everybody else would wait until the end. */
async function* inPieces(chunks: ByteStream['chunks']): AsyncGenerator<Chunk, void, void> {
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
