import type { TraceId } from '../../../generated/trace.ts';
import { Condition, groupBy, Mutex } from '../../core/index.ts';
import { fromBase64 } from '../../protocol/index.ts';
import type { TraceTransport } from './deliver.ts';
import { createJob, type NewTraceJob, type TraceJob } from './job.ts';
import { TraceQueue } from './lane.ts';
import type { Spool, SpooledJob } from './spool.ts';
import { DeliveryCounter, type FlushReport } from './tally.ts';
import { isPermanentError, TraceError } from './trace-error.ts';
import { type OnTraceError, trackDelivery } from './track.ts';

/**
 * How long something that nobody waits for waits for others of its trace, in ms: so many more for each trace that has
 * something to send, so that many of them make no more requests than a store takes, and at most so many.
 */
const GATHER_MS = 50;
const GATHER_EACH_MS = 5;
const MAX_BATCH_DELAY_MS = 1_000;

export interface OutboxOptions {
  readonly transport: TraceTransport;
  readonly retryTimeoutMs: number;
  readonly maxQueueBytes: number;
  /** Undefined where none is wanted, or it cannot be opened. */
  readonly spool: Promise<Spool | undefined> | undefined;
  /** Told of what fails that an earlier process has logged. */
  readonly onError: OnTraceError;
}

/** Everything that is on its way: a lane for each trace, one bound, one spool, one count. */
export class Outbox {
  readonly deliveries = new DeliveryCounter();
  readonly #options: OutboxOptions;
  readonly #hasRoom = new Condition();
  readonly #queues = new Map<TraceId, TraceQueue>();
  /** Settles when what an earlier process left is in its lanes. */
  readonly #opened: Promise<void>;
  #spool: Spool | undefined;
  readonly #removals = new Mutex();
  #queuedBytes = 0;
  #isClosed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#opened = options.spool ? options.spool.then((spool) => this.#open(spool)) : Promise.resolve();
  }

  /** Takes jobs of one trace, in order. */
  add(requested: readonly NewTraceJob[]): readonly TraceJob[] {
    return requested.map((each) => {
      const job = createJob(each);
      if (this.#isClosed) job.done.reject(new TraceError('CLOSED', 'the client is closed; log before close()'));
      else {
        this.#queuedBytes += job.size;
        job.spooled = this.#options.spool?.then((spool) => spool?.add(job, job.content));
        this.#queueFor(job.traceId).add(job);
      }
      return job;
    });
  }

  /** Has what is logged go at once: of one trace, or of all. */
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
      batchDelayMs: () => Math.min(MAX_BATCH_DELAY_MS, GATHER_MS + GATHER_EACH_MS * this.#queues.size),
      opened: () => this.#opened,
      onSettled: (job, error) => this.#settled(job, error),
      onIdle: () => {
        if (queue.isEvictable) this.#queues.delete(traceId);
      },
    });
    this.#queues.set(traceId, queue);
    return queue;
  }

  #settled({ key, size, spooled }: TraceJob, error: TraceError | undefined): void {
    this.#queuedBytes -= size;
    this.#hasRoom.notify();
    // What another key, or another day, may deliver stays for the next process.
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
  return createJob({ kind, traceId: trace_id, key, content, size: text.length });
}
