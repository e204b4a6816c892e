import type { Log } from '../log.ts';
import { watchForBlocks } from './blocked-loop.ts';
import { logObserver } from './log.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { observeAll } from './observe-all.ts';
import type { Observer } from './observer.ts';
import { tracingObserver } from './tracing.ts';

/** All who watch one server. */
export interface Observers {
  readonly observer: Observer;
  /** Undefined where they are off. */
  readonly metrics: Metrics | undefined;
  readonly stopObserving: () => void;
}

export function createObservers({
  log,
  environments,
  metrics: areOn,
}: {
  readonly log: Log;
  readonly environments: readonly string[];
  readonly metrics: boolean;
}): Observers {
  const metrics = areOn ? createMetrics(environments) : undefined;
  const blocks = watchForBlocks(log);
  const observers = [logObserver(log), metrics?.observer, tracingObserver(), blocks.observer];
  return {
    observer: observeAll(observers.filter((each) => each !== undefined)),
    metrics,
    stopObserving() {
      metrics?.close();
      blocks.stop();
    },
  };
}
