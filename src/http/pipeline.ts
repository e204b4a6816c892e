import { HttpError } from './http-error.ts';
import { type AnyHandlers, type EventStream, type OperationRequest, PlainText, Reply } from './operation.ts';
import type { JsonProblem } from './parse-json.ts';

/** What an operation came to, before anything is sent. */
export interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: { readonly json: unknown } | { readonly events: EventStream } | { readonly text: PlainText };
}

export interface PipelineOptions<Context> {
  readonly handlers: AnyHandlers<Context>;
  readonly context: Context;
  /** Runs before every handler and may throw: authentication, limits, activity. */
  readonly guards?: readonly ((operationId: string, request: OperationRequest<never>, context: Context) => unknown)[];
  /** Whether an operation deals with what JSON text says and its value does not keep; otherwise it is refused. */
  readonly tolerates?: (operationId: string, problem: JsonProblem) => boolean;
  /** Told of every error that is not meant for the client. */
  readonly onError: (error: unknown, operationId: string) => void;
}

/** Carries an accepted request through guards and handler. Never rejects: failures are outcomes too. */
export type Pipeline = (operationId: string, request: OperationRequest<never>) => Promise<Outcome>;

/** The one way from an accepted request to its outcome, whatever server received it. */
export function createPipeline<Context>(options: PipelineOptions<Context>): Pipeline {
  const { handlers, context, guards = [], tolerates = () => false, onError } = options;
  return async (operationId, request) => {
    try {
      const problem = request.problems.find((each) => !tolerates(operationId, each));
      if (problem) throw new HttpError(400, `body${problem.pointer.replaceAll('/', '.')} ${problem.message}`);
      for (const guard of guards) await guard(operationId, request, context);
      const handler = handlers[operationId];
      if (!handler) throw new HttpError(501, `operation ${operationId} has no handler`);
      return success(await handler(request, context));
    } catch (error) {
      return failure(error, (unexpected) => onError(unexpected, operationId));
    }
  };
}

function success(answer: unknown): Outcome {
  const { content, headers } = answer instanceof Reply ? answer : { content: answer, headers: {} };
  return { status: 200, headers, content: contentOf(content) };
}

function contentOf(value: unknown): Outcome['content'] {
  if (value instanceof PlainText) return { text: value };
  return isEventStream(value) ? { events: value } : { json: value };
}

/** An error with a status speaks to the client; any other is a defect, and its text stays here. */
export function failure(error: unknown, onUnexpected: (error: unknown) => void): Outcome {
  const { status, headers = {}, more = {} } = error as Partial<HttpError>;
  if (error instanceof Error && typeof status === 'number') {
    return { status, headers, content: { json: { detail: abbreviate(error.message) || `HTTP ${status}`, ...more } } };
  }
  onUnexpected(error);
  return { status: 500, headers: {}, content: { json: { detail: 'internal error; the log of the server says more' } } };
}

const MAX_DETAIL = 4_000;

/** A client may have sent a name of a megabyte that the message quotes. */
const abbreviate = (text: string) =>
  text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}...`.toWellFormed() : text;

const isEventStream = (value: unknown): value is EventStream =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
