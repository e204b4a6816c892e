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

/** What an operation came to, before anything is sent. */
export interface Outcome {
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
  /** Whether an operation deals with what JSON text says and its value does not keep; otherwise it is refused. */
  readonly tolerates?: (operationId: string, problem: JsonProblem) => boolean;
  /** Told of every error that is not meant for the client. */
  readonly onError: (error: unknown, operationId: string) => void;
  readonly describeFailure?: DescribeFailure;
}

/** Carries an accepted request through guards and handler. Never rejects: failures are outcomes too. */
export type Pipeline = (operationId: string, request: OperationRequest<never>) => Awaitable<Outcome>;

/** The one way from an accepted request to its outcome, whatever server received it. */
export function createPipeline<Context>(options: PipelineOptions<Context>): Pipeline {
  const { handlers, context, guards = [], tolerates = () => false, onError, describeFailure } = options;
  const carryOut = (operationId: string, request: OperationRequest<never>): unknown => {
    const problem = request.problems.find((each) => !tolerates(operationId, each));
    if (problem) throw new HttpError(400, `${pointerPath('body', problem.pointer)} ${problem.message}`);
    for (const guard of guards) guard(operationId, request, context);
    const handler = handlers[operationId];
    if (!handler) throw new HttpError(501, `operation ${operationId} has no handler`);
    return handler(request, context);
  };
  return (operationId, request) =>
    settle(
      () => carryOut(operationId, request),
      success,
      (error) => failure(error, (unexpected) => onError(unexpected, operationId), request.url, describeFailure),
    );
}

function success(answer: unknown): Outcome {
  const { content, headers, status } = answer instanceof Reply ? answer : new Reply(answer);
  return { status: content === NOTHING ? 204 : status, headers, content: contentOf(content) };
}

function contentOf(value: unknown): Outcome['content'] {
  if (value instanceof JsonText) return { jsonText: value.text };
  if (value instanceof JsonPieces) return { jsonPieces: value.pieces };
  if (value instanceof PlainText) return { text: value };
  if (value === NOTHING) return { bytes: undefined };
  if (value instanceof ByteStream) return { bytes: value };
  return isEvents(value) ? { events: value } : { json: value };
}

/** The value of an answer of JSON; undefined of any other. */
export async function jsonValue(content: Outcome['content']): Promise<unknown> {
  if ('json' in content) return content.json;
  if ('jsonText' in content) return JSON.parse(content.jsonText);
  if ('jsonPieces' in content) return JSON.parse(await joinPieces(content.jsonPieces));
  return undefined;
}

/** An error with a status speaks to the client; any other is a defect, and its text stays here. */
export function failure(
  error: unknown,
  onUnexpected: (error: unknown) => void,
  path = '/',
  describe: DescribeFailure = inOneSentence,
): Outcome {
  const told = toHttpError(error, onUnexpected);
  const { status, json } = describe(told, path);
  return { status, headers: told.headers, content: { json } };
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

const inOneSentence: DescribeFailure = ({ status, message, more }) => ({
  status,
  json: { detail: truncate(message.toWellFormed(), MAX_DETAIL) || `HTTP ${status}`, ...more },
});

/** A client may have sent a name of a megabyte that the message quotes. */
const MAX_DETAIL = 4_000;

const isEvents = (value: unknown): value is EventStream | EventList | LateEvents =>
  value instanceof EventList ||
  value instanceof LateEvents ||
  (typeof value === 'object' && value !== null && Symbol.asyncIterator in value);
