import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createBrotliDecompress } from 'node:zlib';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { type Awaitable, decodePercent, withoutTrailingSlashes } from '../core/index.ts';
import { type Admit, admittedCaller, callerOf } from './authentication.ts';
import { HttpError, InvalidRequest, NotJson } from './http-error.ts';
import {
  describedOperation,
  type OpenApiDocument,
  operationTable,
  type Route,
  recordOperation,
} from './openapi-operation.ts';
import { failure, type HttpResponse, jsonValue, operationRequest, type ParseBody, type Pipeline } from './pipeline.ts';
import { readBody, recordedBody } from './request-body.ts';
import { limitLastStall, markHead, type SendOptions, sendResponse } from './send-response.ts';

export interface AppOptions extends SendOptions {
  readonly document: OpenApiDocument;
  readonly operations: Readonly<Record<string, Route>>;
  readonly pipeline: Pipeline;
  readonly admit?: Admit | undefined;
  /** Rewrites the path of a request, or redirects it. May throw. */
  readonly rewrite?: (request: PathRequest) => Destination;
  readonly pages?: Pages;
  /** Page at `/` for browsers whose request has no valid API key. */
  readonly keyPage?: () => Page;
  readonly folders?: Folders;
  readonly bodyLimitBytes: number;
  /** Parses JSON bodies. @default parseJson */
  readonly parseBody?: ParseBody;
  /** Validates JSON responses too. For tests: it is slow, and an invalid response becomes a 500. */
  readonly validateResponses?: boolean;
  /** True if handlers validate request bodies themselves. */
  readonly handlersCheckBodies?: boolean;
  /** Rejects query parameters that the document does not declare. */
  readonly strictQuery?: boolean;
}

export interface PathRequest {
  readonly path: string;
  readonly headers: Request['headers'];
  /** Name of the authenticated caller; undefined on servers without authentication. */
  readonly caller: string | undefined;
}

export type Destination = { readonly path: string } | { readonly redirect: string };

/** Creates the Express application, which reads, validates and routes requests, runs the pipeline and sends responses. */
export async function createApp(options: AppOptions): Promise<Express> {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const described = Object.keys(options.operations).map((id) => ({ id, ...describedOperation(options.document, id) }));
  app.set('query parser', described.some(({ query }) => query.length > 0) ? 'simple' : false);
  app.set('case sensitive routing', true);
  const table = operationTable(options.operations);
  app.use(prepareRequest(table));
  app.use(async (request, _response, next) => {
    await callerOf(request, options.admit);
    next();
  });
  app.use(checkExpectation);
  app.use(pages(options.pages ?? {}));
  app.use(staticFolders(options.folders ?? {}));
  app.use(rewritePath(options.rewrite ?? (({ path }) => ({ path }))));
  app.use(recordOperations(table));
  const rawOperations = described.filter(({ isRaw }) => isRaw).map(({ id }) => id);
  app.use(readBody(options.bodyLimitBytes, rawOperations, options.parseBody));
  app.use(await validator(options));
  for (const [operationId, route] of Object.entries(options.operations)) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app[route.method as 'get' | 'post'](path, runOperation(operationId, options));
  }
  app.use(sendError(options));
  return app;
}

function runOperation(operationId: string, options: AppOptions): RequestHandler {
  const operation = describedOperation(options.document, operationId);
  return async (request, response) => {
    const { params: path, body: value } = request;
    // The validator accepts a missing body if none of its fields is required.
    if (operation.body?.required && value === undefined) throw new NotJson('a JSON body is required');
    const body = { value, ...recordedBody(request) };
    const accepted = operationRequest(request, response, operation, { path, body, caller: admittedCaller(request) });
    await send(response, await options.pipeline(operationId, accepted), options);
  };
}

/**
 * Sends a response through Express's `json` if responses are validated: the validator sees only those, and only once the
 * request has been read.
 */
async function send(response: Response, outcome: HttpResponse, options: AppOptions): Promise<void> {
  const { status, headers, content } = outcome;
  const json = options.validateResponses && response.req.complete ? await jsonValue(content) : undefined;
  if (json === undefined) return sendResponse(response, outcome, options);
  response.status(status).set(headers).json(json);
  limitLastStall(response, options);
}

type OperationTable = ReturnType<typeof operationTable>;

/** Handles HEAD as GET without a body, and answers OPTIONS with the methods of the path. */
function prepareRequest({ methodsOf }: OperationTable): RequestHandler {
  return (request, response, next) => {
    if (request.method === 'HEAD') {
      markHead(response);
      request.method = 'GET';
    }
    if (request.method !== 'OPTIONS') return next();
    const methods = methodsOf(request.path.replace(/\/$/, ''));
    if (methods.includes('GET')) methods.push('HEAD');
    response
      .status(204)
      .set('Allow', [...new Set([...methods, 'OPTIONS'])].join(', '))
      .end();
  };
}

