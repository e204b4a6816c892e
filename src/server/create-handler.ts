import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { errorStack, isPromiseLike, withoutTrailingSlashes } from '../core/index.ts';
import { PACKAGE_FOLDER } from '../core/node/index.ts';
import type { HostedEnvironment } from '../hosting/index.ts';
import {
  type AnyHandlers,
  admittedCaller,
  cors,
  createFastPath,
  createPipeline,
  type Destination,
  guardHost,
  type LazyApp,
  lazyApp,
  oneAtATime,
  type PathRequest,
  type RequestHandler,
  recordedOperation,
  sendFailure,
} from '../http/index.ts';
import { RESERVED_NAMES, SESSION_HEADER } from '../protocol/index.ts';
import { createViewer, renderKeyPage } from '../viewer/server/index.ts';
import {
  createOpenPaths,
  type Identify,
  identifyOnce,
  requireKnownCaller,
  trackKeyRevocation,
} from './auth/authenticate.ts';
import type { ServerContext } from './context.ts';
import { getDefaultEnvironment } from './environments.ts';
import { createResume, holdUntilClosed } from './handlers/resume.ts';
import { LANDING_TITLE, renderLandingPage } from './landing-page.ts';
import { type RequestEnd, runInSpan } from './observability/observer.ts';
import type { ServerOptions, ServerSpec } from './server-options.ts';

type ServerHandlerOptions = ServerOptions & { readonly spec: ServerSpec };

const EXPOSED_HEADERS = [SESSION_HEADER, 'X-Ignored-Fields', 'X-Trace-ID', 'X-Backend-State', 'Retry-After'];

/**
 * Parts of bodies whose numbers may change, by operation: a call fails with the reason, and judges read the messages of
 * models, which contain anything.
 */
const TOLERATED: Readonly<Record<string, RegExp>> = {
  callTool: /^\/input(\/|$)/,
  scoreGroup: /^\/candidates\/\d+\/messages\//,
};

/**
 * Creates the handler of all requests. From outside to inside, a request is observed, recorded as activity of its session,
 * checked for its host, dispatched to a mount, checked for its origin, then handled on the fast path or by Express. Both
 * authenticate the caller and run the pipeline, which runs the handler of the operation.
 */
export function createServerHandler(
  options: ServerHandlerOptions,
  environments: readonly HostedEnvironment[],
  context: ServerContext,
): LazyApp {
  const { spec, authenticate, allowedHosts, corsOrigins = [], mounts = {}, viewer: hasViewer = true } = options;
  const { document, operations, validators } = spec;
  const { observer, settings } = context;
  const hasTraces = '/v1' in mounts;
  const { pages, folders } = createViewer({ environments: true, traces: hasTraces });
  const onError = (error: unknown) => logInternalError(context, error);
  const openResponses = authenticate && trackKeyRevocation(authenticate, onError);
  const identify = authenticate && identifyOnce(authenticate, openResponses);
  const isOpen = createOpenPaths(options.openPaths);
  const onRefused = () => observer.rejected('unauthorized');
  const shared = {
    document,
    operations,
    pipeline: createPipeline<ServerContext>({
      // The type of the table guarantees that it is complete; the pipeline only reads its keys.
      handlers: spec.handlers as AnyHandlers<ServerContext>,
      context,
      tolerates: (operationId, { pointer }) => TOLERATED[operationId]?.test(pointer) ?? false,
      onError,
    }),
    admit: identify && requireKnownCaller(identify, isOpen, { onRefused, openResponses }),
    bodyLimitBytes: settings.bodyLimitBytes,
    heartbeatMs: settings.heartbeatMs,
    stalledReaderMs: settings.stalledReaderMs,
    watchStream: observer.stream,
    onStall: observer.readerStalled,
    onError,
  };
  const landing = {
    viewer: hasViewer,
    traces: hasTraces,
    metrics: context.metrics !== undefined,
    isOpen: (path: string) => !authenticate || isOpen(path),
  };
  const app = lazyApp({
    ...shared,
    rewrite: createRewriter(context, operations),
    pages: { '/': () => renderLandingPage(environments, landing), ...(hasViewer && pages) },
    keyPage: () => renderKeyPage(LANDING_TITLE),
    folders: { '/docs': join(PACKAGE_FOLDER, 'dist', 'pages'), ...(hasViewer && folders) },
    validateResponses: options.validateResponses ?? false,
    watchLoading: observer.loading,
    preload: options.preload ?? true,
  });

  let handler = app.handler;
  if ((options.fastPath ?? true) && validators && !options.validateResponses) {
    handler = createFastPath({ ...shared, validators, fallback: handler });
  }
  if (context.journal) handler = resumeSessions(handler, context, identify);
  if (options.corsOrigins) {
    handler = cors(handler, { origins: corsOrigins, exposedHeaders: EXPOSED_HEADERS, operations });
  }
  if (openResponses) handler = openResponses.track(handler);
  handler = withMounts(handler, mounts, operations);
  if (allowedHosts) {
    const allowed = { hosts: allowedHosts, origins: corsOrigins };
    handler = guardHost(handler, allowed, () => observer.rejected('host'));
  }
  handler = recordActivity(handler, context, identify);
  handler = observeRequests(handler, context, spec);
  return { handler: oneAtATime(handler), close: app.close };
}

