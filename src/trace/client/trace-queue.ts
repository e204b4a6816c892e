import type { TraceId } from '../../../generated/trace.ts';
import { type Backoff, Condition, isRecord, retryDelayMs, sleep } from '../../core/index.ts';
import type { SerializedContent } from '../fit/index.ts';
import { jobsInError, type TraceJob } from './jobs.ts';
import { isMalformedResponse, isRetryableTraceError, TraceError, toTraceError } from './trace-error.ts';
import type { TraceTransport } from './transport.ts';

/** Maximum number of blocks in a request. */
const MAX_BLOCKS = 256;

/** Gives up after this many consecutive malformed responses: the URL does not lead to a trace store. */
const MAX_MALFORMED = 5;
/**
 * Delays between attempts of a request to a trace store.
 *
 * @example
 * STORE_BACKOFF.longestMs; // 10000
 */
export const STORE_BACKOFF: Backoff = { firstMs: 100, longestMs: 10_000 };
/** Statuses that can be caused by one block of a batch. */
const DIVISIBLE: readonly (number | null)[] = [400, 409, 413, 422];

interface TraceQueueOptions {
  readonly transport: TraceTransport;
  readonly retryTimeoutMs: number;
  /** True if another process can deliver jobs that this one gives up. */
  readonly isSpooled: boolean;
  /** Returns the time that a job waits for others, in ms. */
  readonly batchDelayMs: () => number;
  /** Resolves when a trace may send what does not wait for more of its jobs. */
  readonly untilUrgentBatch: () => Promise<void>;
  /** Settles when the jobs of earlier processes are queued. */
  readonly opened: () => Promise<void>;
  readonly onSettled: (job: TraceJob, error: TraceError | undefined) => void;
  readonly onIdle: () => void;
}

