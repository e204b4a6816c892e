import { createRequire } from 'node:module';
import type { Logger } from 'pino';
import type { AuthorWork, Observer } from './observer.ts';

const require = createRequire(import.meta.url);

type WriteLine = (fields: object, message: string) => void;

/** The part of a pino logger that a server uses. */
export interface ServerLog {
  isLevelEnabled(level: 'debug'): boolean;
  readonly debug: WriteLine;
  readonly info: WriteLine;
  readonly warn: WriteLine;
  readonly error: WriteLine;
}

/** Creates a pino log at level warn on stderr. pino is loaded with the first line, which most servers never write. */
export function createWarningLog(): ServerLog {
  let logger: Logger | undefined;
  const load = (): Logger => {
    const { pino } = require('pino') as typeof import('pino');
    logger ??= pino({ level: 'warn' }, process.stderr);
    return logger;
  };
  return {
    isLevelEnabled: () => false,
    debug() {},
    info() {},
    warn: (fields, message) => load().warn(fields, message),
    error: (fields, message) => load().error(fields, message),
  };
}

/**
 * Creates an observer that logs the start and end of sessions at level info, requests and author code at level debug.
 * With debug disabled, a request costs only the check of the level.
 */
export function logObserver(log: ServerLog): Partial<Observer> {
  return {
    request({ method }) {
      if (!log.isLevelEnabled('debug')) return undefined;
      const since = performance.now();
      return {
        ended({ operation, status, isComplete, sid, environment }) {
          log.debug(
            { method, operation, status, ms: elapsedMs(since), sid, environment, ...(!isComplete && { cut: true }) },
            'request',
          );
        },
      };
    },
    authorWork(work) {
      if (!log.isLevelEnabled('debug')) return undefined;
      const since = performance.now();
      return { ended: ({ outcome }) => log.debug({ ...workFields(work), ms: elapsedMs(since), outcome }, work.kind) };
    },
    sessionOpened: ({ sid, environment }) => log.info({ sid, environment }, 'session opened'),
    sessionEnded: ({ sid, environment }, ending) => log.info({ sid, environment, ending }, 'session ended'),
  };
}

function workFields({ kind, sid, environment, tool, waitedMs }: AuthorWork) {
  if (kind !== 'call') return { sid, environment };
  return { sid, environment, tool: tool ?? null, waitedMs: waitedMs === undefined ? undefined : roundMs(waitedMs) };
}

const elapsedMs = (since: number): number => roundMs(performance.now() - since);

/** Rounds to microseconds. */
const roundMs = (ms: number): number => Math.round(ms * 1_000) / 1_000;
