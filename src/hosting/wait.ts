import { type Awaitable, isPromiseLike } from '../core/index.ts';

/** Cancellation of one lookup. Most lookups are never cancelled, so the AbortController is created when it is needed. */
export class LazyAbortController {
  #abort: AbortController | undefined;
  #reason: Error | undefined;
  #reject: ((reason: Error) => void) | undefined;

  /** Aborts when the lookup is cancelled. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#reason) this.#abort.abort(this.#reason);
    return this.#abort.signal;
  }

  /** Cancels the lookup. The first reason counts. */
  abort(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#abort?.abort(reason);
    this.#reject?.(reason);
  }

  /**
   * Runs work, and stops waiting for it when the lookup is cancelled. One call at a time.
   *
   * @throws the reason of the cancellation; what the work throws or rejects with.
   */
  race<T>(work: () => Awaitable<T>): Awaitable<T> {
    if (this.#reason) throw this.#reason;
    const value = work();
    if (!isPromiseLike(value)) return value;
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      value.then(resolve, reject);
      if (this.#reason) reject(this.#reason);
    });
  }
}
