import type { Semaphore } from '../core/index.ts';
import type { DescriptorWatch, OpenApiDocument } from '../http/index.ts';
import type { ResultCache } from './calls/results.ts';
import type { EnvironmentTable } from './environments.ts';
import type { SessionSlots } from './limits/session-places.ts';
import type { ServerLog } from './log.ts';
import type { ServerMetrics } from './observe/metrics/metrics.ts';
import type { Observer } from './observe/observer.ts';
import type { Recorder } from './record.ts';
import type { IssuedIds } from './sessions/issued-ids.ts';
import type { SessionRegistry } from './sessions/registry.ts';
import type { ServerSettings } from './settings.ts';

/** What all operations of one server share. */
export interface ServerContext {
  readonly environments: EnvironmentTable;
  readonly sessions: SessionRegistry;
  readonly issuedIds: IssuedIds;
  readonly settings: ServerSettings;
  readonly sessionSlots: SessionSlots;
  /** Undefined where there is no limit. */
  readonly callSemaphore: Semaphore | undefined;
  /** Undefined where there is no limit. */
  readonly setupSemaphore: Semaphore | undefined;
  /** Decides how long completed calls are remembered. */
  readonly resultCache: ResultCache;
  /** Milliseconds since some fixed moment; tests bring their own. */
  readonly now: () => number;
  readonly document: OpenApiDocument;
  readonly log: ServerLog;
  /** Is told what happens. */
  readonly observer: Observer;
  /** Writes episodes down; undefined where nobody does. */
  readonly recorder: Recorder | undefined;
  /** What was counted; undefined where that is off. */
  readonly metrics: ServerMetrics | undefined;
  readonly stopObserving: () => void;
  /** Logs a line that it has not logged before, at level warn; keeps a bounded number of lines in mind. */
  readonly logOnce: (line: string) => void;
  readonly descriptors: DescriptorWatch;
  /** Whether new episodes are taken; a closing server takes none. */
  readonly isReady: () => boolean;
}
