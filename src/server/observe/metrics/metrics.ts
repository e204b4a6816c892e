import { measureEventLoopLag, processFamilies } from '../../../metrics/index.ts';
import { PACKAGE } from '../../package.ts';
import type { Observer } from '../observer.ts';
import { serverFamilies } from './families.ts';
import { metricsObserver } from './metrics-observer.ts';

/** A session as metrics count it. */
interface CountedSession {
  readonly environment: { readonly name: string };
  readonly state: string;
}

/** What is true at the moment of a scrape. */
interface ServerGauges {
  readonly sessions: Iterable<CountedSession>;
  readonly isReady: boolean;
}

/** What a server has counted and measured since it began, for Prometheus. */
export interface ServerMetrics {
  readonly observer: Partial<Observer>;
  readonly contentType: string;
  /** All of it in Prometheus' text format. */
  text(present: ServerGauges): string;
  /** Measures the event loop no more. May be called twice. */
  close(): void;
}

/** The states of a session, of which the last begins when it is gone for its clients. */
const STATES = ['setup', 'idle', 'active', 'finished', 'failed', 'teardown'];

/** Metrics of one server with these environments; no two servers share any. */
export function createMetrics(environments: readonly string[]): ServerMetrics {
  const server = serverFamilies();
  const own = processFamilies();
  server.build.labels(PACKAGE.version, process.version).value = 1;
  // A rate is known from the first time on if what it counts was 0 before.
  for (const environment of environments) server.sessionsOpened.labels(environment);
  const ending = new Map<string, number>();
  const loop = measureEventLoopLag((seconds) => server.eventLoopDelay.labels().observe(seconds));
  return {
    observer: metricsObserver(server, ending),
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    text({ sessions, isReady }) {
      own.read();
      server.ready.labels().value = isReady ? 1 : 0;
      server.sessions.clear();
      for (const environment of environments) {
        for (const state of STATES) server.sessions.labels(environment, state);
        server.sessions.labels(environment, 'teardown').value = ending.get(environment) ?? 0;
      }
      // Counted at each scrape, so the figures cannot drift from what there is.
      for (const { environment, state } of sessions) server.sessions.labels(environment.name, state).value++;
      return [...Object.values(server), ...own.all].map((family) => family.text()).join('');
    },
    close: loop.stop,
  };
}
