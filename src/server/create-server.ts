import { document } from '../../generated/ors-document.ts';
import { operations } from '../../generated/ors-operations.ts';
import { validators } from '../../generated/ors-validators.ts';
import { settlesWithin } from '../core/index.ts';
import type { Environment } from '../environment/index.ts';
import { type HostedEnvironment, hostInline } from '../hosting/index.ts';
import type { RequestHandler } from '../http/index.ts';
import { createContext } from './create-context.ts';
import { createServerHandler } from './create-handler.ts';
import { operationHandlers } from './operations/index.ts';
import type { ServerOptions, ServerSpec } from './server-options.ts';
import { assertNodeTag } from './sessions/session-id.ts';

/** The standard's own operations. */
const STANDARD: ServerSpec = { document, operations, handlers: operationHandlers, validators };

const SWEEP_MS = 1_000;

/** A session that there is. */
export interface SessionInfo {
  readonly environment: string;
  readonly sid: string;
}

export interface DrainOptions {
  /** How long to wait for the sessions that are left, in milliseconds. Default: the setting `drainTimeoutMs`. */
  readonly timeoutMs?: number;
}

export interface OrsServer {
  /** Answers requests; for `node:http`, or under a path of an Express application. */
  readonly handler: RequestHandler;
  /** How many sessions there are. */
  readonly sessionCount: number;
  /** Those sessions, oldest first. */
  readonly sessions: readonly SessionInfo[];
  /** Takes the secrets of all those sessions out of a text, and of those that ended lately. */
  redact(text: string): string;
  /** Forgets what has expired; runs by itself once a second. */
  sweep(): void;
  /**
   * Takes no new episodes but those whose ids it issued in the last 5 seconds, serves those that there are until none is
   * left or the time is over, then closes.
   */
  drain(options?: DrainOptions): Promise<void>;
  /** Takes no new episodes and tears down all there are. May be called twice. */
  close(): Promise<void>;
}

/**
 * Makes an ORS server of environments, the first of which is the default; it listens nowhere yet, see `serve`.
 *
 * @throws TypeError if there is no environment, two have the same name, or a setting cannot be meant.
 */
export function createServer(
  environments: readonly (Environment | HostedEnvironment)[],
  options: ServerOptions = {},
): OrsServer {
  const { spec = STANDARD } = options;
  assertNodeTag(options.nodeTag);
  const hosted = environments.map((environment) => ('open' in environment ? environment : hostInline(environment)));
  let isReady = true;
  const context = createContext(hosted, { ...options, spec }, () => isReady);
  const proxy = createServerHandler({ ...options, spec }, hosted, context);
  const sweep = () => {
    context.sessions.sweep();
    context.issuedIds.sweep();
    context.resultCache.sweep();
  };
  const sweeper = setInterval(sweep, SWEEP_MS).unref();
  const takeNoMore = () => {
    isReady = false;
    context.sessionSlots.close();
  };
  const close = async () => {
    takeNoMore();
    context.issuedIds.clear();
    clearInterval(sweeper);
    await context.sessions.close();
    await proxy.close();
    await Promise.all(hosted.map((environment) => environment.close()));
    context.descriptors.close();
    context.stopObserving();
  };
  return {
    handler: proxy.handler,
    get sessionCount() {
      return context.sessions.size;
    },
    get sessions() {
      return Array.from(context.sessions, ({ environment, sid }) => ({ environment: environment.name, sid }));
    },
    redact: (text) => context.sessions.redactor.text(text),
    sweep,
    async drain({ timeoutMs = context.settings.drainTimeoutMs } = {}) {
      takeNoMore();
      await settlesWithin(
        timeoutMs,
        context.issuedIds.waitUntilEmpty().then(() => context.sessions.waitUntilEmpty()),
      );
      await close();
    },
    close,
  };
}
