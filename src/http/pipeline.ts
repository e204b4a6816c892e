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
    accepts: (mediaType: string) => acceptsType(mediaType, headers.accept ?? ''),
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

/** Returns true if an `Accept` header names a media type (lower case) with a quality other than 0. */
function acceptsType(mediaType: string, accept: string): boolean {
  const all = accept.toLowerCase();
  // The usual case, without parsing.
  if (!all.includes(mediaType)) return false;
  const ranges = all.split(',').map((range) => range.split(';').map((part) => part.trim()));
  return ranges.some(
    ([type, ...parameters]) => type === mediaType && !parameters.some((each) => /^q=0(\.0*)?$/.test(each)),
  );
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
  /** Runs before every handler and may throw: authentication, limits, activity. */
  readonly guards?: readonly ((operationId: string, request: OperationRequest<never>, context: Context) => void)[];
  /** Returns true if the operation handles a problem of the JSON text itself; otherwise it is answered with 400. */
  readonly tolerates?: (operationId: string, problem: JsonProblem) => boolean;
  /** Called with errors that are not shown to the client. */
  readonly onError: (error: unknown, operationId: string) => void;
  readonly describeFailure?: DescribeFailure;
}

/** Runs guards and handler for a valid request. Never rejects: an error becomes a response. */
export type Pipeline = (operationId: string, request: OperationRequest<never>) => Awaitable<HttpResponse>;

/** Creates the pipeline that every request passes, from the fast path and from Express alike. */
export function createPipeline<Context>(options: PipelineOptions<Context>): Pipeline {
  const { handlers, context, guards = [], tolerates = () => false, onError, describeFailure } = options;
  const run = (operationId: string, request: OperationRequest<never>): unknown => {
    const problem = request.problems.find((each) => !tolerates(operationId, each));
    if (problem) throw new HttpError(400, `${pointerPath('body', problem.pointer)} ${problem.message}`);
    for (const guard of guards) guard(operationId, request, context);
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
