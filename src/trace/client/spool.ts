import type { SerializedContent } from '../fit/index.ts';
import type { TraceJob, TraceJobKind } from './job.ts';

/** A job as a spool keeps it, in JSON. */
export interface SpooledJob {
  readonly kind: TraceJobKind;
  readonly trace_id: string;
  readonly key: string;
  readonly text: string;
  readonly blobs: readonly { readonly sha256: string; readonly media_type: string; readonly base64: string }[];
}

/** Keeps what is to be delivered until it is, also when the process is killed. */
export interface Spool {
  /** What earlier processes left, in order. */
  readonly pending: readonly SpooledJob[];
  /** Settles when it is on disk, or cannot be; in the order of the calls. */
  add(
    job: Pick<TraceJob, 'kind' | 'traceId' | 'key'>,
    content: SerializedContent | Promise<SerializedContent>,
  ): Promise<void>;
  /** It is delivered, or never will be. */
  remove(key: string): void;
  close(): Promise<void>;
}

/** @param onError told when the file cannot be written; it is tried again with what comes next. */
export type OpenSpool = (path: string, onError: (cause: unknown) => void) => Promise<Spool>;
