import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Logger, pino } from 'pino';
import { document as orsDocument } from '../../generated/ors-document.ts';
import { operations as orsOperations } from '../../generated/ors-operations.ts';
import { validators as orsValidators } from '../../generated/ors-validators.ts';
import type { Environment } from '../environment/index.ts';
import { type HostedEnvironment, hostInline } from '../hosting/index.ts';
import {
  type AnyHandlers,
  createApp,
  createPipeline,
  direct,
  type OpenApiDocument,
  type Pipeline,
  type Route,
} from '../http/index.ts';
import { SESSION_HEADER } from '../protocol/index.ts';
import { Results } from './calls/results.ts';
import type { ServerContext } from './context.ts';
import { environmentTable } from './environments.ts';
import { landingPage } from './landing-page.ts';
import { handlers as orsHandlers } from './operations/index.ts';
import { PAGES_FOLDER } from './package.ts';
import { rewriteFor } from './rewrite.ts';
import { SessionRegistry } from './sessions/registry.ts';
import { checkNodeTag } from './sessions/session-id.ts';
import { DEFAULT_SETTINGS, type Settings } from './settings.ts';

const SWEEP_MS = 1_000;

/** A server's own operations: a document that has them, its operation table and a handler for each. */
export interface ServerSpec {
  readonly document: OpenApiDocument;
  readonly operations: Readonly<Record<string, Route>>;
  readonly handlers: object;
  /** The document's component schemas, compiled. Default: none, and then every request goes through Express. */
  readonly validators?: Readonly<Record<string, (value: unknown) => boolean>>;
}

export interface ServerOptions extends Partial<Settings> {
  /** Default: pino at level warn, to standard error. */
  readonly log?: Logger;
  /** Origins whose pages may use this server; `['*']` for all. Takes every request through Express. Default: none. */
  readonly corsOrigins?: readonly string[];
  /** Replaces the standard's operations; what `ors generate` makes of a changed spec. Default: the standard's own. */
  readonly spec?: ServerSpec;
  /** Milliseconds since some fixed moment. Default: a clock that is never set back. */
  readonly now?: () => number;
  /** Checks JSON answers against the spec as well, which takes every request through Express. For tests. Default: false. */
  readonly validateResponses?: boolean;
  /** Lets plainly valid requests pass Express by. Default: true; what is answered is the same. */
  readonly direct?: boolean;
}

type RequestHandler = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

/** A session that there is. */
export interface OpenSession {
  readonly environment: string;
  readonly sid: string;
}

export interface OrsServer {
  /** Answers requests; for `node:http`, or under a path of an Express application. */
  readonly handler: RequestHandler;
  /** How many sessions there are. */
  readonly sessionCount: number;
  /** Those sessions, oldest first. */
  readonly sessions: readonly OpenSession[];
  /** Forgets what has expired; runs by itself once a second. */
  sweep(): void;
  /** Takes no new episodes and tears down all there are. May be called twice. */
  close(): Promise<void>;
}

const STANDARD: ServerSpec = {
  document: orsDocument,
  operations: orsOperations,
  handlers: orsHandlers,
  validators: orsValidators,
};

/**
 * Makes an ORS server of environments, the first of which is the default; it listens nowhere yet, see `serve`.
 *
 * @throws TypeError if there is no environment, two have the same name, or `nodeTag` is no tag.
 */
export function createServer(
  environments: readonly (Environment | HostedEnvironment)[],
  options: ServerOptions = {},
): OrsServer {
  const { spec = STANDARD } = options;
  checkNodeTag(options.nodeTag);
  const hosted = environments.map((environment) => ('open' in environment ? environment : hostInline(environment)));
  let isReady = true;
  const context = createContext(hosted, options, () => isReady);
  const pipeline = pipelineFor(spec, context);
  const app = createApp({
    document: spec.document,
    operations: spec.operations,
    pipeline,
    rewrite: rewriteFor(
      context,
      Object.values(spec.operations).map(({ path }) => path),
    ),
    pages: { '/': () => landingPage(hosted) },
    folders: { '/docs': PAGES_FOLDER },
    ...(options.corsOrigins && {
      cors: { origins: options.corsOrigins, exposedHeaders: [SESSION_HEADER, 'X-Ignored-Fields', 'Retry-After'] },
    }),
    bodyLimitBytes: context.settings.bodyLimitBytes,
    heartbeatMs: context.settings.heartbeatMs,
    validateResponses: options.validateResponses ?? false,
    onError: (error) => logDefect(context, error),
  });
  const sweep = () => {
    context.sessions.sweep();
    context.results.sweep();
  };
  const sweeper = setInterval(sweep, SWEEP_MS).unref();
  return {
    handler: entrance(app as unknown as RequestHandler, pipeline, spec, context, options),
    get sessionCount() {
      return context.sessions.size;
    },
    get sessions() {
      return Array.from(context.sessions, ({ environment, sid }) => ({ environment: environment.name, sid }));
    },
    sweep,
    async close() {
      isReady = false;
      clearInterval(sweeper);
      await context.sessions.close();
    },
  };
}

/** Express types its own request and response; it makes them of Node's, which is what the entrance hands it. */
function entrance(
  fallback: RequestHandler,
  pipeline: Pipeline,
  { document, operations, validators }: ServerSpec,
  context: ServerContext,
  options: ServerOptions,
): RequestHandler {
  const { direct: isWanted = true, validateResponses, corsOrigins } = options;
  if (!isWanted || !validators || validateResponses || corsOrigins) return fallback;
  const { heartbeatMs, bodyLimitBytes } = context.settings;
  const onError = (error: unknown) => logDefect(context, error);
  return direct({ document, operations, validators, pipeline, heartbeatMs, bodyLimitBytes, fallback, onError });
}

function createContext(
  environments: readonly HostedEnvironment[],
  options: ServerOptions,
  isReady: () => boolean,
): ServerContext {
  const settings: Settings = { ...DEFAULT_SETTINGS, ...options };
  const { now = () => performance.now(), log = pino({ level: 'warn' }, process.stderr) } = options;
  return {
    environments: environmentTable(environments),
    sessions: new SessionRegistry(settings),
    results: new Results({ ...settings, now }),
    document: options.spec?.document ?? orsDocument,
    settings,
    now,
    log,
    logOnce: onceEach((line) => log.warn(line)),
    isReady,
  };
}

function pipelineFor({ handlers }: ServerSpec, context: ServerContext): Pipeline {
  return createPipeline<ServerContext>({
    // The table is complete by its type; here only its keys count.
    handlers: handlers as AnyHandlers<ServerContext>,
    context,
    guards: [(_operationId, request) => context.sessions.touch(sessionIdOf(request))],
    tolerates: (operationId, { pointer }) => operationId === 'callTool' && /^\/input(\/|$)/.test(pointer),
    onError: (error) => logDefect(context, error),
  });
}

const logDefect = ({ log }: ServerContext, error: unknown) =>
  log.error({ err: error }, 'a request failed in this server itself');

const MOST_LINES = 100;

function onceEach(log: (line: string) => void): (line: string) => void {
  const seen = new Set<string>();
  return (line) => {
    if (seen.has(line) || seen.size >= MOST_LINES) return;
    seen.add(line);
    log(line);
  };
}

const sessionIdOf = ({ header }: { header: Readonly<Record<string, unknown>> }): string | undefined => {
  const sid = header[SESSION_HEADER];
  return typeof sid === 'string' ? sid.trim() : undefined;
};
