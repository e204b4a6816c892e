import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Awaitable, clampTimerMs, hasCode, isPromiseLike } from '../core/index.ts';
import type { DescribeFailure } from './http-error.ts';
import { ByteStream, EventList } from './operation.ts';
import { failure, type HttpResponse } from './pipeline.ts';
import { type SendEventsOptions, sendEventList, sendEvents } from './send-events.ts';

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

const afterSending = (sending: Promise<void>, response: ServerResponse, options: SendOptions): Promise<void> =>
  sending.then(
    () => limitLastStall(response, options),
    (error) => sendFailure(response, error, options),
  );

function sendFailure(response: ServerResponse, error: unknown, options: SendOptions): void {
  const { status, headers, content } = failure(error, options.onError, undefined, options.describeFailure);
  if (response.headersSent) response.destroy();
  else if ('json' in content) sendJson(response, { status, headers }, JSON.stringify(content.json));
}

function send(response: ServerResponse, outcome: HttpResponse, options: SendOptions): Awaitable<void> {
  const { headers, content } = outcome;
  if ('json' in content) return sendJson(response, outcome, JSON.stringify(content.json));
  if ('jsonText' in content) return sendJson(response, outcome, content.jsonText);
  if ('jsonPieces' in content)
    return sendBytes(response, outcome, new ByteStream(content.jsonPieces, JSON_TYPE), options);
  if ('text' in content) return sendText(response, outcome, content.text.text, content.text.type);
  if ('bytes' in content) return sendBytes(response, outcome, content.bytes, options);
  if (content.events instanceof EventList) return sendEventList(response, content.events, headers, options);
  return sendEvents(response, content.events, headers, options);
}

const JSON_TYPE = 'application/json; charset=utf-8';

type Head = Pick<HttpResponse, 'status' | 'headers'>;

function sendJson(response: ServerResponse, head: Head, json: string): void {
  sendText(response, head, json, JSON_TYPE);
}

function sendText(response: ServerResponse, { status, headers }: Head, body: string, type: string): void {
  const own = ['Content-Type', type, 'Content-Length', `${Buffer.byteLength(body)}`];
  sendWhole(response, status, rawHeaders(own, headers), body);
}

/** Sends a complete response in one write. */
export function sendWhole(response: ServerResponse, status: number, headers: string[], text: string): void {
  response.writeHead(status, headers);
  response.write(text);
  // `end(text)` would add an empty second chunk to the write, which costs more than uncorking.
  response.socket?.uncork();
  response.end();
}

/**
 * Returns headers as a flat list, as in Node's `rawHeaders`. Building an object of headers, which Node takes apart again,
 * costs ten times as much.
 */
export function rawHeaders(own: readonly string[], more: Readonly<Record<string, string>>): string[] {
  const raw = [...own];
  for (const name in more) raw.push(name, more[name] as string);
  return raw;
}

const headResponses = new WeakSet<ServerResponse>();

/** Marks the response of a HEAD request, for which no stream is started. */
export function noteHead(response: ServerResponse): void {
  headResponses.add(response);
}

/** Returns true for the response of a HEAD request. */
export const isHead = (response: ServerResponse): boolean => headResponses.has(response);

/**
 * Streams bytes with back-pressure. Without `bytes` the response has no body.
 *
 * @throws an error of the source. Before the first chunk nothing is sent, so another response is still possible.
 */
export async function sendBytes(
  response: ServerResponse,
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
  bytes: ByteStream | undefined,
  options: StallOptions,
): Promise<void> {
  if (!bytes) {
    response.writeHead(status, headers);
    response.end();
    return;
  }
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
