import type { TraceId } from '../../../generated/trace.ts';
import { type Backoff, Condition, retryDelayMs, sleep } from '../../core/index.ts';
import type { SerializedContent } from '../fit/index.ts';
import { type TraceTransport, uploadBlobs } from './deliver.ts';
import { jobsInError, type TraceJob } from './job.ts';
import { joinPatches, MAX_LENGTH, nextRequest } from './next-request.ts';
import { isMalformedResponse, isRetryableTraceError, TraceError, toTraceError } from './trace-error.ts';

/** The most blocks of a request. */
const MAX_BLOCKS = 256;

/** So often in a row an answer is asked for again that is none of a trace store: after that there is none at the address. */
const MAX_GARBLED = 5;
/** Delays between attempts of a request to a trace store. */
export const STORE_BACKOFF: Backoff = { firstMs: 100, longestMs: 10_000 };
/** Statuses that may be about one block of many. */
const DIVISIBLE: readonly (number | null)[] = [400, 409, 413, 422];

export interface TraceQueueOptions {
  readonly transport: TraceTransport;
  readonly retryTimeoutMs: number;
  /** Whether another process delivers what this one gives up. */
  readonly isSpooled: boolean;
  /** How long something that nobody waits for waits for others at the moment, in ms. */
  readonly batchDelayMs: () => number;
  /** Settles when what an earlier process left is in its lanes. */
  readonly opened: () => Promise<void>;
  readonly onSettled: (job: TraceJob, error: TraceError | undefined) => void;
  readonly onIdle: () => void;
}

/**
 * What is to be delivered to one trace: a request begins when the one before is answered. Blocks go strictly in order, and
 * a change of the trace after the blocks that came before it.
 */
export class TraceQueue {
  readonly #traceId: TraceId;
  readonly #context: TraceQueueOptions;
  #queue: TraceJob[] = [];
  #isRunning = false;
  #flushRequested = false;
  #length = 0;
  readonly #changed = new Condition();
  #maxBatchSize = MAX_BLOCKS;
  #failures = 0;
  /** The trace, until the store has it. */
  #pendingTrace: SerializedContent | undefined;
  /** Why nothing more is sent. */
  #fatalError: TraceError | undefined;

  constructor(traceId: TraceId, context: TraceQueueOptions) {
    this.#traceId = traceId;
    this.#context = context;
  }

  /** Whether there is nothing that a new lane would not know. */
  get isEvictable(): boolean {
    return this.#queue.length === 0 && !this.#pendingTrace && !this.#fatalError;
  }

