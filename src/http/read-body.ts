import express, { type Request, type RequestHandler } from 'express';
import { type JsonProblem, JsonSyntaxError, parseJson, truncate } from '../core/index.ts';
import { Decompressor, isCompression } from './decompress.ts';
import { BodyTooLarge, HttpError, NotJson, WrongMediaType } from './http-error.ts';
import { notedOperation } from './noted-operation.ts';
import { RawBody } from './operation.ts';

const NOTED = Symbol('noted');

/** What is known of a body's text besides its value: what that does not keep, and how many bytes it had. */
interface NotedBody {
  readonly problems: readonly JsonProblem[];
  readonly bytes: number | undefined;
}

export function notedBody(request: object): NotedBody {
  return (request as { [NOTED]?: NotedBody })[NOTED] ?? { problems: [], bytes: undefined };
}

/**
 * Reads the body, and parses it as JSON unless its operation takes bytes. The Content-Type is then reduced to its bare
 * media type: the validator caches by the raw header and would grow with every new parameter.
 *
 * @param rawOperations those that take bytes.
 */
export function readBody(limitBytes: number, rawOperations: readonly string[]): RequestHandler[] {
  const raw = express.raw({ type: () => true, limit: limitBytes });
  const decompressor = new Decompressor(limitBytes);
  return [
    (request, response, next) => {
      const length = Number(request.headers['content-length']);
      if (length > limitBytes) throw tooLarge(request, limitBytes, length);
      const encoding = takeCompression(request);
      raw(request, response, (error) => {
        if (error) return next(readableError(error as BodyError, request, limitBytes));
        if (encoding === undefined || !(request.body instanceof Uint8Array)) return next();
        decompressor.decompress(request.body, encoding, request, response).then((body) => {
          request.body = body;
          next();
        }, next);
      });
    },
    (request, response, next) => {
      const bytes: unknown = request.body;
      const { operationId } = notedOperation(response) ?? {};
      // A host application may have parsed the body already; then its value stands.
      if (operationId !== undefined && rawOperations.includes(operationId)) {
        const mediaType = request.headers['content-type'] || 'application/octet-stream';
        request.body = new RawBody(bytes instanceof Uint8Array ? bytes : new Uint8Array(), mediaType);
      } else if (bytes instanceof Uint8Array) {
        requireJson(request.headers['content-type'], bytes.length);
        const { value, problems } = parse(bytes);
        request.body = value;
        Object.assign(request, { [NOTED]: { problems, bytes: bytes.length } });
      }
      request.headers['content-type'] = 'application/json';
      next();
    },
  ];
}

/** Removes the Content-Encoding of a body that is to be read as it is and decompressed here. */
function takeCompression({ headers }: Request): string | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding === undefined || !isCompression(encoding)) return undefined;
  delete headers['content-encoding'];
  return encoding;
}

/** How many bytes of a body over the limit are read and discarded, as a multiple of the limit. */
const DISCARD_FACTOR = 4;

/**
 * Many clients read the response only when they have sent the whole body, and learn nothing if the connection is reset
 * before: the rest is read and discarded, for as long as a request may take to arrive and up to a number of bytes.
 */
function tooLarge(request: Request, limitBytes: number, actualBytes: number | null): BodyTooLarge {
  // A client that asked whether to send its body does not send it now, or sends another request in its place.
  if (request.headers.expect !== undefined) return new BodyTooLarge(limitBytes, actualBytes, { Connection: 'close' });
  let left = DISCARD_FACTOR * limitBytes;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.socket.destroy();
  });
  request.resume();
  return new BodyTooLarge(limitBytes, actualBytes);
}

function parse(bytes: Uint8Array): { value: unknown; problems: readonly JsonProblem[] } {
  if (bytes.length === 0) return { value: undefined, problems: [] };
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
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

function readableError(error: BodyError, request: Request, limitBytes: number): Error {
  if (error.type === 'entity.too.large') return tooLarge(request, limitBytes, null);
  return new HttpError(error.status ?? 400, `the body could not be read: ${error.message}`);
}
