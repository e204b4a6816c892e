import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import express, { type Request, type RequestHandler } from 'express';
import { errorMessage, hasCode, JsonSyntaxError, Mutex, parseJson, truncate } from '../core/index.ts';
import { admittedCaller } from './authentication.ts';
import { BodyTooLarge, HttpError, NotJson, WrongMediaType } from './http-error.ts';
import { recordedOperation } from './openapi-operation.ts';
import { RawBody, UNKNOWN_MEDIA_TYPE } from './operation.ts';
import type { ParseBody, ParsedBody } from './pipeline.ts';
import { MAX_DISCARDED_BYTES } from './send-response.ts';

const RECORDED = Symbol('recorded body');

type RecordedBody = Omit<ParsedBody, 'value'>;

/** Returns what `readBody` recorded about the JSON text of a body. */
export function recordedBody(request: object): RecordedBody {
  return (request as { [RECORDED]?: RecordedBody })[RECORDED] ?? { problems: [], bytes: undefined };
}

/**
 * Creates the middleware that reads the body, and parses it as JSON unless its operation takes bytes. It reduces the
 * Content-Type to the media type, since the validator caches by the raw header and would grow with every new parameter.
 *
 * @param rawOperations operations whose body is bytes.
 */
export function readBody(
  limitBytes: number,
  rawOperations: readonly string[],
  parseBody: ParseBody = (text) => parseJson(text),
): RequestHandler {
  const readRaw = promisify(express.raw({ type: () => true, limit: limitBytes }));
  const decompressor = new Decompressor(limitBytes);
  return async (request, response, next) => {
    const length = Number(request.headers['content-length']);
    if (length > limitBytes) throw new BodyTooLarge(limitBytes, length);
    if (request.headers['transfer-encoding'] !== undefined) limitReceived(request, limitBytes + MAX_DISCARDED_BYTES);
    const encoding = takeCompression(request);
    await readRaw(request, response).catch((error: BodyError) => {
      throw readableError(error, limitBytes);
    });
    let bytes: unknown = request.body;
    if (encoding !== undefined && bytes instanceof Uint8Array) {
      bytes = await decompressor.decompress(bytes, encoding, request, response);
    }
    const { operationId } = recordedOperation(response) ?? {};
    // If a host application has parsed the body already, its value is used.
    if (operationId !== undefined && rawOperations.includes(operationId)) {
      const mediaType = request.headers['content-type'] || UNKNOWN_MEDIA_TYPE;
      request.body = new RawBody(bytes instanceof Uint8Array ? bytes : new Uint8Array(), mediaType);
    } else if (bytes instanceof Uint8Array) {
      requireJson(request.headers['content-type'], bytes.length);
      const { value, problems } = parse(bytes, (text) => parseBody(text, operationId));
      request.body = value;
      Object.assign(request, { [RECORDED]: { problems, bytes: bytes.length } });
    }
    request.headers['content-type'] = 'application/json';
    next();
  };
}

/** Cuts the connection of a longer body in chunks: Express reads a body over its limit to the end before it rejects it. */
function limitReceived(request: Request, maxBytes: number): void {
  let left = maxBytes;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
}

/** Removes the Content-Encoding of a body that is decompressed here instead of by Express. */
function takeCompression({ headers }: Request): string | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding === undefined || !DECOMPRESSORS.has(encoding)) return undefined;
  delete headers['content-encoding'];
  return encoding;
}

function parse(bytes: Uint8Array, parseText: (text: string) => Omit<ParsedBody, 'bytes'>): Omit<ParsedBody, 'bytes'> {
  if (bytes.length === 0) return { value: undefined, problems: [] };
  try {
    return parseText(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new NotJson(error.message);
    throw new NotJson('the body is not valid UTF-8');
  }
}

function requireJson(contentType: string | undefined, length: number): void {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (length === 0 || mediaType === undefined || /^application\/([\w.+-]+\+)?json$/.test(mediaType)) return;
  throw new WrongMediaType(400, `Content-Type must be application/json, not ${truncate(mediaType, 80)}`);
}

interface BodyError extends Error {
  readonly status?: number;
  readonly type?: string;
}

function readableError(error: BodyError, limitBytes: number): Error {
  if (error.type === 'entity.too.large') return new BodyTooLarge(limitBytes, null);
  return new HttpError(error.status ?? 400, `the body could not be read: ${error.message}`);
}

const DECOMPRESSORS = new Map([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** Compressed bodies of one caller, from their arrival until the response is sent. */
interface Budget {
  heldBytes: number;
  bodies: number;
  /** Runs one decompression at a time, since the size of a body is known only afterwards. */
  readonly mutex: Mutex;
}

/**
 * Decompresses request bodies within a memory budget per caller: 31 KB of gzip can expand to 32 MB, so with a limit per
 * request alone, a few KB per second could fill the memory. A body counts until its response is sent. Without
 * authentication, all requests share one budget.
 */
export class Decompressor {
  readonly #limitBytes: number;
  readonly #budgetBytes: number;
  readonly #budgets = new Map<string | undefined, Budget>();

  /** @param limitBytes limit of one decompressed body; all bodies of a caller together may have twice as much. */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
    this.#budgetBytes = 2 * limitBytes;
  }

  /**
   * @throws HttpError 400 for invalid bytes, 413 for a body over the limit, 503 if other requests of the caller use up the
   * budget.
   */
  decompress(bytes: Uint8Array, encoding: string, request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
    const caller = admittedCaller(request);
    const budget = this.#budgets.get(caller) ?? { heldBytes: 0, bodies: 0, mutex: new Mutex() };
    this.#budgets.set(caller, budget);
    budget.bodies++;
    let ownBytes = 0;
    const result = budget.mutex.run(async () => {
      const body = await this.#decompressWithin(this.#budgetBytes - budget.heldBytes, bytes, encoding);
      ownBytes = body.length;
      budget.heldBytes += ownBytes;
      return body;
    });
    const release = () => {
      budget.heldBytes -= ownBytes;
      budget.bodies--;
      if (budget.bodies === 0) this.#budgets.delete(caller);
    };
    const releaseWithResponse = () => {
      if (response.closed) release();
      else response.once('close', release);
    };
    result.then(releaseWithResponse, releaseWithResponse);
    return result;
  }

  async #decompressWithin(freeBytes: number, bytes: Uint8Array, encoding: string): Promise<Buffer> {
    const decompress = DECOMPRESSORS.get(encoding);
    if (!decompress) throw new HttpError(415, 'unsupported Content-Encoding: expected gzip, deflate or br');
    if (freeBytes <= 0) throw budgetUsedUp();
    try {
      return await decompress(bytes, { maxOutputLength: Math.min(this.#limitBytes, freeBytes) });
    } catch (error) {
      if (!hasCode(error, 'ERR_BUFFER_TOO_LARGE')) {
        throw new HttpError(400, `the body could not be read: ${errorMessage(error)}`);
      }
      throw freeBytes < this.#limitBytes ? budgetUsedUp() : new BodyTooLarge(this.#limitBytes, null);
    }
  }
}

const budgetUsedUp = (): HttpError =>
  new HttpError(503, 'too many compressed bodies are in flight; try again, or send the body uncompressed', {
    'Retry-After': '1',
  });
