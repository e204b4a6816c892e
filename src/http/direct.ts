import type { IncomingMessage, ServerResponse } from 'node:http';
import { andThen, parseJson } from '../core/index.ts';
import { type Admit, callerOf } from './admit.ts';
import { noteOperation } from './noted-operation.ts';
import { operationRequest } from './operation-request.ts';
import type { Pipeline } from './pipeline.ts';
import { type Plan, type PlanOptions, planFinder } from './plan.ts';
import { type SendOptions, sendOutcome } from './send-outcome.ts';

/** Larger bodies are left to Express, which reads them no slower. */
const MAX_BODY_BYTES = 1024 * 1024;

type Fallback = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

export interface DirectOptions extends SendOptions, PlanOptions {
  readonly pipeline: Pipeline;
  readonly admit?: Admit | undefined;
  readonly bodyLimitBytes: number;
  /** The Express application: answers whatever is unusual here. */
  readonly fallback: Fallback;
}

/**
 * A second entrance, straight from Node's server into the pipeline, for the requests that a training run makes a
 * million times. It takes a request only if it is plainly valid by validators compiled from the same document;
 * everything else, and so every refusal, is Express's to answer, with the body that was read here.
 */
export function direct(options: DirectOptions): Fallback {
  const { pipeline, fallback, admit } = options;
  const longest = Math.min(options.bodyLimitBytes, MAX_BODY_BYTES);
  const find = planFinder(options);

  return (request, response, next) => {
    const planned = find(request.method ?? '', request.url ?? '');
    const length = Number(request.headers['content-length'] ?? 0);
    if (!planned || length > longest || !isPlain(request, length) || !hasValidHeaders(request, planned.plan)) {
      return fallback(request, response, next);
    }
    const { path, plan } = planned;
    const answer = ({ value: body, problems, bytes }: ParsedBody, caller: string | undefined) => {
      noteOperation(response, planned);
      const { url = '/', headers } = request;
      const { operationId, query, headers: declared } = plan;
      const accepted = operationRequest({
        url,
        path,
        query,
        headers,
        declared,
        body,
        problems,
        bytes,
        caller,
        response,
      });
      void andThen(pipeline(operationId, accepted), (outcome) => sendOutcome(response, outcome, options));
    };
    const read = (caller: string | undefined) => {
      if (length === 0) return plan.body?.required ? fallback(request, response, next) : answer(NO_BODY, caller);
      void readAll(request, length).then((bytes) => {
        const body = plan.body && acceptedBody(plan.body.validate, bytes, options.handlersCheckBodies);
        if (body !== undefined) return answer(body, caller);
        Object.assign(request, { body: bytes });
        fallback(request, response, next);
      });
    };
    if (!admit) return read(undefined);
    callerOf(request, admit).then(read, () => fallback(request, response, next));
  };
}

interface ParsedBody extends ReturnType<typeof parseJson> {
  readonly bytes: number | undefined;
}

const NO_BODY: ParsedBody = { value: undefined, problems: [], bytes: undefined };

const hasValidHeaders = ({ headers }: IncomingMessage, { checks }: Plan): boolean =>
  checks.every(({ name, required, validate }) => (headers[name] === undefined ? !required : validate(headers[name])));

function isPlain({ headers, complete }: IncomingMessage, length: number): boolean {
  return (
    (length === 0 || headers['content-type'] === 'application/json') &&
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined &&
    headers.expect === undefined &&
    // A host application may have read the body.
    !(complete && length > 0)
  );
}

/** The body's value if there is nothing to say against it, otherwise undefined. */
function acceptedBody(
  validate: (value: unknown) => boolean,
  bytes: Buffer,
  mayHaveProblems = false,
): ParsedBody | undefined {
  try {
    const { value, problems } = parseJson(utf8.decode(bytes));
    if ((!mayHaveProblems && problems.length > 0) || !validate(value)) return undefined;
    return { value, problems, bytes: bytes.length };
  } catch {
    // Not JSON, not UTF-8, too deep: the fallback reads it again and says which.
    return undefined;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A promise, and no callback, since what comes after it stays in the asynchronous context of the request. The request
 * lives for as long as its answer, and keeps none of it.
 */
function readAll(request: IncomingMessage, length: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  return new Promise((resolve) => {
    request.once('end', () => {
      resolve(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, length));
      parts.length = 0;
    });
  });
}
