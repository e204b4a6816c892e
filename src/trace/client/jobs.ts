import type { TraceId } from '../../../generated/trace.ts';
import { type Deferred, deferred } from '../../core/index.ts';
import type { SerializedContent } from '../fit/index.ts';
import type { TraceError } from './trace-error.ts';

type TraceJobKind = 'create' | 'block' | 'patch' | 'score';

/** A write to a trace that is queued. */
export interface TraceJob {
  readonly kind: TraceJobKind;
  readonly traceId: TraceId;
  /** Key in the spool; for a block its id. */
  readonly key: string;
  /** A promise while blobs are hashed. */
  readonly content: SerializedContent | Promise<SerializedContent>;
  /** Approximate size in memory, in bytes. */
  readonly size: number;
  /** Time of logging, by Date.now(). */
  readonly loggedAt: number;
  /** Response of the store; rejects with a TraceError. */
  readonly done: Deferred<unknown>;
  /** Settles when the spool has written the job to disk; undefined without a spool. */
  spooled: Promise<void> | undefined;
}

export type JobContent = Pick<TraceJob, 'key' | 'content' | 'size'>;

/** Returns a job without blobs. @param text JSON. */
export const textJob = (key: string, text: string): JobContent => ({
  key,
  content: { text, blobs: [] },
  size: text.length,
});

export function createJob(kind: TraceJobKind, traceId: TraceId, job: JobContent): TraceJob {
  // The queue handles the rejection when it sends the job.
  if (job.content instanceof Promise) job.content.catch(() => undefined);
  const done = deferred<unknown>();
  // trackDelivery() reports the rejection.
  done.promise.catch(() => undefined);
  return { kind, traceId, ...job, loggedAt: Date.now(), done, spooled: undefined };
}

/** Returns the jobs of a request that an error refers to by index; undefined if it refers to none. */
export function jobsInError(jobs: readonly TraceJob[], { details }: TraceError): TraceJob[] | undefined {
  const issues: readonly unknown[] = Array.isArray(details.issues) ? details.issues : [];
  const indexes = [details, ...issues].map((issue) => (issue as { index?: unknown } | null)?.index);
  const found = jobs.filter((_, index) => indexes.includes(index));
  return found.length > 0 ? found : undefined;
}

/** JSON form of a job in a spool. */
export interface SpooledJob {
  readonly kind: TraceJobKind;
  readonly trace_id: string;
  readonly key: string;
  readonly text: string;
  readonly blobs: readonly { readonly sha256: string; readonly media_type: string; readonly base64: string }[];
}

/** Keeps jobs until they are delivered. */
export interface Spool {
  /** Jobs that earlier processes have not delivered, in order. */
  readonly pending: readonly SpooledJob[];
  /** Settles when the job is on disk or could not be written; in the order of the calls. */
  add(job: TraceJob): Promise<void>;
  /** Removes a job that was delivered or never will be. */
  remove(key: string): void;
  close(): Promise<void>;
}
