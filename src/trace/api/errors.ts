import type {
  BulkInput,
  Failure as Named,
  OtherFailure,
  ScoreInput,
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
  otherFailure,
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

const CODES: ReadonlyMap<number, OtherFailure['code']> = new Map([
  [401, 'UNAUTHENTICATED'],
  [403, 'FORBIDDEN'],
  [404, 'NOT_FOUND'],
  [405, 'METHOD_NOT_ALLOWED'],
  // Clients retry a 408, but not a 400.
  [408, 'BAD_REQUEST'],
  [415, 'UNSUPPORTED_MEDIA_TYPE'],
  [417, 'BAD_REQUEST'],
  [429, 'RATE_LIMITED'],
  [431, 'BAD_REQUEST'],
  [503, 'OVERLOADED'],
]);

/** Formats every error as the envelope of the trace data model. */
export const describeFailure: DescribeFailure = (error, path) => {
  const failure = failureOf(error, path);
  return { status: failure.http_status, json: { error: failure } };
};

function failureOf(error: HttpError, path: string): TraceErrorBody {
  if (error.more.failure) return error.more.failure as Named;
  if (error instanceof BodyTooLarge) return requestTooLarge(traceIdIn(path), error.limitBytes, error.actualBytes);
  if (error instanceof InvalidRequest) return invalidParameters(error);
  if (error instanceof NotJson) return otherFailure('BAD_JSON', 400, error.message);
  const status = error instanceof WrongMediaType ? 415 : error.status;
  const code = CODES.get(status);
  // The keys of `CODES` are statuses of the schema.
  if (code) return otherFailure(code, status as OtherFailure['http_status'], error.message);
  return status < 500 ? otherFailure('BAD_REQUEST', 400, error.message) : otherFailure('INTERNAL', 500, error.message);
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
  readonly ScoreInput: ScoreInput;
  readonly BulkInput: BulkInput;
}

/** Returns the body of a request, validated by a schema. @throws TraceStoreError VALIDATION with all issues. */
export function validateBody<Name extends keyof BodySchemas>(
  name: Name,
  { body }: { readonly body: unknown },
): BodySchemas[Name] {
  const issues: ValidationIssue[] = [];
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
