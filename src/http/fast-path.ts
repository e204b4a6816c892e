import type { IncomingMessage } from 'node:http';
import { andThen, BoundedMap, parseJson } from '../core/index.ts';
import { type Admit, callerOf } from './authentication.ts';
import type { RequestHandler } from './node-server.ts';
import {
  type DeclaredHeader,
  type DescribedOperation,
  describedOperation,
  type MatchedOperation,
  type OpenApiDocument,
  type Route,
  recordOperation,
  type TextSchema,
} from './openapi-operation.ts';
import { operationRequest, type ParseBody, type ParsedBody, type Pipeline } from './pipeline.ts';
import { type SendOptions, sendResponse } from './send-response.ts';

/** Larger bodies are left to Express, which reads them as fast. */
const MAX_BODY_BYTES = 1024 * 1024;

interface FastPathOptions extends SendOptions, PlanOptions {
  readonly pipeline: Pipeline;
  readonly admit?: Admit | undefined;
  readonly bodyLimitBytes: number;
  /** Parses bodies. @default parseJson */
  readonly parseBody?: ParseBody;
  /** Express application, which handles all other requests. */
  readonly fallback: RequestHandler;
}

/**
 * Creates the fast path: from Node's server directly into the pipeline, without Express.
 *
 * It handles a request if its route takes no decoding, its JSON body is at most 1 MiB, uncompressed and not chunked, and
 * everything is valid by validators compiled from the same document. Every other request goes to Express, together with
 * the body that was read here; so Express produces every error response of validation. Both call the same pipeline.
 *
 * Express costs 3.8 times as much CPU per call (docs/decisions has the measurements).
 */
export function createFastPath(options: FastPathOptions): RequestHandler {
  const { pipeline, fallback, admit, parseBody = (text: string) => parseJson(text) } = options;
  const maxLength = Math.min(options.bodyLimitBytes, MAX_BODY_BYTES);
  const find = planFinder(options);

  return (request, response, next) => {
    const planned = find(request.method ?? '', request.url ?? '');
    const length = Number(request.headers['content-length'] ?? 0);
    if (!planned || length > maxLength || !isPlain(request, length) || !hasValidHeaders(request, planned.plan)) {
      return fallback(request, response, next);
    }
    const { operationId, path, plan } = planned;
    const respond = (body: ParsedBody, caller: string | undefined) => {
      recordOperation(response, planned);
      const accepted = operationRequest(request, response, plan, { path, body, caller });
      void andThen(pipeline(operationId, accepted), (outcome) => sendResponse(response, outcome, options));
    };
    const read = (caller: string | undefined) => {
      if (length === 0) return plan.body?.required ? fallback(request, response, next) : respond(NO_BODY, caller);
      void readAll(request, length).then((bytes) => {
        const parse = (text: string) => parseBody(text, operationId);
        const body = plan.body && acceptedBody(plan.body.validate, bytes, parse, options.handlersCheckBodies);
        if (body !== undefined) return respond(body, caller);
        Object.assign(request, { body: bytes });
        fallback(request, response, next);
      });
    };
    if (!admit) return read(undefined);
    callerOf(request, admit).then(read, () => fallback(request, response, next));
  };
}

const NO_BODY: ParsedBody = { value: undefined, problems: [], bytes: undefined };

const hasValidHeaders = ({ headers }: IncomingMessage, plan: Plan): boolean =>
  plan.headers.every(({ key, required, validate }) =>
    headers[key] === undefined ? !required : validate(headers[key]),
  );

function isPlain({ headers, complete }: IncomingMessage, length: number): boolean {
  return (
    (length === 0 || headers['content-type'] === 'application/json') &&
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined &&
    headers.expect === undefined &&
    // A host application may have read the body already.
    !(complete && length > 0)
  );
}

