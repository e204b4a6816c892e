import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { decodePercent } from '../core/index.ts';
import { type Admit, admission, callerOf } from './admit.ts';
import { describedOperation } from './described-operation.ts';
import { noteHead } from './head-request.ts';
import { HttpError, InvalidRequest, NotJson } from './http-error.ts';
import { limitLastStall } from './limit-stall.ts';
import { noteOperation, operationFinder } from './noted-operation.ts';
import type { Route } from './operation.ts';
import { operationRequest } from './operation-request.ts';
import { type Folders, type Pages, pages, staticFolders } from './pages.ts';
import { failure, jsonValue, type Outcome, type Pipeline } from './pipeline.ts';
import { notedBody, readBody } from './read-body.ts';
import { type SendOptions, sendOutcome } from './send-outcome.ts';
import { type OpenApiDocument, validator } from './validator.ts';

export interface AppOptions extends SendOptions {
  readonly document: OpenApiDocument;
  readonly operations: Readonly<Record<string, Route>>;
  readonly pipeline: Pipeline;
  readonly admit?: Admit | undefined;
  /** Where a request really goes: another path of this server, or a redirect. May throw. */
  readonly rewrite?: (request: PathRequest) => Destination;
  readonly pages?: Pages;
  readonly folders?: Folders;
  readonly bodyLimitBytes: number;
  /** Checks JSON answers against the document too. For tests: it costs time, and a wrong answer becomes a 500. */
  readonly validateResponses?: boolean;
  /** Whether handlers check the bodies of requests themselves; then the document only says what they may be. */
  readonly handlersCheckBodies?: boolean;
  /** Refuses parameters of the query that the document does not declare. */
  readonly strictQuery?: boolean;
}

export interface PathRequest {
  readonly path: string;
  readonly headers: Request['headers'];
  /** Who asks, where the server admits only some. */
  readonly caller: string | undefined;
}

export type Destination = { readonly path: string } | { readonly redirect: string };

/** The Express application: reads, validates and routes requests, hands them to the pipeline, sends what comes out. */
export function createApp(options: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const described = Object.keys(options.operations).map((id) => ({ id, ...describedOperation(options.document, id) }));
  app.set('query parser', described.some(({ query }) => query.length > 0) ? 'simple' : false);
  app.set('case sensitive routing', true);
  app.use(prepareRequest(options.operations));
  app.use(admission(options.admit));
  app.use(pages(options.pages ?? {}));
  app.use(staticFolders(options.folders ?? {}));
  app.use(rewritePath(options.rewrite ?? (({ path }) => ({ path })), options.admit));
  app.use(noteOperations(options.operations));
  const rawOperations = described.filter(({ isRaw }) => isRaw).map(({ id }) => id);
  app.use(readBody(options.bodyLimitBytes, rawOperations));
  app.use(validator(options.document, validatorOptions(options)));
  for (const [operationId, route] of Object.entries(options.operations)) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app[route.method as 'get' | 'post'](path, answer(operationId, options));
  }
  app.use(sendError(options));
  return app;
}

const validatorOptions = ({ validateResponses, handlersCheckBodies, strictQuery }: AppOptions) => ({
  responses: validateResponses ?? false,
  withoutBodies: handlersCheckBodies ?? false,
  strictQuery: strictQuery ?? false,
});

function answer(operationId: string, options: AppOptions): RequestHandler {
  const { headers: declared, query, body: declaredBody } = describedOperation(options.document, operationId);
  return async (request, response) => {
    const { url, params: path, headers, body } = request;
    // The validator lets a missing body pass where none of its fields is required.
    if (declaredBody?.required && body === undefined) throw new NotJson('a JSON body is required');
    const caller = await callerOf(request, options.admit);
    const accepted = { url, path, query, headers, declared, body, ...notedBody(request), caller, response };
    await send(response, await options.pipeline(operationId, operationRequest(accepted)), options);
  };
}

/** The validator sees only the answers that go through Express's own `json`. */
async function send(response: Response, outcome: Outcome, options: AppOptions): Promise<void> {
  const { status, headers, content } = outcome;
  const json = options.validateResponses ? await jsonValue(content) : undefined;
  if (json === undefined) return sendOutcome(response, outcome, options);
  response.status(status).set(headers).json(json);
  limitLastStall(response, options);
}

/** HEAD is answered as GET without a body, and OPTIONS by the methods that a path has. */
function prepareRequest(operations: AppOptions['operations']): RequestHandler {
  const routes = Object.values(operations).map(({ method, path }) => ({
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}/?$`),
  }));
  return (request, response, next) => {
    if (request.method === 'HEAD') {
      noteHead(response);
      request.method = 'GET';
    }
    if (request.method !== 'OPTIONS') return next();
    const methods = routes.filter(({ pattern }) => pattern.test(request.path)).map(({ method }) => method);
    if (methods.includes('GET')) methods.push('HEAD');
    response
      .status(204)
      .set('Allow', [...new Set([...methods, 'OPTIONS'])].join(', '))
      .end();
  };
}

function rewritePath(rewrite: NonNullable<AppOptions['rewrite']>, admit: Admit | undefined): RequestHandler {
  return async (request, response, next) => {
    const [path = '/', query] = splitOnce(request.url, '?');
    if (decodePercent(path) === undefined) throw new HttpError(400, 'the path has a malformed percent escape');
    const plain = trimSlashes(path);
    const caller = await callerOf(request, admit);
    const destination = rewrite({ path: plain, headers: request.headers, caller });
    const suffix = query === undefined ? '' : `?${query}`;
    if ('redirect' in destination) return response.redirect(308, request.baseUrl + destination.redirect + suffix);
    request.url = destination.path + suffix;
    next();
  };
}

/** A request that is refused is one of an operation too. */
function noteOperations(operations: AppOptions['operations']): RequestHandler {
  const find = operationFinder(operations);
  return (request, response, next) => {
    const operation = find(request.method, request.path);
    if (operation) noteOperation(response, operation);
    next();
  };
}

/** One slash at the start, where clients that join a base URL ending in one send two, and none at the end. */
function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (path[start] === '/') start++;
  while (end > start && path[end - 1] === '/') end--;
  return `/${path.slice(start, end)}`;
}

const splitOnce = (text: string, separator: string): [string, string?] => {
  const index = text.indexOf(separator);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
};

interface ValidatorError extends Error {
  readonly status?: number;
  readonly errors?: { path?: string; message?: string }[];
  readonly headers?: Record<string, string>;
}

/** Answers what went wrong before the pipeline. An answer that has begun can only be cut. */
function sendError(options: AppOptions): ErrorRequestHandler {
  return (error: ValidatorError, request, response, _next) => {
    if (response.headersSent) {
      options.onError(error);
      response.destroy();
      return;
    }
    const outcome = failure(readable(error, request), options.onError, request.path, options.describeFailure);
    void send(response, outcome, options);
  };
}

function readable(error: ValidatorError, request: Request): unknown {
  if (error instanceof HttpError || typeof error.status !== 'number' || error.status >= 500) return error;
  if (error.status === 404) return new HttpError(404, `no such path: ${request.method} ${request.path}`);
  if (error.status === 405) {
    return new HttpError(405, `${request.path} does not take ${request.method}`, error.headers);
  }
  const status = error.status === 415 ? 400 : error.status;
  return error.errors?.length ? new InvalidRequest(status, error.errors) : new HttpError(status, error.message);
}
