import type { Awaitable } from './awaitable.ts';

/** Runs tasks one at a time, in the order of the calls. A failed task does not stop the next. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();
  #pending = 0;

  get isIdle(): boolean {
    return this.#pending === 0;
  }

  /** @throws what the task throws. */
  run<T>(task: () => Awaitable<T>): Promise<T> {
    this.#pending++;
    const result = this.#last.then(task);
    this.#last = result.then(
      () => this.#pending--,
      () => this.#pending--,
    );
    return result;
  }

  /** Resolves when no task is running or waiting, tasks that arrive meanwhile included. */
  async idle(): Promise<void> {
    while (this.#pending > 0) await this.#last;
  }
}

/** One mutex per key. A key without tasks takes no memory. */
export class KeyedMutex<Key> {
  readonly #mutexes = new Map<Key, Mutex>();

  /** @throws what the task throws. */
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