  add(job: TraceJob): void {
    if (this.#fatalError) {
      this.#settle(job, this.#fatalError);
      return;
    }
    this.#queue.push(job);
    this.#length += job.size;
    if (job.kind === 'create' || this.#isFull()) this.#changed.notify();
    this.#start();
  }

  /** Puts what an earlier process left before what was logged since. */
  prepend(jobs: readonly TraceJob[]): void {
    this.#queue = [...jobs, ...this.#queue];
    this.#start();
  }

  /** Somebody waits: what is here goes without waiting for more. */
  flushSoon(): void {
    if (this.#queue.length === 0) return;
    this.#flushRequested = true;
    this.#changed.notify();
  }

  #start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    await this.#context.opened();
    while (this.#queue.length > 0) {
      await this.#waitForBatch();
      const jobs = nextRequest(this.#queue, this.#maxBatchSize);
      try {
        await this.#send(jobs);
        this.#failures = 0;
      } catch (cause) {
        await this.#recover(jobs, toTraceError(cause));
      }
    }
    this.#flushRequested = false;
    this.#isRunning = false;
    this.#context.onIdle();
  }

  #isFull(): boolean {
    return this.#queue.length >= MAX_BLOCKS || this.#length >= MAX_LENGTH;
  }

  async #waitForBatch(): Promise<void> {
    const gatherMs = this.#context.batchDelayMs();
    // Date.now() may jump back.
    const ms = Math.min(gatherMs, (this.#queue[0]?.loggedAt ?? 0) + gatherMs - Date.now());
    const isReady = () => this.#flushRequested || this.#isFull() || this.#queue.some(({ kind }) => kind === 'create');
    if (ms > 0) await this.#changed.until(isReady, { ms });
  }

  async #send(jobs: readonly TraceJob[]): Promise<void> {
    const { transport } = this.#context;
    const [first] = jobs;
    if (first?.kind === 'create') {
      this.#pendingTrace = await first.content;
      await first.spooled;
      this.#finish(first, await this.#create(this.#pendingTrace));
      return;
    }
    if (this.#pendingTrace) await this.#create(this.#pendingTrace);
    const supplied = await Promise.all(jobs.map((job) => uploadBlobs(transport, job)));
    for (const each of supplied) if ('error' in each) this.#drop(each.job, each.error);
    const ready = supplied.filter((each) => 'content' in each);
    const texts = ready.map(({ content }) => content.text);
    if (texts.length === 0) return;
    if (first?.kind === 'patch') {
      const { text, count } = joinPatches(texts);
      const record = await transport.patch(this.#traceId, text);
      for (const { job } of ready.slice(0, count)) this.#finish(job, record);
    } else {
      const receipts = await transport.append(this.#traceId, texts);
      for (const [index, { job }] of ready.entries()) this.#finish(job, receipts[index]);
    }
    this.#maxBatchSize = MAX_BLOCKS;
  }

  async #create(content: SerializedContent): Promise<unknown> {
    try {
      const record = await this.#context.transport.create(content);
      this.#pendingTrace = undefined;
      return record;
    } catch (cause) {
      const error = toTraceError(cause);
      if (!this.#isRetryable(error)) this.#fatalError = error;
      throw error;
    }
  }

  async #recover(jobs: readonly TraceJob[], error: TraceError): Promise<void> {
    if (this.#fatalError) {
      for (const job of [...this.#queue]) this.#drop(job, this.#fatalError);
      this.#pendingTrace = undefined;
    } else if (this.#isRetryable(error)) await this.#backOff(jobs, error);
    else {
      // Those whose blobs were refused are gone from the queue, and were not part of the request.
      const sent = jobs.filter((job) => this.#queue.includes(job));
      const guilty = jobsInError(sent, error);
      if (!guilty && sent.length > 1 && DIVISIBLE.includes(error.status))
        this.#maxBatchSize = Math.floor(sent.length / 2);
      else for (const job of guilty ?? sent) this.#drop(job, error);
    }
  }

  /** Whether to try again, which stores nothing twice. */
  #isRetryable(error: TraceError): boolean {
    return isRetryableTraceError(error) || (isMalformedResponse(error) && this.#failures < MAX_GARBLED);
  }

  /** Waits before the next attempt; gives up what was logged too long ago. */
  async #backOff(jobs: readonly TraceJob[], error: TraceError): Promise<void> {
    const { retryTimeoutMs } = this.#context;
    const ageOf = ({ loggedAt }: TraceJob) => Date.now() - loggedAt;
    const expired = jobs.filter((job) => ageOf(job) >= retryTimeoutMs);
    const [oldest] = expired;
    if (oldest && this.#context.isSpooled) {
      // Sent alone, what follows would be refused for want of its parent, and struck out.
      this.#fatalError = givenUp(error, ageOf(oldest));
      for (const job of [...this.#queue]) this.#drop(job, this.#fatalError);
      return;
    }
    for (const job of expired) this.#drop(job, givenUp(error, ageOf(job)));
    const [head] = this.#queue;
    if (!head || expired.length > 0) return;
    const delay = retryDelayMs(this.#failures++, STORE_BACKOFF, error.retryAfterMs);
    await sleep(Math.min(delay, Math.max(0, retryTimeoutMs - ageOf(head))));
  }

  #finish(job: TraceJob, response: unknown): void {
    this.#remove(job);
    job.done.resolve(response);
    this.#context.onSettled(job, undefined);
  }

  #drop(job: TraceJob, error: TraceError): void {
    this.#remove(job);
    this.#settle(job, error);
  }

  #settle(job: TraceJob, error: TraceError): void {
    job.done.reject(error);
    this.#context.onSettled(job, error);
  }

  #remove(job: TraceJob): void {
    const place = this.#queue.indexOf(job);
    if (place < 0) return;
    this.#queue.splice(place, 1);
    this.#length -= job.size;
  }
}

function givenUp(cause: TraceError, ageMs: number): TraceError {
  const { code, status, details } = cause;
  const message = `given up after ${Math.round(ageMs / 1000)} s: ${cause.message}`;
  return new TraceError(code, message, { status, details, cause });
}
