import type { TraceId } from '../../../generated/trace.ts';
import { type Backoff, Condition, retryDelayMs, sleep } from '../../core/index.ts';
import type { Content } from '../fit/index.ts';
import { type Courier, supply } from './deliver.ts';
import { blamed, type Job } from './job.ts';
import { joinPatches, MAX_LENGTH, nextRequest } from './next-request.ts';
import { isGarbled, isTransient, TraceError, toTraceError } from './trace-error.ts';

/** The most blocks of a request. */
const MAX_BLOCKS = 256;

/** So often in a row an answer is asked for again that is none of a trace store: after that there is none at the address. */
const MAX_GARBLED = 5;
/** Delays between attempts of a request to a trace store. */
export const STORE_BACKOFF: Backoff = { firstMs: 100, longestMs: 10_000 };
/** Statuses that may be about one block of many. */
const DIVISIBLE: readonly (number | null)[] = [400, 409, 413, 422];

export interface LaneContext {
  readonly courier: Courier;
  readonly giveUpMs: number;
  /** Whether another process delivers what this one gives up. */
  readonly isSpooled: boolean;
  /** How long something that nobody waits for waits for others at the moment, in ms. */
  readonly gatherMs: () => number;
  /** Settles when what an earlier process left is in its lanes. */
  readonly opened: () => Promise<void>;
  readonly onSettled: (job: Job, error: TraceError | undefined) => void;
  readonly onIdle: () => void;
}

/**
 * What is to be delivered to one trace: a request begins when the one before is answered. Blocks go strictly in order, and
 * a change of the trace after the blocks that came before it.
 */
export class Lane {
  readonly #traceId: TraceId;
  readonly #context: LaneContext;
  #queue: Job[] = [];
  #isRunning = false;
  #isUrgent = false;
  #length = 0;
  readonly #changed = new Condition();
  #most = MAX_BLOCKS;
  #failures = 0;
  /** The trace, until the store has it. */
  #creation: Content | undefined;
  /** Why nothing more is sent. */
  #refusal: TraceError | undefined;

  constructor(traceId: TraceId, context: LaneContext) {
    this.#traceId = traceId;
    this.#context = context;
  }

  /** Whether there is nothing that a new lane would not know. */
  get isForgettable(): boolean {
    return this.#queue.length === 0 && !this.#creation && !this.#refusal;
  }

  add(job: Job): void {
    if (this.#refusal) {
      this.#settle(job, this.#refusal);
      return;
    }
    this.#queue.push(job);
    this.#length += job.size;
    if (job.kind === 'create' || this.#isFull()) this.#changed.notify();
    this.#start();
  }

  /** Puts what an earlier process left before what was logged since. */
  precede(jobs: readonly Job[]): void {
    this.#queue = [...jobs, ...this.#queue];
    this.#start();
  }

  /** Somebody waits: what is here goes without waiting for more. */
  hurry(): void {
    if (this.#queue.length === 0) return;
    this.#isUrgent = true;
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
      await this.#gather();
      const jobs = nextRequest(this.#queue, this.#most);
      try {
        await this.#send(jobs);
        this.#failures = 0;
      } catch (cause) {
        await this.#recover(jobs, toTraceError(cause));
      }
    }
    this.#isUrgent = false;
    this.#isRunning = false;
    this.#context.onIdle();
  }

  #isFull(): boolean {
    return this.#queue.length >= MAX_BLOCKS || this.#length >= MAX_LENGTH;
  }

  async #gather(): Promise<void> {
    const gatherMs = this.#context.gatherMs();
    // Date.now() may jump back.
    const ms = Math.min(gatherMs, (this.#queue[0]?.loggedAt ?? 0) + gatherMs - Date.now());
    const isReady = () => this.#isUrgent || this.#isFull() || this.#queue.some(({ kind }) => kind === 'create');
    if (ms > 0) await this.#changed.until(isReady, { ms });
  }

  async #send(jobs: readonly Job[]): Promise<void> {
    const { courier } = this.#context;
    const [first] = jobs;
    if (first?.kind === 'create') {
      this.#creation = await first.content;
      await first.spooled;
      this.#finish(first, await this.#create(this.#creation));
      return;
    }
    if (this.#creation) await this.#create(this.#creation);
    const supplied = await Promise.all(jobs.map((job) => supply(courier, job)));
    for (const each of supplied) if ('error' in each) this.#drop(each.job, each.error);
    const ready = supplied.filter((each) => 'content' in each);
    const texts = ready.map(({ content }) => content.text);
    if (texts.length === 0) return;
    if (first?.kind === 'patch') {
      const { text, count } = joinPatches(texts);
      const record = await courier.patch(this.#traceId, text);
      for (const { job } of ready.slice(0, count)) this.#finish(job, record);
    } else {
      const receipts = await courier.append(this.#traceId, texts);
      for (const [index, { job }] of ready.entries()) this.#finish(job, receipts[index]);
    }
    this.#most = MAX_BLOCKS;
  }

  async #create(content: Content): Promise<unknown> {
    try {
      const record = await this.#context.courier.create(content);
      this.#creation = undefined;
      return record;
    } catch (cause) {
      const error = toTraceError(cause);
      if (!this.#mayHelp(error)) this.#refusal = error;
      throw error;
    }
  }

  async #recover(jobs: readonly Job[], error: TraceError): Promise<void> {
    if (this.#refusal) {
      for (const job of [...this.#queue]) this.#drop(job, this.#refusal);
      this.#creation = undefined;
    } else if (this.#mayHelp(error)) await this.#persist(jobs, error);
    else {
      // Those whose blobs were refused are gone from the queue, and were not part of the request.
      const sent = jobs.filter((job) => this.#queue.includes(job));
      const guilty = blamed(sent, error);
      if (!guilty && sent.length > 1 && DIVISIBLE.includes(error.status)) this.#most = Math.floor(sent.length / 2);
      else for (const job of guilty ?? sent) this.#drop(job, error);
    }
  }

  /** Whether to try again, which stores nothing twice. */
  #mayHelp(error: TraceError): boolean {
    return isTransient(error) || (isGarbled(error) && this.#failures < MAX_GARBLED);
  }

  /** Waits before the next attempt; gives up what was logged too long ago. */
  async #persist(jobs: readonly Job[], error: TraceError): Promise<void> {
    const { giveUpMs } = this.#context;
    const ageOf = ({ loggedAt }: Job) => Date.now() - loggedAt;
    const expired = jobs.filter((job) => ageOf(job) >= giveUpMs);
    const [oldest] = expired;
    if (oldest && this.#context.isSpooled) {
      // Sent alone, what follows would be refused for want of its parent, and struck out.
      this.#refusal = givenUp(error, ageOf(oldest));
      for (const job of [...this.#queue]) this.#drop(job, this.#refusal);
      return;
    }
    for (const job of expired) this.#drop(job, givenUp(error, ageOf(job)));
    const [head] = this.#queue;
    if (!head || expired.length > 0) return;
    const delay = retryDelayMs(this.#failures++, STORE_BACKOFF, error.retryAfterMs);
    await sleep(Math.min(delay, Math.max(0, giveUpMs - ageOf(head))));
  }

  #finish(job: Job, answer: unknown): void {
    this.#remove(job);
    job.done.resolve(answer);
    this.#context.onSettled(job, undefined);
  }

  #drop(job: Job, error: TraceError): void {
    this.#remove(job);
    this.#settle(job, error);
  }

  #settle(job: Job, error: TraceError): void {
    job.done.reject(error);
    this.#context.onSettled(job, error);
  }

  #remove(job: Job): void {
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