/**
 * Queue of writes to one trace. Sends one request at a time: blocks in order, and a change or score of the trace after the
 * blocks that were logged before it.
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
  /** The trace, until the store has created it. */
  #pendingTrace: SerializedContent | undefined;
  /** Error after which nothing more is sent. */
  #fatalError: TraceError | undefined;

  constructor(traceId: TraceId, context: TraceQueueOptions) {
    this.#traceId = traceId;
    this.#context = context;
  }

  /** True if a new queue for the trace would behave the same. */
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

  /** Queues the jobs of an earlier process before those of this one. */
  prepend(jobs: readonly TraceJob[]): void {
    this.#queue = [...jobs, ...this.#queue];
    this.#start();
  }

  /** Sends queued jobs without waiting for more. */
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
    const delayMs = this.#context.batchDelayMs();
    // Math.min(), because Date.now() can jump back.
    const ms = Math.min(delayMs, (this.#queue[0]?.loggedAt ?? 0) + delayMs - Date.now());
    const isUrgent = () => this.#flushRequested || this.#queue.some(({ kind }) => kind === 'create');
    if (ms > 0) await this.#changed.until(() => isUrgent() || this.#isFull(), { ms });
    if (isUrgent()) await this.#context.untilUrgentBatch();
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
    const ready = (await Promise.all(jobs.map((job) => this.#uploadBlobs(job)))).flat();
    const texts = ready.map(({ text }) => text);
    if (texts.length === 0) return;
    if (first?.kind === 'patch') {
      const { text, count } = joinPatches(texts);
      const record = await transport.patch(this.#traceId, text);
      for (const { job } of ready.slice(0, count)) this.#finish(job, record);
    } else if (first?.kind === 'score') {
      const [only] = ready;
      if (only) this.#finish(only.job, await transport.score(only.text));
    } else {
      const receipts = await transport.append(this.#traceId, texts);
      for (const [index, { job }] of ready.entries()) this.#finish(job, receipts[index]);
    }
    this.#maxBatchSize = MAX_BLOCKS;
  }

  /** Returns a job whose blobs are stored; drops it if they are rejected. @throws TraceError if a retry can succeed. */
  async #uploadBlobs(job: TraceJob) {
    try {
      const { text, blobs } = await job.content;
      await job.spooled;
      await this.#context.transport.upload(blobs);
      return [{ job, text }];
    } catch (cause) {
      const error = toTraceError(cause);
      if (isRetryableTraceError(error)) throw error;
      this.#drop(job, error);
      return [];
    }
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
      // Jobs whose blobs were rejected have left the queue and were not part of the request.
      const sent = jobs.filter((job) => this.#queue.includes(job));
      const invalid = jobsInError(sent, error);
      if (!invalid && sent.length > 1 && DIVISIBLE.includes(error.status))
        this.#maxBatchSize = Math.floor(sent.length / 2);
      else for (const job of invalid ?? sent) this.#drop(job, error);
    }
  }

  /** Returns true if the request should be repeated; the store ignores blocks that it already has. */
  #isRetryable(error: TraceError): boolean {
    return isRetryableTraceError(error) || (isMalformedResponse(error) && this.#failures < MAX_MALFORMED);
  }

  /** Waits before the next attempt; drops jobs that are older than the retry timeout. */
  async #backOff(jobs: readonly TraceJob[], error: TraceError): Promise<void> {
    const { retryTimeoutMs } = this.#context;
    const ageOf = ({ loggedAt }: TraceJob) => Date.now() - loggedAt;
    const expired = jobs.filter((job) => ageOf(job) >= retryTimeoutMs);
    const [oldest] = expired;
    if (oldest && this.#context.isSpooled) {
      // Without their parents, later jobs would be rejected and removed from the spool.
      this.#fatalError = retryTimeoutError(error, ageOf(oldest));
      for (const job of [...this.#queue]) this.#drop(job, this.#fatalError);
      return;
    }
    for (const job of expired) this.#drop(job, retryTimeoutError(error, ageOf(job)));
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
    const index = this.#queue.indexOf(job);
    if (index < 0) return;
    this.#queue.splice(index, 1);
    this.#length -= job.size;
  }
}

function retryTimeoutError(cause: TraceError, ageMs: number): TraceError {
  const { code, status, details } = cause;
  const message = `given up after ${Math.round(ageMs / 1000)} s: ${cause.message}`;
  return new TraceError(code, message, { status, details, cause });
}

/** Maximum length of a request with several jobs, in characters. */
const MAX_LENGTH = 1024 * 1024;

/**
 * Returns the jobs of the next request: the creation of a trace; or blocks, skipping changes and scores of the trace between
 * them; or changes; or a score.
 *
 * @param max maximum number of jobs.
 */
function nextRequest(queue: readonly TraceJob[], max: number): TraceJob[] {
  const jobs: TraceJob[] = [];
  const kind = queue[0]?.kind;
  let length = 0;
  for (const job of queue) {
    if (kind === 'block' && (job.kind === 'patch' || job.kind === 'score')) continue;
    length += job.size;
    if (jobs.length > 0 && (job.kind !== kind || kind === 'create' || kind === 'score' || length > MAX_LENGTH)) break;
    jobs.push(job);
    if (jobs.length >= max) break;
  }
  return jobs;
}

/**
 * Joins changes of a trace into one, up to the first change that sets a field to another value. Returns it with the
 * number of joined changes. The joined change is rejected if and only if one of them is.
 */
function joinPatches([first = '', ...others]: readonly string[]) {
  const joined = others.length > 0 ? parsePatch(first) : undefined;
  if (!joined) return { text: first, count: 1 };
  let count = 1;
  for (const text of others) {
    const fields = parsePatch(text);
    if (!fields || [...fields].some(([field, value]) => (joined.get(field) ?? value) !== value)) break;
    for (const [field, value] of fields) joined.set(field, value);
    count++;
  }
  const members = [...joined].map(([field, value]) => `${JSON.stringify(field)}:${value}`);
  return { text: `{${members.join(',')}}`, count };
}

/** Returns the fields of a change as JSON text; undefined for an invalid change. */
function parsePatch(text: string): Map<string, string> | undefined {
  const patch: unknown = JSON.parse(text);
  if (!isRecord(patch) || Object.keys(patch).length === 0) return undefined;
  return new Map(Object.entries(patch).map(([field, value]) => [field, JSON.stringify(value)]));
}
