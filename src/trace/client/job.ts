import type { TraceId } from '../../../generated/trace.ts';
import { type Deferred, deferred } from '../../core/index.ts';
import type { SerializedContent } from '../fit/index.ts';
import type { TraceError } from './trace-error.ts';

export type TraceJobKind = 'create' | 'block' | 'patch';

/** One thing to deliver, in its place among those of its trace. */
export interface TraceJob {
  readonly kind: TraceJobKind;
  readonly traceId: TraceId;
  /** Names it in the spool; of a block its id. */
  readonly key: string;
  /** It may still have to be hashed. */
  readonly content: SerializedContent | Promise<SerializedContent>;
  /** About how many bytes it holds in memory. */
  readonly size: number;
  /** By Date.now(). */
  readonly loggedAt: number;
  /** The store's answer; rejects with a TraceError. */
  readonly done: Deferred<unknown>;
  /** Settles when the spool has it on disk; undefined where there is none. */
  spooled: Promise<void> | undefined;
}

export type NewTraceJob = Pick<TraceJob, 'kind' | 'traceId' | 'key' | 'content' | 'size'>;

export function createJob(job: NewTraceJob): TraceJob {
  // Whoever delivers it meets the failure.
  if (job.content instanceof Promise) job.content.catch(() => undefined);
  const done = deferred<unknown>();
  // Reported to onError, whether or not anybody waits for it.
  done.promise.catch(() => undefined);
  return { ...job, loggedAt: Date.now(), done, spooled: undefined };
}

/** Which jobs of a request a refusal is about: the blocks that it points at; undefined where it points at none. */
export function jobsInError(jobs: readonly TraceJob[], { details }: TraceError): TraceJob[] | undefined {
  const issues: readonly unknown[] = Array.isArray(details.issues) ? details.issues : [];
  const places = [details, ...issues].map((place) => (place as { index?: unknown } | null)?.index);
  const found = jobs.filter((_, index) => places.includes(index));
  return found.length > 0 ? found : undefined;
}