/** Returns the parsed body if it is valid, otherwise undefined. */
function acceptedBody(
  validate: Validate,
  bytes: Buffer,
  parse: (text: string) => Omit<ParsedBody, 'bytes'>,
  mayHaveProblems = false,
): ParsedBody | undefined {
  try {
    const { value, problems } = parse(utf8.decode(bytes));
    if ((!mayHaveProblems && problems.length > 0) || !validate(value)) return undefined;
    return { value, problems, bytes: bytes.length };
  } catch {
    // Invalid JSON or UTF-8, or too deep: Express parses it again and reports which.
    return undefined;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body. Returns a promise instead of calling back, so that what follows runs in the asynchronous context of the
 * request. The request lives as long as its response, so the chunks are released.
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

export type Validate = (value: unknown) => boolean;

/** Fast-path checks for requests of one operation. A request that fails them is passed to the validator. */
export interface Plan extends Pick<DescribedOperation, 'query'> {
  readonly operationId: string;
  /** Path parameters, in path order. */
  readonly parameters: readonly { readonly name: string; readonly validate: Validate }[];
  /** Declared headers. */
  readonly headers: readonly (DeclaredHeader & { readonly validate: Validate })[];
  readonly body: { readonly required: boolean; readonly validate: Validate } | undefined;
}

export interface PlanOptions {
  readonly document: OpenApiDocument;
  readonly operations: Readonly<Record<string, Route>>;
  /** Compiled validators of the document's component schemas, by name. */
  readonly validators: Readonly<Record<string, Validate>>;
  /** True if handlers validate request bodies themselves. */
  readonly handlersCheckBodies?: boolean;
}

export interface Planned extends MatchedOperation {
  readonly plan: Plan;
  readonly path: Readonly<Record<string, string>>;
}

/** Matches paths and parameters that need no decoding and have no query. */
const PLAIN = /^[\w./-]*$/;

/** Returns a lookup by method and URL. It finds no plan if the path needs decoding or is invalid, or has a query. */
export function planFinder(options: PlanOptions): (method: string, url: string) => Planned | undefined {
  const fixed = new Map<string, Planned>();
  const shapes = new Map<number, Shape[]>();
  for (const [operationId, { method, path }] of Object.entries(options.operations)) {
    const plan = planOf(operationId, path, options);
    if (!plan) continue;
    if (plan.parameters.length === 0) fixed.set(`${method.toUpperCase()} ${path}`, { operationId, plan, path: {} });
    else addShape(shapes, `${method.toUpperCase()}${path}`.split('/'), plan);
  }
  const find = (method: string, url: string) =>
    fixed.get(`${method} ${url}`) ?? (PLAIN.test(url) ? matchShape(shapes, method, url) : undefined);
  // Cached, since a server receives requests for the same few paths.
  const caches = new Map<string, BoundedMap<string, Planned>>();
  return (method, url) => {
    const cache = caches.get(method) ?? new BoundedMap(MAX_CACHED);
    const known = cache.get(url);
    if (known) return known;
    const planned = find(method, url);
    if (!planned || url.length > MAX_CACHED_LENGTH) return planned;
    cache.set(url, planned);
    caches.set(method, cache);
    return planned;
  };
}

/** Cache limits: URLs per method, and URL length, since environment names in URLs may be as long as headers. */
const MAX_CACHED = 1_000;
const MAX_CACHED_LENGTH = 200;

/** Plans whose paths have parameters at the same positions, keyed by their other segments. */
interface Shape {
  readonly positions: readonly number[];
  readonly plans: Map<string, Plan>;
}

function addShape(shapes: Map<number, Shape[]>, parts: readonly string[], plan: Plan): void {
  const positions = parts.flatMap((part, position) => (part.startsWith('{') ? [position] : []));
  const ofLength = shapes.get(parts.length) ?? [];
  const known = ofLength.find((shape) => String(shape.positions) === String(positions));
  const shape = known ?? { positions, plans: new Map() };
  if (!known) ofLength.push(shape);
  shape.plans.set(keyOf(parts, positions), plan);
  // More specific paths come first.
  ofLength.sort((one, other) => one.positions.length - other.positions.length);
  shapes.set(parts.length, ofLength);
}

function matchShape(shapes: ReadonlyMap<number, Shape[]>, method: string, url: string): Planned | undefined {
  const parts = `${method}${url}`.split('/');
  for (const { positions, plans } of shapes.get(parts.length) ?? []) {
    const plan = plans.get(keyOf(parts, positions));
    if (!plan) continue;
    const path: Record<string, string> = {};
    for (const [index, { name, validate }] of plan.parameters.entries()) {
      const value = parts[positions[index] ?? 0];
      if (!value || !validate(value)) return undefined;
      path[name] = value;
    }
    return { operationId: plan.operationId, plan, path };
  }
  return undefined;
}

const keyOf = (parts: readonly string[], positions: readonly number[]): string =>
  parts.map((part, position) => (positions.includes(position) ? '*' : part)).join('/');

/** Returns undefined for an operation whose body is not JSON, or that requires a query: planned URLs have none. */
function planOf(operationId: string, path: string, options: PlanOptions): Plan | undefined {
  const { document, validators, handlersCheckBodies = false } = options;
  const described = describedOperation(document, operationId);
  if (described.isRaw || described.query.some(({ required }) => required)) return undefined;
  const { path: parameters, headers, query, body } = described;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const schemaOf = (name: string) => parameters.find((parameter) => parameter.name === name)?.schema;
  return {
    operationId,
    parameters: names.map((name) => ({ name, validate: textCheck(schemaOf(name), validators) })),
    headers: headers.map((header) => ({ ...header, validate: textCheck(header.schema, validators) })),
    query,
    body: body && {
      required: body.required,
      validate: handlersCheckBodies ? always : body.schema === undefined ? never : validatorOf(body.schema, validators),
    },
  };
}

/** Checks ASCII strings if the schema has only a few keywords; any other schema is left to the validator. */
function textCheck(schema: TextSchema | undefined, validators: PlanOptions['validators']): Validate {
  const { $ref, type, minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, ...others } = schema ?? {};
  if ($ref !== undefined) return validatorOf($ref.split('/').at(-1) ?? '', validators);
  if (type !== 'string' || Object.keys(others).length > 0) return never;
  const regExp = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  return (value) =>
    typeof value === 'string' &&
    value.length >= minLength &&
    value.length <= maxLength &&
    (regExp === undefined || regExp.test(value));
}

function validatorOf(name: string, validators: PlanOptions['validators']): Validate {
  const validate = validators[name];
  if (!validate) throw new TypeError(`missing validator for the schema '${name}'; generate one (scripts/generate.ts)`);
  return validate;
}

const always: Validate = () => true;

/** Rejects every value, which leaves it to the validator. */
const never: Validate = () => false;
