import type { TraceId } from '../../../generated/trace.ts';
import { Condition, groupBy, Mutex } from '../../core/index.ts';
import { fromBase64 } from '../../protocol/index.ts';
import type { Courier } from './deliver.ts';
import { createJob, type Job, type NewJob } from './job.ts';
import { Lane } from './lane.ts';
import type { Spool, SpooledJob } from './spool.ts';
import { type FlushReport, Tally } from './tally.ts';
import { isFinal, TraceError } from './trace-error.ts';
import { type OnError, track } from './track.ts';

/**
 * How long something that nobody waits for waits for others of its trace, in ms: so many more for each trace that has
 * something to send, so that many of them make no more requests than a store takes, and at most so many.
 */
const GATHER_MS = 50;
const GATHER_EACH_MS = 5;
const LONGEST_GATHER_MS = 1_000;

export interface OutboxOptions {
  readonly courier: Courier;
  readonly giveUpMs: number;
  readonly maxQueueBytes: number;
  /** Undefined where none is wanted, or it cannot be opened. */
  readonly spool: Promise<Spool | undefined> | undefined;
  /** Told of what fails that an earlier process has logged. */
  readonly onError: OnError;
}

/** Everything that is on its way: a lane for each trace, one bound, one spool, one count. */
export class Outbox {
  readonly tally = new Tally();
  readonly #options: OutboxOptions;
  readonly #hasRoom = new Condition();
  readonly #lanes = new Map<TraceId, Lane>();
  /** Settles when what an earlier process left is in its lanes. */
  readonly #opened: Promise<void>;
  #spool: Spool | undefined;
  readonly #striking = new Mutex();
  #queuedBytes = 0;
  #isClosed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#opened = options.spool ? options.spool.then((spool) => this.#open(spool)) : Promise.resolve();
  }

  /** Takes jobs of one trace, in order. */
  add(wanted: readonly NewJob[]): readonly Job[] {
    return wanted.map((each) => {
      const job = createJob(each);
      if (this.#isClosed) job.done.reject(new TraceError('CLOSED', 'the client is closed; log before close()'));
      else {
        this.#queuedBytes += job.size;
        job.spooled = this.#options.spool?.then((spool) => spool?.add(job, job.content));
        this.#laneOf(job.traceId).add(job);
      }
      return job;
    });
  }

  /** Has what is logged go at once: of one trace, or of all. */
  hurry(traceId?: TraceId): void {
    if (traceId !== undefined) this.#lanes.get(traceId)?.hurry();
    else for (const lane of this.#lanes.values()) lane.hurry();
  }

  /** Resolves when fewer bytes than the limit are queued. */
  async ready(): Promise<void> {
    const hasRoom = () => this.#queuedBytes < this.#options.maxQueueBytes;
    // Callers that were notified together log one after another.
    while (!hasRoom()) await this.#hasRoom.until(hasRoom);
  }

  async flush(): Promise<FlushReport> {
    await this.#opened;
    this.hurry();
    return this.tally.report();
  }

  async close(): Promise<FlushReport> {
    this.#isClosed = true;
    const report = await this.flush();
    await this.#striking.idle();
    const spool = this.#spool;
    this.#spool = undefined;
    await spool?.close();
    return report;
  }

  #open(spool: Spool | undefined): void {
    this.#spool = spool;
    for (const [traceId, left] of groupBy(spool?.left ?? [], (job) => job.trace_id)) {
      const jobs = left.map(toJob);
      for (const { key, kind, size, done } of jobs) {
        this.#queuedBytes += size;
        const tracked = { id: key, traceId, isBlock: kind === 'block', result: done.promise };
        track(tracked, [this.tally], this.#options.onError);
      }
      this.#laneOf(traceId).precede(jobs);
    }
  }

  #laneOf(traceId: TraceId): Lane {
    const known = this.#lanes.get(traceId);
    if (known) return known;
    const { courier, giveUpMs } = this.#options;
    const lane = new Lane(traceId, {
      courier,
      giveUpMs,
      isSpooled: this.#options.spool !== undefined,
      gatherMs: () => Math.min(LONGEST_GATHER_MS, GATHER_MS + GATHER_EACH_MS * this.#lanes.size),
      opened: () => this.#opened,
      onSettled: (job, error) => this.#settled(job, error),
      onIdle: () => {
        if (lane.isForgettable) this.#lanes.delete(traceId);
      },
    });
    this.#lanes.set(traceId, lane);
    return lane;
  }

  #settled({ key, size, spooled }: Job, error: TraceError | undefined): void {
    this.#queuedBytes -= size;
    this.#hasRoom.notify();
    // What another key, or another day, may deliver stays for the next process.
    if (!this.#options.spool || (error && !isFinal(error))) return;
    void this.#striking.run(async () => {
      await spooled;
      this.#spool?.strike(key);
    });
  }
}

function toJob({ kind, trace_id, key, text, blobs }: SpooledJob): Job {
  const content = {
    text,
    blobs: blobs.map(({ sha256, media_type, base64 }) => ({ sha256, media_type, data: fromBase64(base64) })),
  };
  return createJob({ kind, traceId: trace_id, key, content, size: text.length });
}