/**
 * Counts every request that carries a session's id as its activity, whatever its path and its response. A request with
 * another API key than that of the session does not count. Source: HTTP API, "Session Timeout".
 */
function recordActivity(
  handler: RequestHandler,
  { sessions }: ServerContext,
  identify: Identify | undefined,
): RequestHandler {
  return (request, response, next) => {
    const { 'x-session-id': sid } = request.headers;
    if (typeof sid === 'string') {
      const isPing = PING.test(request.url ?? '');
      if (!identify) sessions.touch(sid, undefined, isPing);
      else identify(request).then((caller) => caller && sessions.touch(sid, caller, isPing), ignoreError);
    }
    handler(request, response, next);
  };
}

const PING = /\/ping\/?(\?|$)/;

/** Paths of requests that an evicted session needs no memory for. */
const WITHOUT_EPISODE = /\/(ping|delete)\/?(\?|$)/;

/** Paths that create a session. */
const CREATING = /^\/create(_session)?\/?(\?|$)/;

/** Brings the session of a request back from the journal before the request is handled. */
function resumeSessions(
  handler: RequestHandler,
  context: ServerContext,
  identify: Identify | undefined,
): RequestHandler {
  const resume = createResume(context);
  return (request, response, next) => {
    const { url = '', headers } = request;
    const { 'x-session-id': sid } = headers;
    if (typeof sid !== 'string' || CREATING.test(url)) return handler(request, response, next);
    const needsEpisode = !WITHOUT_EPISODE.test(url);
    let caller: string | undefined;
    const resumed = identify
      ? identify(request).then((owner) => {
          caller = owner;
          return owner === undefined ? undefined : resume({ sid, owner }, headers, needsEpisode);
        })
      : resume({ sid, owner: undefined }, headers, needsEpisode);
    const proceed = () => {
      if (!context.isReady()) holdUntilClosed({ sid, owner: caller }, response, context);
      handler(request, response, next);
    };
    if (!isPromiseLike(resumed)) return proceed();
    resumed.then(proceed, (error: unknown) =>
      sendFailure(response, error, (reason) => logInternalError(context, reason)),
    );
  };
}

/** The response to the request reports the error, if its path requires a key. */
const ignoreError = (): void => {};

/** Passes requests below the path of a mount to the handler that is mounted there, except operations of this server. */
function withMounts(
  handler: RequestHandler,
  mounts: Readonly<Record<string, RequestHandler>>,
  operations: ServerSpec['operations'],
): RequestHandler {
  const prefixes = Object.entries(mounts).map(([path, mount]) => ({
    prefix: `${withoutTrailingSlashes(path)}/`,
    mount,
  }));
  if (prefixes.length === 0) return handler;
  const below = Object.values(operations).filter(({ path }) => prefixes.some(({ prefix }) => path.startsWith(prefix)));
  const own = below.map(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/?]*')}/?(\\?|$)`));
  return (request, response, next) => {
    const { url = '' } = request;
    const mounted = prefixes.find(({ prefix }) => url.startsWith(prefix));
    const isOwn = mounted !== undefined && own.some((path) => path.test(url));
    (isOwn ? handler : (mounted?.mount ?? handler))(request, response, next);
  };
}

