import { joinSignals, onAbort } from './abort.ts';
import type { Awaitable } from './awaitable.ts';

interface Waiter {
  readonly owner: string | undefined;
  readonly admit: () => void;
}

export interface AcquireOptions {
  /** Counts towards the share of this owner. */
  readonly owner?: string | undefined;
  /** Stops waiting. */
  readonly signal?: AbortSignal | undefined;
}

/** Counting semaphore: first come, first served, except that owners who have used up their share do not block others. */
export class Semaphore {
  readonly #capacity: number;
  readonly #perOwner: number;
  readonly #waiting = new Set<Waiter>();
  readonly #inUseBy = new Map<string, number>();
  #inUse = 0;

  /** @param perOwner maximum number of permits of one owner. @default Infinity */
  constructor(capacity: number, { perOwner = Infinity }: { readonly perOwner?: number } = {}) {
    this.#capacity = capacity;
    this.#perOwner = perOwner;
  }

  get inUse(): number {
    return this.#inUse;
  }

  inUseBy(owner: string | undefined): number {
    return (owner !== undefined && this.#inUseBy.get(owner)) || 0;
  }

  /** Returns true if the owner's share is used up. */
  isFullFor(owner: string | undefined): boolean {
    return this.inUseBy(owner) >= this.#perOwner;
  }

  /** Acquires a permit if one is free. */
  tryAcquire(owner?: string): boolean {
    if (this.#inUse >= this.#capacity || this.isFullFor(owner)) return false;
    this.#count(owner, 1);
    return true;
  }

  /** Waits for a permit. Resolves to false if the signal aborts first. */
  acquire({ owner, signal }: AcquireOptions = {}): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false);
    if (this.tryAcquire(owner)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        owner,
        admit: () => {
          release();
          resolve(true);
        },
      };
      this.#waiting.add(waiter);
      const release = onAbort(signal, () => {
        this.#waiting.delete(waiter);
        resolve(false);
      });
    });
  }

  /** Releases a permit of the owner. */
  release(owner?: string): void {
    this.#count(owner, -1);
    for (const waiter of this.#waiting) {
      if (this.#inUse >= this.#capacity) return;
      if (!this.tryAcquire(waiter.owner)) continue;
      this.#waiting.delete(waiter);
      waiter.admit();
    }
  }

  /**
   * Runs a task with a permit.
   *
   * @throws signal.reason if the signal aborts before the task starts, or the error of the task.
   */
  async run<T>(task: () => Awaitable<T>, options: AcquireOptions = {}): Promise<T> {
    if (!(await this.acquire(options))) throw options.signal?.reason;
    try {
      return await task();
    } finally {
      this.release(options.owner);
    }
  }

  #count(owner: string | undefined, change: 1 | -1): void {
    this.#inUse += change;
    if (owner === undefined) return;
    const count = this.inUseBy(owner) + change;
    if (count > 0) this.#inUseBy.set(owner, count);
    else this.#inUseBy.delete(owner);
  }
}

/**
 * Runs a task on each item, at most `concurrency` at a time, in the order of the items. After the first error no task
 * starts, and the signal of the running ones aborts; the error is thrown when they have settled.
 *
 * @param signal no further task starts after it aborts.
 * @returns the results in the order of the items.
 * @throws the first error of a task or of the iterator; signal.reason.
 */
export async function mapConcurrent<I, O>(
  items: Iterable<I> | AsyncIterable<I>,
  concurrency: number,
  task: (item: I, signal: AbortSignal) => Awaitable<O>,
  signal?: AbortSignal,
): Promise<O[]> {
  signal?.throwIfAborted();
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const joined = joinSignals(signal);
  const results: O[] = [];
  let started = 0;
  let failure: { readonly error: unknown } | undefined;
  const work = async () => {
    try {
      while (!failure) {
        const index = started++;
        const next = await iterator.next();
        if (next.done || failure) return;
        joined.signal.throwIfAborted();
        results[index] = await task(next.value, joined.signal);
      }
    } catch (error) {
      failure ??= { error };
      joined.abort(error);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  joined.release();
  if (!failure) return results;
  await iterator.return?.();
  throw failure.error;
}

/** Runs tasks one at a time, in the order of the calls. A failed task does not affect the next one. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();
  #pending = 0;

  get isIdle(): boolean {
    return this.#pending === 0;
  }

  /** @throws the error of the task. */
  run<T>(task: () => Awaitable<T>): Promise<T> {
    this.#pending++;
    const result = this.#last.then(task);
    this.#last = result.then(
      () => this.#pending--,
      () => this.#pending--,
    );
    return result;
  }

  /** Resolves when no task is running or waiting, including tasks that arrive while waiting. */
  async idle(): Promise<void> {
    while (this.#pending > 0) await this.#last;
  }
}

/** One mutex per key. A key without tasks uses no memory. */
export class KeyedMutex<Key> {
  readonly #mutexes = new Map<Key, Mutex>();

  /** @throws the error of the task. */
  run<T>(key: Key, task: () => Awaitable<T>): Promise<T> {
    const mutex = this.#mutexes.get(key) ?? new Mutex();
    this.#mutexes.set(key, mutex);
    const result = mutex.run(task);
    const forget = () => {
      if (mutex.isIdle) this.#mutexes.delete(key);
    };
    result.then(forget, forget);
    return result;
  }
}
