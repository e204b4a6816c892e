import type { TraceId } from '../../../generated/trace.ts';
import { Condition, groupBy, Mutex, type Redactor, sleep } from '../../core/index.ts';
import { fromBase64 } from '../../protocol/index.ts';
import type { TraceLimits } from '../model/index.ts';
import { createJob, type JobContent, type Spool, type SpooledJob, type TraceJob } from './jobs.ts';
import { isPermanentError, TraceError, toTraceError } from './trace-error.ts';
import { TraceQueue } from './trace-queue.ts';
import type { TraceTransport } from './transport.ts';

/** Time that a job waits for others of its trace, in ms. */
const BATCH_DELAY_MS = 50;
/** Added for each active trace, so that many traces do not cause too many requests. */
const BATCH_DELAY_PER_TRACE_MS = 5;
const MAX_BATCH_DELAY_MS = 1_000;
/** Time that an awaited job waits for those of other traces, in ms, for each active trace. */
const URGENT_DELAY_PER_TRACE_MS = 0.125;
const MAX_URGENT_DELAY_MS = 5;

interface OutboxOptions {
  readonly transport: TraceTransport;
  readonly retryTimeoutMs: number;
  readonly maxQueueBytes: number;
  /** Undefined without a spool; resolves with undefined if it cannot be opened. */
  readonly spool: Promise<Spool | undefined> | undefined;
  /** Receives failures of jobs that an earlier process has logged. */
  readonly onError: OnTraceError;
}

/** All queued jobs of a client: one queue per trace, with a common size limit and spool. */
export class Outbox {
  readonly deliveries = new DeliveryCounter();
  readonly #options: OutboxOptions;
  readonly #hasRoom = new Condition();
  readonly #queues = new Map<TraceId, TraceQueue>();
  /** Settles when the jobs of earlier processes are queued. */
  readonly #opened: Promise<void>;
  #spool: Spool | undefined;
  readonly #removals = new Mutex();
  #queuedBytes = 0;
  #isClosed = false;
  #urgentBatch: Promise<void> | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#opened = options.spool ? options.spool.then((spool) => this.#open(spool)) : Promise.resolve();
  }

  /** Queues jobs of one trace in order. */
  add(kind: TraceJob['kind'], traceId: TraceId, contents: readonly JobContent[]): readonly TraceJob[] {
    return contents.map((content) => {
      const job = createJob(kind, traceId, content);
      if (this.#isClosed) job.done.reject(new TraceError('CLOSED', 'the client is closed; log before close()'));
      else {
        this.#queuedBytes += job.size;
        job.spooled = this.#options.spool?.then((spool) => spool?.add(job));
        this.#queueFor(traceId).add(job);
      }
      return job;
    });
  }

  /** Sends queued jobs without waiting for more: of one trace, or of all. */
  flushSoon(traceId?: TraceId): void {
    if (traceId !== undefined) this.#queues.get(traceId)?.flushSoon();
    else for (const queue of this.#queues.values()) queue.flushSoon();
  }

  /** Resolves when fewer bytes than the limit are queued. */
  async ready(): Promise<void> {
    const hasRoom = () => this.#queuedBytes < this.#options.maxQueueBytes;
    // Callers that were notified together log one after another.
    while (!hasRoom()) await this.#hasRoom.until(hasRoom);
  }

  async flush(): Promise<FlushReport> {
    await this.#opened;
    this.flushSoon();
    return this.deliveries.waitForReport();
  }

  async close(): Promise<FlushReport> {
    this.#isClosed = true;
    const report = await this.flush();
    await this.#removals.idle();
    const spool = this.#spool;
    this.#spool = undefined;
    await spool?.close();
    return report;
  }

  #open(spool: Spool | undefined): void {
    this.#spool = spool;
    for (const [traceId, left] of groupBy(spool?.pending ?? [], (job) => job.trace_id)) {
      const jobs = left.map(toJob);
      for (const { key, kind, size, done } of jobs) {
        this.#queuedBytes += size;
        const tracked = { id: key, traceId, isBlock: kind === 'block', result: done.promise };
        trackDelivery(tracked, [this.deliveries], this.#options.onError);
      }
      this.#queueFor(traceId).prepend(jobs);
    }
  }

  #queueFor(traceId: TraceId): TraceQueue {
    const known = this.#queues.get(traceId);
    if (known) return known;
    const { transport, retryTimeoutMs } = this.#options;
    const queue = new TraceQueue(traceId, {
      transport,
      retryTimeoutMs,
      isSpooled: this.#options.spool !== undefined,
      batchDelayMs: () => Math.min(MAX_BATCH_DELAY_MS, BATCH_DELAY_MS + BATCH_DELAY_PER_TRACE_MS * this.#queues.size),
      untilUrgentBatch: () => this.#untilUrgentBatch(),
      opened: () => this.#opened,
      onSettled: (job, error) => this.#settled(job, error),
      onIdle: () => {
        if (queue.isEvictable) this.#queues.delete(traceId);
      },
    });
    this.#queues.set(traceId, queue);
    return queue;
  }

  /** With many active traces, they send at the same time what is urgent, so that the store writes it in one transaction. */
  #untilUrgentBatch(): Promise<void> {
    const delayMs = Math.min(MAX_URGENT_DELAY_MS, Math.floor(URGENT_DELAY_PER_TRACE_MS * this.#queues.size));
    if (delayMs === 0) return Promise.resolve();
    this.#urgentBatch ??= sleep(delayMs).then(() => {
      this.#urgentBatch = undefined;
    });
    return this.#urgentBatch;
  }

  #settled({ key, size, spooled }: TraceJob, error: TraceError | undefined): void {
    this.#queuedBytes -= size;
    this.#hasRoom.notify();
    // After other errors, the next process can deliver the job, for example with another key.
    if (!this.#options.spool || (error && !isPermanentError(error))) return;
    void this.#removals.run(async () => {
      await spooled;
      this.#spool?.remove(key);
    });
  }
}

