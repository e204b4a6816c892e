import { firstTimes, Semaphore } from '../core/index.ts';
import type { HostedEnvironment } from '../hosting/index.ts';
import { type DescriptorWatch, NO_DESCRIPTORS, type OpenApiDocument, watchDescriptors } from '../http/index.ts';
import { ResultCache } from './calls/result-cache.ts';
import { createEnvironmentTable, type EnvironmentTable } from './environments.ts';
import { SessionSlots } from './limits/session-slots.ts';
import { warnOnBlockedEventLoop } from './observability/blocked-event-loop.ts';
import { createMetrics, type ServerMetrics } from './observability/metrics.ts';
import { combineObservers, type Observer } from './observability/observer.ts';
import { createWarningLog, logObserver, type ServerLog } from './observability/server-log.ts';
import { tracingObserver } from './observability/tracing.ts';
import type { ServerOptions, ServerSpec } from './server-options.ts';
import type { Journal } from './sessions/journal.ts';
import type { Recorder } from './sessions/recorder.ts';
import { SessionRegistry } from './sessions/registry.ts';
import { IssuedIds } from './sessions/session-id.ts';
import { resolveSettings, type ServerSettings } from './settings.ts';

/** Number of distinct lines that `logOnce` remembers. */
const MAX_REMEMBERED_LINES = 100;

/** A fork that is being created, for one request or for several with the same task id. */
interface PendingFork {
  /** Task id of the call after which it continues. */
  readonly at: string | undefined;
  readonly done: Promise<void>;
  /** Adds a request that waits for the fork, until it closes. */
  join(onClose: (listener: () => void) => void): void;
}

/**
 * State that the handlers of one server share.
 *
 * @example
 * const readiness = (_request: object, { isReady }: ServerContext) => ({ ready: isReady() });
 */
export interface ServerContext {
  readonly environments: EnvironmentTable;
  readonly sessions: SessionRegistry;
  readonly issuedIds: IssuedIds;
  readonly settings: ServerSettings;
  readonly sessionSlots: SessionSlots;
  /** Forks that are being created, by the key of their session. */
  readonly forks: Map<string, PendingFork>;
  /** Undefined if the number of running calls is not limited. */
  readonly callSemaphore: Semaphore | undefined;
  /** Undefined if the number of running setups is not limited. */
  readonly setupSemaphore: Semaphore | undefined;
  readonly resultCache: ResultCache;
  /** Monotonic clock in milliseconds. Tests replace it. */
  readonly now: () => number;
  /** Clock of durable episodes, in milliseconds since 1970. Tests replace it. */
  readonly wallClock: () => number;
  readonly document: OpenApiDocument;
  readonly log: ServerLog;
  readonly observer: Observer;
  /** Records episodes. Undefined if the server does not record any. */
  readonly recorder: Recorder | undefined;
  /** Keeps episodes for other processes. Undefined if they end with this one. */
  readonly journal: Journal | undefined;
  /** Undefined if metrics are disabled. */
  readonly metrics: ServerMetrics | undefined;
  /** Stops reporting to the observers. */
  readonly stopObserving: () => void;
  /** Logs a warning, unless the same line was logged recently. */
  readonly logOnce: (line: string) => void;
  readonly descriptors: DescriptorWatch;
  /** Returns false once the server is draining or closing, when it accepts no new episodes. */
  readonly isReady: () => boolean;
}

/** Creates the context of a new server. @throws TypeError for invalid environments or settings. */
export function createContext(
  environments: readonly HostedEnvironment[],
  options: ServerOptions & { readonly spec: ServerSpec },
  isReady: () => boolean,
): ServerContext {
  const settings = resolveSettings(options);
  const {
    now = () => performance.now(),
    wallClock = () => Date.now(),
    log = createWarningLog(),
    metrics: hasMetrics = true,
  } = options;
  const table = createEnvironmentTable(environments);
  const metrics = hasMetrics ? createMetrics(table.names) : undefined;
  const eventLoop = warnOnBlockedEventLoop(log);
  const observers = [logObserver(log), metrics?.observer, tracingObserver(), eventLoop.observer];
  const observer = combineObservers(observers.filter((each) => each !== undefined));
  const isFirst = firstTimes(MAX_REMEMBERED_LINES);
  const sessions = new SessionRegistry(settings, observer, now, log);
  options.journal?.onRequest?.((key) => sessions.release(key));
  return {
    environments: table,
    sessions,
    issuedIds: new IssuedIds(now),
    settings,
    sessionSlots: new SessionSlots(settings, observer),
    forks: new Map(),
    callSemaphore: settings.maxCalls < Infinity ? new Semaphore(settings.maxCalls) : undefined,
    setupSemaphore: settings.maxSetups < Infinity ? new Semaphore(settings.maxSetups) : undefined,
    resultCache: new ResultCache({ ...settings, now }),
    now,
    wallClock,
    document: options.spec.document,
    log,
    observer,
    recorder: options.recorder,
    journal: options.journal,
    metrics,
    stopObserving() {
      metrics?.close();
      eventLoop.stop();
    },
    logOnce(line) {
      if (isFirst(line)) log.warn({}, line);
    },
    descriptors: watchDescriptors((hasSome) =>
      hasSome ? log.info({}, 'file descriptors are free again') : log.error({}, NO_DESCRIPTORS),
    ),
    isReady,
  };
}
