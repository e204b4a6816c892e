import type {
  Failure as Named,
  OtherFailure,
  RolloutEvents,
  TraceInput,
  TracePatch,
  ValidationIssue,
} from '../../../generated/trace.ts';
import { validators } from '../../../generated/trace-validators.ts';
import { pointerSegment, valueAt } from '../../core/index.ts';
import {
  type AnyHandlers,
  BodyTooLarge,
  ByteStream,
  type DescribeFailure,
  HttpError,
  InvalidRequest,
  JsonPieces,
  NotJson,
  type OperationRequest,
  Reply,
  WrongMediaType,
} from '../../http/index.ts';
import {
  describeValueKind,
  requestTooLarge,
  StoreUnavailableError,
  TRACE_ID,
  type TraceErrorBody,
  TraceStoreError,
  validationError,
} from '../model/index.ts';

/** Converts errors of the store to HTTP errors; returns others unchanged. */
function toHttpError(error: unknown): unknown {
  if (error instanceof TraceStoreError) {
    return new HttpError(error.body.http_status, error.message, {}, { failure: error.body });
  }
  if (error instanceof StoreUnavailableError) {
    return new HttpError(503, error.message, { 'Retry-After': String(error.retryAfterSeconds) });
  }
  return error;
}

/**
 * Wraps handlers so that errors of the store become HTTP errors, including those thrown while a streamed response is
 * produced.
 */
export const mapStoreErrors = <Context>(handlers: object): AnyHandlers<Context> =>
  Object.fromEntries(
    Object.entries(handlers as AnyHandlers<Context>).map(([id, handler]) => [
      id,
      async (request: OperationRequest<never>, context: Context) => {
        try {
          return mapStreamErrors(await handler(request, context));
        } catch (error) {
          throw toHttpError(error);
        }
      },
    ]),
  );

function mapStreamErrors(response: unknown): unknown {
  if (!(response instanceof Reply)) return response;
  const { content, headers, status } = response;
  if (content instanceof JsonPieces)
    return new Reply(new JsonPieces(mapIteratorErrors(content.pieces)), headers, status);
  if (!(content instanceof ByteStream)) return response;
  return new Reply(new ByteStream(mapIteratorErrors(content.chunks), content.type), headers, status);
}

async function* mapIteratorErrors<Piece>(pieces: Iterable<Piece> | AsyncIterable<Piece>): AsyncGenerator<Piece> {
  try {
    yield* pieces;
  } catch (error) {
    throw toHttpError(error);
  }
}

const CODES: Readonly<
  Record<number, { readonly code: OtherFailure['code']; readonly status: OtherFailure['http_status'] }>
> = {
  401: { code: 'UNAUTHENTICATED', status: 401 },
  403: { code: 'FORBIDDEN', status: 403 },
  404: { code: 'NOT_FOUND', status: 404 },
  405: { code: 'METHOD_NOT_ALLOWED', status: 405 },
  // Clients retry a 408, but not a 400.
  408: { code: 'BAD_REQUEST', status: 408 },
  415: { code: 'UNSUPPORTED_MEDIA_TYPE', status: 415 },
  417: { code: 'BAD_REQUEST', status: 417 },
  429: { code: 'RATE_LIMITED', status: 429 },
  431: { code: 'BAD_REQUEST', status: 431 },
  503: { code: 'OVERLOADED', status: 503 },
};

/** Formats every error as the envelope of the trace data model. */
export const describeFailure: DescribeFailure = (error, path) => {
  const failure = failureOf(error, path);
  return { status: failure.http_status, json: { error: failure } };
};

function failureOf(error: HttpError, path: string): TraceErrorBody {
  if (error.more.failure) return error.more.failure as Named;
  if (error instanceof BodyTooLarge) return requestTooLarge(traceIdIn(path), error.limitBytes, error.actualBytes);
  if (error instanceof InvalidRequest) return invalidParameters(error);
  if (error instanceof NotJson) return { code: 'BAD_JSON', http_status: 400, message: error.message, details: {} };
  const status = error instanceof WrongMediaType ? 415 : error.status;
  const known = CODES[status];
  if (known) return { code: known.code, http_status: known.status, message: error.message, details: {} };
  if (status < 500) return { code: 'BAD_REQUEST', http_status: 400, message: error.message, details: {} };
  return { code: 'INTERNAL', http_status: 500, message: error.message, details: {} };
}

/** Describes problems in path, query and headers. */
function invalidParameters({ findings, message }: InvalidRequest): TraceErrorBody {
  const issues = findings.map(({ path = '', message: found = '' }) =>
    found.startsWith('Unknown query parameter')
      ? { path, rule: 'unknown_parameter', expected: 'left out', got: 'a parameter' }
      : { path, rule: 'parameter', expected: expectedText(found), got: 'another value' },
  );
  return { ...validationError(issues), message };
}

function traceIdIn(path: string): string | null {
  const [, id = ''] = /\/traces\/([^/]+)/.exec(path) ?? [];
  return TRACE_ID.test(id) ? id : null;
}

interface BodySchemas {
  readonly TraceInput: TraceInput;
  readonly TracePatch: TracePatch;
  readonly RolloutEvents: RolloutEvents;
}

/** Returns the body of a request, validated by a schema. @throws TraceStoreError VALIDATION with all issues. */
export function validateBody<Name extends keyof BodySchemas>(
  name: Name,
  { body, problems }: Pick<OperationRequest<unknown>, 'problems'> & { readonly body: unknown },
): BodySchemas[Name] {
  const issues: ValidationIssue[] = problems
    .filter(({ kind }) => kind === 'number')
    .map(({ pointer }) => ({
      path: pointer,
      rule: 'number_not_preserved',
      expected: 'a number that a double keeps; send others as text',
      got: 'a number that it changes',
    }));
  const validate = validators[name];
  if (!validate(body)) {
    for (const { instancePath = '', keyword = 'type', message = 'valid', params = {} } of validate.errors ?? []) {
      const field = 'additionalProperty' in params ? pointerSegment(String(params.additionalProperty)) : '';
      const path = instancePath + field;
      const rule = keyword === 'additionalProperties' ? 'unknown_field' : keyword;
      const expected = keyword === 'additionalProperties' ? 'left out' : expectedText(message);
      issues.push({
        path: path.slice(0, MAX_PATH).toWellFormed(),
        rule,
        expected,
        got: describeValueKind(valueAt(body, path)),
      });
    }
  }
  if (issues.length > 0) throw new TraceStoreError(validationError(issues));
  return body as BodySchemas[Name];
}

/** Maximum length of a quoted path: clients can send field names of megabytes. */
const MAX_PATH = 200;

/** Turns a message of ajv (`must be string`) into the text of `expected`. */
const expectedText = (message: string): string =>
  message
    .replace(/^must be /, '')
    .replace(/^must NOT have /, 'of no ')
    .replace(/^must have required property /, 'an object with ')
    .replace(/^must match (?=pattern|format)/, 'a text of the ')
    .replace(/^must match /, 'a value of ');
