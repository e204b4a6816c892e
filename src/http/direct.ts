import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Admit, callerOf } from './admit.ts';
import { describedOperation } from './described-operation.ts';
import { noteOperation } from './noted-operation.ts';
import type { Route } from './operation.ts';
import { operationRequest } from './operation-request.ts';
import { parseJson } from './parse-json.ts';
import type { Pipeline } from './pipeline.ts';
import { type SendOptions, sendOutcome } from './send-outcome.ts';
import type { OpenApiDocument } from './validator.ts';

/** Larger bodies are left to Express, which reads them no slower. */
const MAX_BODY_BYTES = 1024 * 1024;

type Validate = (value: unknown) => boolean;
type Fallback = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

export interface DirectOptions extends SendOptions {
  readonly document: OpenApiDocument;
  readonly operations: Readonly<Record<string, Route>>;
  /** The document's component schemas, compiled. */
  readonly validators: Readonly<Record<string, Validate>>;
  readonly pipeline: Pipeline;
  readonly admit?: Admit | undefined;
  readonly bodyLimitBytes: number;
  /** The Express application: answers whatever is unusual here. */
  readonly fallback: Fallback;
}

/** What has to hold of a request for an operation. */
interface Plan {
  readonly operationId: string;
  readonly parameter: string | undefined;
  readonly headers: readonly string[];
  readonly required: readonly { readonly header: string; readonly validate: Validate }[];
  readonly body: { readonly required: boolean; readonly validate: Validate } | undefined;
}

/**
 * A second entrance, straight from Node's server into the pipeline, for the requests that a training run makes a
 * million times. It takes a request only if it is plainly valid by validators compiled from the same document;
 * everything else, and so every refusal, is Express's to answer, with the body that was read here.
 */
export function direct(options: DirectOptions): Fallback {
  const { pipeline, fallback, admit } = options;
  const longest = Math.min(options.bodyLimitBytes, MAX_BODY_BYTES);
  const plans = plansByRoute(options);

  return (request, response, next) => {
    const [plan, parameter] = findPlan(plans, request);
    const length = Number(request.headers['content-length'] ?? 0);
    if (
      !plan ||
      length > longest ||
      !isPlain(request, length) ||
      !plan.required.every(({ header, validate }) => validate(request.headers[header]))
    ) {
      return fallback(request, response, next);
    }
    const answer = (body: unknown, caller: string | undefined) => {
      const path = plan.parameter === undefined ? {} : { [plan.parameter]: parameter };
      noteOperation(response, { operationId: plan.operationId, path });
      const accepted = {
        url: request.url ?? '/',
        path,
        headers: request.headers,
        declared: plan.headers,
        body,
        problems: [],
        caller,
        response,
      };
      void pipeline(plan.operationId, operationRequest(accepted)).then((outcome) =>
        sendOutcome(response, outcome, options),
      );
    };
    const read = (caller: string | undefined) => {
      if (length === 0) return plan.body?.required ? fallback(request, response, next) : answer(undefined, caller);
      void readAll(request, length).then((bytes) => {
        const body = plan.body && acceptedBody(plan.body.validate, bytes);
        if (body !== undefined) return answer(body, caller);
        Object.assign(request, { body: bytes });
        fallback(request, response, next);
      });
    };
    if (!admit) return read(undefined);
    callerOf(request, admit).then(read, () => fallback(request, response, next));
  };
}

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
function acceptedBody(validate: Validate, bytes: Buffer): unknown {
  try {
    const { value, problems } = parseJson(utf8.decode(bytes));
    return problems.length === 0 && validate(value) ? value : undefined;
  } catch {
    // Not JSON, not UTF-8, too deep: the fallback reads it again and says which.
    return undefined;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A promise, and no callback, since what comes after it stays in the asynchronous context of the request. */
function readAll(request: IncomingMessage, length: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  return new Promise((resolve) => {
    request.on('end', () => resolve(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, length)));
  });
}

/** Fixed paths by method and path; those of the form `/{parameter}/action` by method and action. */
function findPlan(plans: ReadonlyMap<string, Plan>, { method, url = '' }: IncomingMessage): [Plan?, string?] {
  const fixed = plans.get(`${method} ${url}`);
  if (fixed) return [fixed];
  const slash = url.indexOf('/', 1);
  const parameter = url.slice(1, slash);
  const plan = slash < 0 || !/^[\w.-]+$/.test(parameter) ? undefined : plans.get(`${method} *${url.slice(slash)}`);
  return plan ? [plan, parameter] : [];
}

function plansByRoute({ document, operations, validators }: DirectOptions): ReadonlyMap<string, Plan> {
  const plans = new Map<string, Plan>();
  for (const [operationId, { method, path }] of Object.entries(operations)) {
    const match = /^(?:\/\{(\w+)\})?(\/[^{}]+)$/.exec(path);
    if (!match) continue;
    const { headers, body } = describedOperation(document, operationId);
    plans.set(`${method.toUpperCase()} ${match[1] ? '*' : ''}${match[2]}`, {
      operationId,
      parameter: match[1],
      headers: headers.map(({ name }) => name),
      required: headers
        .filter(({ required }) => required)
        .map(({ name, schema = '' }) => ({ header: name.toLowerCase(), validate: validators[schema] ?? never })),
      body: body && { required: body.required, validate: validators[body.schema ?? ''] ?? never },
    });
  }
  return plans;
}

/** What has no compiled schema is Express's to judge. */
const never: Validate = () => false;
