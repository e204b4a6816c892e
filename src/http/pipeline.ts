import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import {
  type Awaitable,
  isInstance,
  type JsonProblem,
  pointerPath,
  propertyOf,
  settle,
  truncate,
} from '../core/index.ts';
import { type DescribeFailure, HttpError, InvalidRequest } from './http-error.ts';
import type { DeclaredHeader, QueryParameter } from './openapi-operation.ts';
import {
  type AnyHandlers,
  ByteStream,
  EventList,
  type EventStream,
  JsonPieces,
  JsonText,
  joinPieces,
  LateEvents,
  NOTHING,
  type OperationRequest,
  PlainText,
  Reply,
} from './operation.ts';

/** Body of a request after parsing. */
export interface ParsedBody extends Pick<OperationRequest<never>, 'problems' | 'bytes'> {
  readonly value: unknown;
}

/**
 * Parses the JSON text of a body.
 *
 * @param operationId undefined if the path belongs to no operation.
 * @throws JsonSyntaxError
 */
export type ParseBody = (text: string, operationId: string | undefined) => Omit<ParsedBody, 'bytes'>;

/** Parts of a valid request that the fast path and Express read in their own ways. */
interface ReadRequest extends Pick<OperationRequest<never>, 'caller'> {
  readonly path: Readonly<Record<string, unknown>>;
  readonly body: ParsedBody;
}

/** Creates the request for a handler. The cast is safe: validation has shown that it has the type of the operation. */
export function operationRequest(
  { url = '/', headers }: IncomingMessage,
  response: ServerResponse,
  operation: { readonly headers: readonly DeclaredHeader[]; readonly query: readonly QueryParameter[] },
  { path, body, caller }: ReadRequest,
): OperationRequest<never> {
  const request = {
    url: url.includes('?') ? url.slice(0, url.indexOf('?')) : url,
    path,
    query: operation.query.length === 0 ? {} : readQuery(url, operation.query),
    header: valuesOf(operation.headers, headers),
    body: body.value,
    problems: body.problems,
    bytes: body.bytes,
    caller,
    prefers: (mediaType: string, other: string) => prefersType(mediaType, other, headers.accept),
    headerOf: (name: string) => headers[name]?.toString(),
    onClose(listener: () => void) {
      if (response.closed) listener();
      else response.once('close', listener);
    },
  };
  return request as unknown as OperationRequest<never>;
}

function valuesOf(declared: readonly DeclaredHeader[], headers: IncomingHttpHeaders): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, key } of declared) values[name] = headers[key];
  return values;
}

/** Media range of an `Accept` header, such as `text/*;q=0.5`. */
interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

/**
 * Returns true if an `Accept` header ranks a media type above another one: by quality, then by how exactly the header
 * names it, then by order. Without the header both are equal. Source: RFC 9110, section 12.5.1.
 */
function prefersType(mediaType: string, other: string, accept = ''): boolean {
  // The usual cases, without parsing.
  if (accept === '' || accept === '*/*') return false;
  const ranges = accept.toLowerCase().split(',').map(readRange);
  const [one, two] = [rankOf(mediaType, ranges), rankOf(other, ranges)];
  if (one.quality !== two.quality || one.quality === 0) return one.quality > two.quality;
  return one.exactness === two.exactness ? one.position < two.position : one.exactness > two.exactness;
}

function readRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weight = parameters.find((each) => each.startsWith('q='))?.slice('q='.length);
  const quality = weight === undefined ? 1 : Number(weight);
  return { type, quality: Math.max(quality || 0, 0) };
}

/** Returns the quality of a media type by the range that matches it most exactly; 0 if none does. */
function rankOf(mediaType: string, ranges: readonly MediaRange[]) {
  const patterns = ['*/*', mediaType.replace(/\/.*/, '/*'), mediaType];
  for (let exactness = patterns.length; exactness > 0; exactness--) {
    const position = ranges.findIndex(({ type }) => type === patterns[exactness - 1]);
    if (position >= 0) return { quality: ranges[position]?.quality ?? 0, exactness, position };
  }
  return { quality: 0, exactness: 0, position: 0 };
}

/** Parses a number. The validator accepts `Infinity` and numbers that overflow. @throws InvalidRequest */
function numberIn(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value)) return value;
  throw new InvalidRequest(400, [{ path: `/query/${name}`, message: 'must be a number that is not infinite' }]);
}