/** Start of platform paths with an empty owner. */
const OWNERLESS = '/v1/environments//';

/** First segment of the paths that belong to an environment. */
const ENVIRONMENT = '/{env_name}';

/**
 * Creates the function that adds the environment to paths without one. `/tools` and the like belong to the environment of
 * the session, or to the default one. Other unknown paths are redirected if there is only one environment.
 * Source: HTTP API, "POST /create" (`env_name`).
 */
function createRewriter(context: ServerContext, operations: ServerSpec['operations']) {
  const paths = Object.values(operations).map(({ path }) => path);
  const known = new Set(paths.filter((path) => !path.includes('{')));
  const actions = new Set(
    paths.filter((path) => path.startsWith(`${ENVIRONMENT}/`)).map((path) => path.slice(ENVIRONMENT.length)),
  );

  return ({ path, headers, caller }: PathRequest): Destination => {
    const [, first = '', ...rest] = path.split('/');
    // Programs without an owner send an empty segment.
    if (path.startsWith(OWNERLESS)) return { path: `${OWNERLESS.slice(0, -1)}-/${path.slice(OWNERLESS.length)}` };
    if (known.has(path) || (rest.length === 1 && actions.has(`/${rest[0]}`))) return { path };
    if (rest.length === 0 && actions.has(path)) {
      const sid = headers['x-session-id'];
      const session = typeof sid === 'string' ? context.sessions.find(sid, caller) : undefined;
      return { path: `/${(session?.environment ?? getDefaultEnvironment(context, headers)).name}${path}` };
    }
    const { names } = context.environments;
    const isInside = names.some((name) => name.toLowerCase() === first.toLowerCase());
    return names.length > 1 || isInside || RESERVED_NAMES.has(first) ? { path } : { redirect: `/${names[0]}${path}` };
  };
}

/** Reports each request to the observer, from its arrival to the end of its response. */
function observeRequests(handler: RequestHandler, context: ServerContext, spec: ServerSpec): RequestHandler {
  const { observer } = context;
  return (request, response, next) => {
    const span = observer.request({ method: request.method ?? '', headers: request.headers });
    if (!span) return handler(request, response, next);
    response.on('close', () => span.ended(new ObservedRequestEnd(request, response, context, spec)));
    return runInSpan(span, () => handler(request, response, next));
  };
}

/** Computes each property when an observer reads it. */
class ObservedRequestEnd implements RequestEnd {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #context: ServerContext;
  readonly #spec: ServerSpec;

  constructor(request: IncomingMessage, response: ServerResponse, context: ServerContext, spec: ServerSpec) {
    this.#request = request;
    this.#response = response;
    this.#context = context;
    this.#spec = spec;
  }

  get operation(): string | undefined {
    return recordedOperation(this.#response)?.operationId;
  }

  get route(): string | undefined {
    return this.operation === undefined ? undefined : this.#spec.operations[this.operation]?.path;
  }

  get status(): number {
    return this.#response.statusCode;
  }

  get isComplete(): boolean {
    return this.#response.writableFinished;
  }

  get sid(): string | undefined {
    return this.#environmentOfSession === undefined ? undefined : this.#requestedSid;
  }

  get environment(): string | undefined {
    const name = recordedOperation(this.#response)?.path.env_name;
    const named = typeof name === 'string' ? this.#context.environments.find(name)?.name : undefined;
    return named ?? this.#environmentOfSession;
  }

  get #environmentOfSession(): string | undefined {
    const sid = this.#requestedSid;
    if (sid === undefined) return undefined;
    return this.#context.sessions.environmentOf(sid, admittedCaller(this.#request));
  }

  get #requestedSid(): string | undefined {
    const sid = this.#request.headers['x-session-id'];
    return typeof sid === 'string' ? sid.trim() : undefined;
  }
}

/** Logs only the stack of an error: other properties may contain the body of a request. */
function logInternalError({ log, sessions }: ServerContext, error: unknown): void {
  log.error({ error: sessions.redactor.text(errorStack(error)) }, 'internal error while handling a request');
}
