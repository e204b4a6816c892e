import { errorStack, withoutTrailingSlashes } from '../core/index.ts';
import type { HostedEnvironment } from '../hosting/index.ts';
import {
  type Admit,
  type AnyHandlers,
  cors,
  createPipeline,
  type DirectOptions,
  direct,
  guardHost,
  type LazyApp,
  lazyApp,
  type OpenResponses,
  oneAtATime,
  type Pipeline,
  type RequestHandler,
  type SendOptions,
} from '../http/index.ts';
import { SESSION_HEADER } from '../protocol/index.ts';
import { createViewer } from '../viewer/server/index.ts';
import { requireKnownCaller, trackKeyRevocation } from './auth/authenticate.ts';
import type { ServerContext } from './context.ts';
import { renderLandingPage } from './landing-page.ts';
import { observeRequests } from './observe/requests.ts';
import { PAGES_FOLDER } from './package.ts';
import { createRewriter } from './rewrite.ts';
import type { ServerOptions, ServerSpec } from './server-options.ts';

type ServerHandlerOptions = ServerOptions & { readonly spec: ServerSpec };

/** The way of a request: observed, held against who may ask, by one of two entrances into the pipeline. */
export function createServerHandler(
  options: ServerHandlerOptions,
  environments: readonly HostedEnvironment[],
  context: ServerContext,
): LazyApp {
  const { spec, mounts = {}, viewer: isShown = true } = options;
  const { pages, folders } = createViewer({ environments: true, traces: '/v1' in mounts });
  const answers =
    options.authenticate && trackKeyRevocation(options.authenticate, (error) => logDefect(context, error));
  const admit = admitFor(context, options, answers);
  const pipeline = pipelineFor(spec, context);
  const send = sendOptions(context);
  const { bodyLimitBytes } = context.settings;
  const app = lazyApp({
    document: spec.document,
    operations: spec.operations,
    pipeline,
    admit,
    rewrite: createRewriter(
      context,
      Object.values(spec.operations).map(({ path }) => path),
    ),
    pages: { '/': () => renderLandingPage(environments), ...(isShown && pages) },
    folders: { '/docs': PAGES_FOLDER, ...(isShown && folders) },
    bodyLimitBytes,
    validateResponses: options.validateResponses ?? false,
    ...send,
    watchLoading: context.observer.loading,
  });
  const handler = withAnswers(
    answers,
    withCors(entrance(app.handler, { ...options, pipeline, admit, send, bodyLimitBytes }), options),
  );
  const observed = observeRequests(guarded(mounted(handler, mounts), context, options), context.observer, {
    routeOf: (operationId) => spec.operations[operationId]?.path,
    environmentOf: (sid, caller) => context.sessions.environmentOf(sid, caller),
    environmentNamed: (name) => context.environments.find(name)?.name,
  });
  return { handler: oneAtATime(observed), close: app.close };
}

function entrance(
  fallback: RequestHandler,
  options: ServerHandlerOptions & Pick<DirectOptions, 'pipeline' | 'admit' | 'bodyLimitBytes'> & { send: SendOptions },
): RequestHandler {
  const { fastPath: isWanted = true, validateResponses, pipeline, admit, send, bodyLimitBytes } = options;
  const { document, operations, validators } = options.spec;
  if (!isWanted || !validators || validateResponses) return fallback;
  return direct({ ...send, document, operations, validators, pipeline, admit, bodyLimitBytes, fallback });
}

/** Also for pages of other origins, if there are any that may. */
function withCors(
  handler: RequestHandler,
  { corsOrigins: origins, spec: { operations } }: ServerHandlerOptions,
): RequestHandler {
  const exposedHeaders = [SESSION_HEADER, 'X-Ignored-Fields', 'X-Trace-ID', 'Retry-After'];
  return origins ? cors(handler, { origins, exposedHeaders, operations }) : handler;
}

const sendOptions = (context: ServerContext): SendOptions => ({
  heartbeatMs: context.settings.heartbeatMs,
  stalledReaderMs: context.settings.stalledReaderMs,
  watchStream: context.observer.stream,
  onStall: context.observer.readerStalled,
  onError: (error) => logDefect(context, error),
});

function admitFor(
  { observer }: ServerContext,
  { authenticate, openPaths = [] }: ServerOptions,
  answers: OpenResponses | undefined,
): Admit | undefined {
  const onRefused = () => observer.rejected('unauthorized');
  return authenticate && requireKnownCaller(authenticate, openPaths, { onRefused, answers });
}

function withAnswers(answers: OpenResponses | undefined, handler: RequestHandler): RequestHandler {
  if (!answers) return handler;
  return (request, response, next) => {
    answers.begin(request, response);
    handler(request, response, next);
  };
}

/** Each path's handler has what is asked below it. */
function mounted(handler: RequestHandler, mounts: Readonly<Record<string, RequestHandler>>): RequestHandler {
  const prefixes = Object.entries(mounts).map(([path, mount]) => ({
    prefix: `${withoutTrailingSlashes(path)}/`,
    mount,
  }));
  if (prefixes.length === 0) return handler;
  return (request, response, next) => {
    const own = prefixes.find(({ prefix }) => request.url?.startsWith(prefix));
    (own?.mount ?? handler)(request, response, next);
  };
}

function guarded(
  handler: RequestHandler,
  { observer }: ServerContext,
  { allowedHosts, corsOrigins = [] }: ServerOptions,
): RequestHandler {
  if (!allowedHosts) return handler;
  return guardHost(handler, { hosts: allowedHosts, origins: corsOrigins }, () => observer.rejected('host'));
}

function pipelineFor({ handlers }: ServerSpec, context: ServerContext): Pipeline {
  return createPipeline<ServerContext>({
    // The table is complete by its type; here only its keys count.
    handlers: handlers as AnyHandlers<ServerContext>,
    context,
    guards: [(_operationId, request) => context.sessions.touch(sessionIdOf(request), request.caller)],
    tolerates: (operationId, { pointer }) => operationId === 'callTool' && /^\/input(\/|$)/.test(pointer),
    onError: (error) => logDefect(context, error),
  });
}

/** Not all that the error holds: libraries put the body of a request into theirs. */
function logDefect({ log, sessions }: ServerContext, error: unknown): void {
  const told = sessions.redactor.text(errorStack(error));
  log.error({ error: told }, 'a request failed in this server itself');
}

const sessionIdOf = ({ header }: { header: Readonly<Record<string, unknown>> }): string | undefined => {
  const sid = header[SESSION_HEADER];
  return typeof sid === 'string' ? sid.trim() : undefined;
};
