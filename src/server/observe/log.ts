import type { ServerLog } from '../log.ts';
import type { AuthorWork, Observer } from './observer.ts';

/**
 * Tells a log: at info a line when a session opens and one when it ends, at debug one per request and one per piece of
 * an author's code. A line that the log's level leaves out costs the question whether it does.
 */
export function logObserver(log: ServerLog): Partial<Observer> {
  return {
    request({ method }) {
      if (!log.isLevelEnabled('debug')) return undefined;
      const since = performance.now();
      return {
        ended({ operation, status, isComplete, sid, environment }) {
          log.debug(
            { method, operation, status, ms: elapsed(since), sid, environment, ...(!isComplete && { cut: true }) },
            'request',
          );
        },
      };
    },
    authorWork(work) {
      if (!log.isLevelEnabled('debug')) return undefined;
      const since = performance.now();
      return { ended: ({ outcome }) => log.debug({ ...fields(work), ms: elapsed(since), outcome }, work.kind) };
    },
    sessionOpened: ({ sid, environment }) => log.info({ sid, environment }, 'session opened'),
    sessionEnded: ({ sid, environment }, ending) => log.info({ sid, environment, ending }, 'session ended'),
  };
}

function fields({ kind, sid, environment, tool, waitedMs }: AuthorWork) {
  if (kind !== 'call') return { sid, environment };
  return { sid, environment, tool: tool ?? null, waitedMs: waitedMs === undefined ? undefined : rounded(waitedMs) };
}

const elapsed = (since: number): number => rounded(performance.now() - since);

/** To the microsecond. */
const rounded = (ms: number): number => Math.round(ms * 1_000) / 1_000;