function toJob({ kind, trace_id, key, text, blobs }: SpooledJob): TraceJob {
  const content = {
    text,
    blobs: blobs.map(({ sha256, media_type, base64 }) => ({ sha256, media_type, data: fromBase64(base64) })),
  };
  return createJob(kind, trace_id, { key, content, size: text.length });
}

/** Shared by all traces of a client. */
export interface TraceClientContext {
  readonly outbox: Outbox;
  readonly limits: TraceLimits;
  readonly oversize: 'split' | 'throw';
  readonly strictArguments: boolean;
  readonly redactor: Redactor;
  readonly onError: OnTraceError;
}

export type TraceSender = ReturnType<typeof createTraceSender>;

/** Sends jobs of one trace and reports failures. */
export function createTraceSender({ outbox, onError }: TraceClientContext, traceId: TraceId) {
  const deliveries = new DeliveryCounter();
  const counters = [deliveries, outbox.deliveries];
  const flushSoon = () => outbox.flushSoon(traceId);
  return {
    traceId,
    /**
     * Queues jobs.
     *
     * @param create returns the jobs; errors that it throws are reported like delivery failures.
     * @returns the response to the last job, when all jobs have one.
     */
    send(kind: TraceJob['kind'], id: string, create: () => readonly JobContent[]): Promise<unknown> {
      const result = responseTo(() => outbox.add(kind, traceId, create()));
      trackDelivery({ id, traceId, isBlock: kind === 'block', result }, counters, onError);
      return result;
    },
    flushSoon,
    flush(): Promise<FlushReport> {
      flushSoon();
      return deliveries.waitForReport();
    },
  };
}

function responseTo(add: () => readonly TraceJob[]): Promise<unknown> {
  try {
    const responses = add().map(({ done }) => done.promise);
    const [only] = responses;
    // Most blocks are one job, which needs no other promise.
    return only && responses.length === 1 ? only : Promise.all(responses).then((all) => all.at(-1));
  } catch (error) {
    return Promise.reject(error);
  }
}

/**
 * Result of `flush`.
 *
 * @example
 * const { acknowledged, failed }: FlushReport = await traces.flush();
 */
export interface FlushReport {
  /** Number of blocks that the store has confirmed to be on disk. */
  readonly acknowledged: number;
  /** Failures, with the id of the block, or of the trace that could not be created or changed. */
  readonly failed: readonly { readonly id: string; readonly error: TraceError }[];
}

/** Counts deliveries and collects failures. */
class DeliveryCounter {
  readonly #pending = new Set<Promise<void>>();
  readonly #failed: FlushReport['failed'][number][] = [];
  #acknowledged = 0;

  /** @param settled resolves, and never rejects, when a delivery has succeeded or failed. */
  add(settled: Promise<void>): void {
    this.#pending.add(settled);
  }

  remove(settled: Promise<void>, { id, isBlock }: PendingDelivery, error?: TraceError): void {
    this.#pending.delete(settled);
    if (error) this.#failed.push({ id, error });
    else if (isBlock) this.#acknowledged++;
  }

  /** Waits for all pending deliveries. */
  async waitForReport(): Promise<FlushReport> {
    await Promise.all(this.#pending);
    return { acknowledged: this.#acknowledged, failed: [...this.#failed] };
  }
}

/**
 * Receives each failure, with the id of the block, or of the trace that could not be created or changed.
 *
 * @example
 * const onError: OnTraceError = (error, { trace_id }) => console.error(trace_id, error.code);
 * const traces = createTraceClient({ url, onError });
 */
export type OnTraceError = (error: TraceError, source: { readonly id: string; readonly trace_id: TraceId }) => void;

/** A queued block, or the creation or change of a trace. */
interface PendingDelivery {
  readonly id: string;
  readonly traceId: TraceId;
  readonly isBlock: boolean;
  readonly result: Promise<unknown>;
}

/** Counts a delivery and reports its failure. */
function trackDelivery(delivery: PendingDelivery, counters: readonly DeliveryCounter[], onError: OnTraceError): void {
  const remove = (error?: TraceError) => {
    for (const counter of counters) counter.remove(settled, delivery, error);
  };
  const settled: Promise<void> = delivery.result.then(
    () => remove(),
    (cause) => {
      const error = toTraceError(cause);
      remove(error);
      onError(error, { id: delivery.id, trace_id: delivery.traceId });
    },
  );
  for (const counter of counters) counter.add(settled);
}
