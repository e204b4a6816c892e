import type { Awaitable } from './awaitable.ts';

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
