import type { ServerLog } from '../log.ts';
import { warnOnBlockedEventLoop } from './blocked-loop.ts';
import { logObserver } from './log.ts';
import { createMetrics, type ServerMetrics } from './metrics/metrics.ts';
import { combineObservers } from './observe-all.ts';
import type { Observer } from './observer.ts';
import { tracingObserver } from './tracing.ts';

/** All who watch one server. */
export interface ServerObservers {
  readonly observer: Observer;
  /** Undefined where they are off. */
  readonly metrics: ServerMetrics | undefined;
  readonly stopObserving: () => void;
}

export function createObservers({
  log,
  environments,
  metrics: areOn,
}: {
  readonly log: ServerLog;
  readonly environments: readonly string[];
  readonly metrics: boolean;
}): ServerObservers {
  const metrics = areOn ? createMetrics(environments) : undefined;
  const blocks = warnOnBlockedEventLoop(log);
  const observers = [logObserver(log), metrics?.observer, tracingObserver(), blocks.observer];
  return {
    observer: combineObservers(observers.filter((each) => each !== undefined)),
    metrics,
    stopObserving() {
      metrics?.close();
      blocks.stop();
    },
  };
}
