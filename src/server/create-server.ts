import { document } from '../../generated/ors-document.ts';
import { operations } from '../../generated/ors-operations.ts';
import { validators } from '../../generated/ors-validators.ts';
import { settlesWithin } from '../core/index.ts';
import type { Environment } from '../environment/index.ts';
import { type HostedEnvironment, hostAll } from '../hosting/index.ts';
import type { RequestHandler } from '../http/index.ts';
import { createContext } from './context.ts';
import { createServerHandler } from './create-handler.ts';
import { operationHandlers } from './handlers/index.ts';
import type { ServerOptions, ServerSpec } from './server-options.ts';
import { assertNodeTag } from './sessions/session-id.ts';

const STANDARD: ServerSpec = { document, operations, handlers: operationHandlers, validators };

const SWEEP_MS = 1_000;

/** Interval in which a draining server hands idle sessions over. */
const HAND_OVER_MS = 50;

/**
 * A session of a server.
 *
 * @example
 * const sessionsOf = (name: string) =>
 *   server.sessions.filter(({ environment }: SessionInfo) => environment === name);
 */
export interface SessionInfo {
  readonly environment: string;
  readonly sid: string;
}

/**
 * Options for {@link OrsServer.drain}.
 *
 * @example
 * await server.drain({ timeoutMs: 10_000 });
 */
export interface DrainOptions {
  /**
   * Maximum time to wait for the remaining sessions, in milliseconds.
   *
   * @default the setting `drainTimeoutMs`
   */
  readonly timeoutMs?: number;
}

/**
 * A server without a port: see {@link serve} for one that listens.
 *
 * @example
 * const server: OrsServer = createServer([environment]);
 * express().use('/ors', server.handler);
 */
export interface OrsServer {
  /** Request handler for `node:http`, or for a path of an Express application. */
  readonly handler: RequestHandler;
  /** Number of sessions. */
  readonly sessionCount: number;
  /** All sessions, oldest first. */
  readonly sessions: readonly SessionInfo[];
  /** Masks the secrets of all sessions, and of those that ended recently, in a text. */
  redact(text: string): string;
  /** Removes expired sessions and results. Runs once a second. */
  sweep(): void;
  /**
   * Stops accepting new episodes, waits until all sessions have ended or the timeout is over, then closes the server.
   * Ids from `/create_session` that are less than 5 seconds old can still be used.
   */
  drain(options?: DrainOptions): Promise<void>;
  /** Stops accepting new episodes and tears down all sessions. Can be called more than once. */
  close(): Promise<void>;
}

/**
 * Creates an ORS server. It does not listen: pass its handler to `node:http` or Express, or use {@link serve}.
 *
 * @param environments the environments to serve; the first one is the default.
 * @throws TypeError without environments, for other values, for two with the same name, or for an invalid setting.
 * @example
 * const server = createServer([environment]);
 * const http = createHttpServer(server).listen(8080);
 */
export function createServer(
  environments: readonly (Environment | HostedEnvironment)[],
  options: ServerOptions = {},
): OrsServer {
  const { spec = STANDARD } = options;
  assertNodeTag(options.nodeTag);
  const hosted = hostAll(environments);
  let isReady = true;
  let handingOver: NodeJS.Timeout | undefined;
  const context = createContext(hosted, { ...options, spec }, () => isReady);
  const { handler, close: closeHandler } = createServerHandler({ ...options, spec }, hosted, context);
  const sweep = () => {
    context.sessions.sweep();
    context.issuedIds.sweep();
    context.resultCache.sweep();
  };
  const sweeper = setInterval(sweep, SWEEP_MS).unref();
  const rejectNewEpisodes = () => {
    isReady = false;
    context.sessionSlots.close();
  };
  const close = async () => {
    rejectNewEpisodes();
    context.issuedIds.clear();
    clearInterval(sweeper);
    clearInterval(handingOver);
    await context.sessions.close();
    await closeHandler();
    await Promise.all(hosted.map((environment) => environment.close()));
    context.descriptors.close();
    context.stopObserving();
  };
  return {
    handler,
    get sessionCount() {
      return context.sessions.size;
    },
    get sessions() {
      return Array.from(context.sessions, ({ environment, sid }) => ({ environment: environment.name, sid }));
    },
    redact: (text) => context.sessions.redactor.text(text),
    sweep,
    async drain({ timeoutMs = context.settings.drainTimeoutMs } = {}) {
      rejectNewEpisodes();
      // A session that is busy now is handed over when its call has ended.
      handingOver = setInterval(() => context.sessions.handOver(), HAND_OVER_MS).unref();
      context.sessions.handOver();
      await settlesWithin(
        timeoutMs,
        context.issuedIds.waitUntilEmpty().then(() => context.sessions.waitUntilEmpty()),
      );
      await close();
    },
    close,
  };
}
