import express, { type RequestHandler } from 'express';
import { BodyTooLarge, HttpError, NotJson, WrongMediaType } from './http-error.ts';
import { notedOperation } from './noted-operation.ts';
import { RawBody } from './operation.ts';
import { type JsonProblem, JsonSyntaxError, parseJson } from './parse-json.ts';

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
  return [
    (request, response, next) => {
      // The rest of such a body is not worth waiting for.
      const length = Number(request.headers['content-length']);
      if (length > limitBytes) throw new BodyTooLarge(limitBytes, length, { Connection: 'close' });
      raw(request, response, (error) => next(error && readableError(error as BodyError, limitBytes)));
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
  throw new WrongMediaType(400, `Content-Type must be application/json, not ${mediaType.slice(0, 80)}`);
}

interface BodyError extends Error {
  readonly status?: number;
  readonly type?: string;
}

function readableError(error: BodyError, limitBytes: number): Error {
  if (error.type === 'entity.too.large') return new BodyTooLarge(limitBytes, null);
  return new HttpError(error.status ?? 400, `the body could not be read: ${error.message}`);
}