/** Rejects expectations other than `100-continue`, which Node handles. HTTP 1.0 has none. */
const checkExpectation: RequestHandler = (request, _response, next) => {
  const { expect } = request.headers;
  if (expect === undefined || request.httpVersion === '1.0' || /(^|\W)100-continue($|\W)/i.test(expect)) return next();
  throw new HttpError(417, 'invalid Expect header: expected 100-continue');
};

function rewritePath(rewrite: NonNullable<AppOptions['rewrite']>): RequestHandler {
  return (request, response, next) => {
    const [path = '/', query] = splitQuery(request.url);
    if (decodePercent(path) === undefined) throw new HttpError(400, 'the path has a malformed percent escape');
    // One slash at the start: clients that join a base URL with a trailing slash send two.
    const plain = `/${withoutTrailingSlashes(path.replace(/^\/+/, ''))}`;
    const destination = rewrite({ path: plain, headers: request.headers, caller: admittedCaller(request) });
    const suffix = query === undefined ? '' : `?${query}`;
    if ('redirect' in destination) return response.redirect(308, request.baseUrl + destination.redirect + suffix);
    request.url = destination.path + suffix;
    next();
  };
}

/** Records the operation before validation, since rejected requests belong to an operation too. */
function recordOperations({ find }: OperationTable): RequestHandler {
  return (request, response, next) => {
    const operation = find(request.method, request.path);
    if (operation) recordOperation(response, operation);
    next();
  };
}

/** Splits a URL into its path and its query, if it has one. */
const splitQuery = (url: string): readonly string[] => url.split(/\?(.*)/s, 2);

interface ValidatorError extends Error {
  readonly status?: number;
  readonly errors?: { path?: string; message?: string }[];
  readonly headers?: Record<string, string>;
}

/** Responds to errors before the pipeline. If a response has begun, the connection is cut. */
function sendError(options: AppOptions): ErrorRequestHandler {
  return (error: ValidatorError, request, response, _next) => {
    if (response.headersSent) {
      options.onError(error);
      response.destroy();
      return;
    }
    const isUnauthorized = error instanceof HttpError && error.status === 401;
    if (options.keyPage && isUnauthorized && request.path === '/' && acceptsHtml(request)) {
      return sendPage(response.status(401).set(error.headers), options.keyPage());
    }
    const outcome = failure(readable(error, request, options), options.onError, request.path, options.describeFailure);
    void send(response, outcome, options);
  };
}

function readable(error: ValidatorError, request: Request, { pages }: AppOptions): unknown {
  if (error instanceof HttpError || typeof error.status !== 'number' || error.status >= 500) return error;
  if (error.status === 404) {
    const advice = request.path === '/' && pages?.['/'] ? '; only browsers get a page here (Accept: text/html)' : '';
    return new HttpError(404, `no such path: ${request.method} ${request.path}${advice}`);
  }
  if (error.status === 405) {
    return new HttpError(405, `${request.path} does not take ${request.method}`, error.headers);
  }
  const status = error.status === 415 ? 400 : error.status;
  return error.errors?.length ? new InvalidRequest(status, error.errors) : new HttpError(status, error.message);
}

/** HTML page. */
export type Page =
  | string
  | {
      readonly html: string;
      /** Inline styles and scripts, which the content security policy allows. */
      readonly inline: readonly string[];
    };
/** HTML pages by path, rendered for a caller. */
export type Pages = Readonly<Record<string, (caller: string | undefined) => Awaitable<Page>>>;
/** Folders of static files by path; files in `assets` have a content hash in their names. */
export type Folders = Readonly<Record<string, string>>;