/** Parses query parameters, whose types have been validated. */
function readQuery(url: string, parameters: readonly QueryParameter[]): Record<string, unknown> {
  const received = url.includes('?') ? new URL(url, 'http://localhost').searchParams : new URLSearchParams();
  const entries = parameters.flatMap(({ name, type, default: fallback }) => {
    const text = received.get(name);
    if (text === null) return fallback === undefined ? [] : [[name, fallback] as const];
    if (type === 'boolean') return [[name, text === 'true'] as const];
    return [[name, type === 'integer' || type === 'number' ? numberIn(name, text) : text] as const];
  });
  return Object.fromEntries(entries);
}

/** Response of an operation, before anything is sent. */
export type HttpResponse = Reply<unknown>;

export interface PipelineOptions<Context> {
  readonly handlers: AnyHandlers<Context>;
  readonly context: Context;
  /** Returns true if the operation handles a problem of the JSON text itself; otherwise it is answered with 400. */
  readonly tolerates?: (operationId: string, problem: JsonProblem) => boolean;
  /** Called with errors that are not shown to the client. */
  readonly onError: (error: unknown, operationId: string) => void;
  readonly describeFailure?: DescribeFailure;
}

/** Runs the handler for a valid request. Never rejects: an error becomes a response. */
export type Pipeline = (operationId: string, request: OperationRequest<never>) => Awaitable<HttpResponse>;

/** Creates the pipeline that every request passes, from the fast path and from Express alike. */
export function createPipeline<Context>(options: PipelineOptions<Context>): Pipeline {
  const { handlers, context, tolerates = () => false, onError, describeFailure } = options;
  const run = (operationId: string, request: OperationRequest<never>): unknown => {
    const problem = request.problems.find((each) => !tolerates(operationId, each));
    if (problem) throw new HttpError(400, `${pointerPath('body', problem.pointer)} ${problem.message}`);
    const handler = handlers[operationId];
    if (!handler) throw new HttpError(501, `operation ${operationId} has no handler`);
    return handler(request, context);
  };
  return (operationId, request) =>
    settle(
      () => run(operationId, request),
      toReply,
      (error) => failure(error, (unexpected) => onError(unexpected, operationId), request.url, describeFailure),
    );
}

function toReply(result: unknown): HttpResponse {
  const reply = result instanceof Reply ? result : new Reply(result);
  return reply.content === NOTHING ? new Reply(NOTHING, reply.headers, 204) : reply;
}

/** Returns the value of a JSON response; undefined for any other. */
export async function jsonValue(content: unknown): Promise<unknown> {
  if (content instanceof JsonText) return JSON.parse(content.text);
  if (content instanceof JsonPieces) return JSON.parse(await joinPieces(content.pieces));
  const isOther = content === NOTHING || content instanceof PlainText || content instanceof ByteStream;
  return isOther || isEvents(content) ? undefined : content;
}

/** Returns true for content that is sent as Server-Sent Events. */
export const isEvents = (content: unknown): content is EventStream | EventList | LateEvents =>
  content instanceof EventList ||
  content instanceof LateEvents ||
  (typeof content === 'object' && content !== null && Symbol.asyncIterator in content);

/** Returns the response to an error. The message of an error without a status stays on the server. */
export function failure(
  error: unknown,
  onUnexpected: (error: unknown) => void,
  path = '/',
  describe: DescribeFailure = describeAsDetail,
): HttpResponse {
  const httpError = toHttpError(error, onUnexpected);
  const { status, json } = describe(httpError, path);
  return new Reply(json, httpError.headers, status);
}

/** Returns an error response for a request that does not reach the pipeline. */
export function refusal(
  status: number,
  detail: string,
  describe: DescribeFailure = describeAsDetail,
): { readonly status: number; readonly body: string } {
  const described = describe(new HttpError(status, detail), '/');
  return { status: described.status, body: JSON.stringify(described.json) };
}

function toHttpError(error: unknown, onUnexpected: (error: unknown) => void): HttpError {
  if (isInstance(error, HttpError)) return error;
  if (isInstance(error, Error) && typeof propertyOf(error, 'status') === 'number') {
    const { status, message, headers, more } = error as HttpError;
    return new HttpError(status, message, headers, more);
  }
  onUnexpected(error);
  return new HttpError(500, 'internal error; the log of the server says more');
}

const describeAsDetail: DescribeFailure = ({ status, message, more }) => ({
  status,
  json: { detail: truncate(message.toWellFormed(), MAX_DETAIL) || `HTTP ${status}`, ...more },
});

/** A message may quote a name of a megabyte that the client sent. */
const MAX_DETAIL = 4_000;
