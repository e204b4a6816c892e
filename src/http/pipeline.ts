import {
  type Awaitable,
  isInstance,
  type JsonProblem,
  pointerPath,
  propertyOf,
  settle,
  truncate,
} from '../core/index.ts';
import { type DescribeFailure, HttpError } from './http-error.ts';
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

/** Response of an operation, before anything is sent. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content:
    | { readonly json: unknown }
    | { readonly jsonText: string }
    | { readonly jsonPieces: JsonPieces['pieces'] }
    | { readonly events: EventStream | EventList | LateEvents }
    | { readonly text: PlainText }
    | { readonly bytes: ByteStream | undefined };
}

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
      success,
      (error) => failure(error, (unexpected) => onError(unexpected, operationId), request.url, describeFailure),
    );
}

function success(result: unknown): HttpResponse {
  const { content, headers, status } = result instanceof Reply ? result : new Reply(result);
  return { status: content === NOTHING ? 204 : status, headers, content: contentOf(content) };
}

function contentOf(value: unknown): HttpResponse['content'] {
  if (value instanceof JsonText) return { jsonText: value.text };
  if (value instanceof JsonPieces) return { jsonPieces: value.pieces };
  if (value instanceof PlainText) return { text: value };
  if (value === NOTHING) return { bytes: undefined };
  if (value instanceof ByteStream) return { bytes: value };
  return isEvents(value) ? { events: value } : { json: value };
}

/** Returns the value of a JSON response; undefined for any other. */
export async function jsonValue(content: HttpResponse['content']): Promise<unknown> {
  if ('json' in content) return content.json;
  if ('jsonText' in content) return JSON.parse(content.jsonText);
  if ('jsonPieces' in content) return JSON.parse(await joinPieces(content.jsonPieces));
  return undefined;
}

/** Returns the response to an error. The message of an error without a status stays on the server. */
export function failure(
  error: unknown,
  onUnexpected: (error: unknown) => void,
  path = '/',
  describe: DescribeFailure = describeAsDetail,
): HttpResponse {
  const httpError = toHttpError(error, onUnexpected);
  const { status, json } = describe(httpError, path);
  return { status, headers: httpError.headers, content: { json } };
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

const isEvents = (value: unknown): value is EventStream | EventList | LateEvents =>
  value instanceof EventList ||
  value instanceof LateEvents ||
  (typeof value === 'object' && value !== null && Symbol.asyncIterator in value);