/** Only files of this server; no inline scripts or styles. */
const POLICY = "default-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";
const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** Sends a page. Its inline parts are allowed by their hashes. */
function sendPage(response: Response, page: Page): void {
  const { html, inline } = typeof page === 'string' ? { html: page, inline: [] } : page;
  const hashes = inline.map((part) => ` 'sha256-${createHash('sha256').update(part).digest('base64')}'`).join('');
  response.set(HEADERS).set('Cache-Control', 'no-cache');
  if (hashes !== '') {
    response.set('Content-Security-Policy', `${POLICY}; style-src 'self'${hashes}; script-src 'self'${hashes}`);
  }
  response.type('html').send(html);
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';
const acceptsHtml = (request: Request): boolean =>
  isRead(request) && request.headers.accept?.includes('text/html') === true;

/** Serves pages. The one at `/` is only for clients that accept HTML; programs get the error of an unknown path. */
export function pages(pages: Pages): RequestHandler {
  return async (request, response, next) => {
    const render = Object.hasOwn(pages, request.path) ? pages[request.path] : undefined;
    const isWanted = request.path === '/' ? acceptsHtml(request) : isRead(request);
    if (!render || !isWanted) return next();
    const [path = '/', query] = splitQuery(request.originalUrl);
    // Relative links need the slash. The redirect is relative too, since a proxy may have removed a prefix.
    if (!path.endsWith('/') && !path.endsWith('.html')) {
      const last = path.slice(path.lastIndexOf('/') + 1);
      return response.redirect(302, `./${last}/${query === undefined ? '' : `?${query}`}`);
    }
    sendPage(response, await render(admittedCaller(request)));
  };
}

/** Names of assets contain a hash of their content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Serves static folders. */
export function staticFolders(folders: Folders): Router {
  const router = express.Router();
  for (const [path, folder] of Object.entries(folders)) {
    router.use(path, (_request, response, next) => {
      response.set(HEADERS);
      next();
    });
    router.use(path, compressedFiles(folder));
    router.use(`${path}/assets`, express.static(`${folder}/assets`, { immutable: true, maxAge: '1y' }));
    router.use(path, express.static(folder, { etag: true, maxAge: '1h' }));
  }
  return router;
}

/**
 * Serves the files that the build has compressed, `x.js.br` as `x.js`: as they are to clients that accept Brotli, and
 * decompressed to all others.
 */
function compressedFiles(folder: string): RequestHandler {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const paths = new Set(names.filter((name) => name.endsWith('.br')).map((name) => `/${name.slice(0, -'.br'.length)}`));
  return (request, response, next) => {
    if (!paths.has(request.path) || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    response.type(extname(request.path)).vary('Accept-Encoding');
    if (request.acceptsEncodings('br')) {
      response.set('Content-Encoding', 'br');
      request.url = request.url.replace(request.path, `${request.path}.br`);
      return next();
    }
    response.set('Cache-Control', request.path.startsWith('/assets/') ? IMMUTABLE : 'public, max-age=3600');
    if (request.method === 'HEAD') return response.end();
    pipeline(createReadStream(`${folder}${request.path}.br`), createBrotliDecompress(), response).catch(next);
  };
}

type ApiSpec = Parameters<typeof OpenApiValidator.middleware>[0]['apiSpec'];

const validators = new WeakMap<OpenApiDocument, Map<string, Promise<Router>>>();

/**
 * Returns the middleware that validates requests (and in tests JSON responses) by the document. All applications of a
 * process share it, since it takes long to create.
 */
function validator(options: AppOptions): Promise<Router> {
  const { document, validateResponses = false, handlersCheckBodies = false, strictQuery = false } = options;
  const variants = validators.get(document) ?? new Map<string, Promise<Router>>();
  validators.set(document, variants);
  const variant = String([validateResponses, handlersCheckBodies, strictQuery]);
  const known = variants.get(variant);
  if (known) return known;
  const created = createValidator(options);
  variants.set(variant, created);
  // After a failure, the next application tries again.
  created.catch(() => variants.delete(variant));
  return created;
}

async function createValidator(options: AppOptions): Promise<Router> {
  const document = checkedDocument(options.document, options);
  // Other requests are handled before the validator reads the document.
  await nextTurn();
  const router = express.Router();
  router.use(
    OpenApiValidator.middleware({
      apiSpec: document as unknown as ApiSpec,
      validateRequests: { allowUnknownQueryParameters: !options.strictQuery, coerceTypes: false },
      validateResponses: options.validateResponses ?? false,
      validateSecurity: false,
      validateApiSpec: false,
      fileUploader: false,
      useRequestUrl: true,
    }),
  );
  return router;
}

/**
 * Copies the parts of a document that are validated. The validator modifies the document, and looks at every schema in it,
 * which blocks the server.
 */
export function checkedDocument(
  document: OpenApiDocument,
  { validateResponses, handlersCheckBodies }: Pick<AppOptions, 'validateResponses' | 'handlersCheckBodies'>,
): OpenApiDocument {
  const { paths = {}, components = {}, ...others } = document as Parts;
  const isChecked = (part: string) =>
    part === 'responses' ? validateResponses === true : part !== 'requestBody' || !handlersCheckBodies;
  const checkedPaths = mapValues(paths, (item) =>
    mapValues(item, (operation) => (Array.isArray(operation) ? operation : pickBy(operation, isChecked))),
  );
  const used = referencesFrom({ paths: checkedPaths, components });
  const usedComponents = mapValues(components, (kind, kindName) =>
    pickBy(kind, (name) => used.has(`${kindName}/${name}`)),
  );
  return structuredClone({ ...others, paths: checkedPaths, components: usedComponents });
}

const mapValues = <Value, Result>(
  object: Readonly<Record<string, Value>>,
  change: (value: Value, key: string) => Result,
) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

const pickBy = (object: object, isPicked: (key: string) => boolean) =>
  Object.fromEntries(Object.entries(object).filter(([key]) => isPicked(key)));

interface Parts extends OpenApiDocument {
  /** By path, then by method; a path also has `parameters`. */
  readonly paths?: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Returns the components that the paths refer to, directly or through others. */
function referencesFrom({ paths, components = {} }: Parts): ReadonlySet<string> {
  const found = new Set<string>();
  const parts: unknown[] = [paths];
  for (const part of parts) {
    for (const [, kind = '', name = ''] of JSON.stringify(part ?? null).matchAll(REFERENCE)) {
      if (found.has(`${kind}/${name}`)) continue;
      found.add(`${kind}/${name}`);
      parts.push(components[kind]?.[name]);
    }
  }
  return found;
}

const REFERENCE = /"\$ref":"#\/components\/(\w+)\/([\w.-]+)/g;
