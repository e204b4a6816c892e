import { type Awaitable, isPromiseLike } from '../core/index.ts';

/** Somebody's wait for one answer. Most waits end with it, so what tells that nobody waits any more is made when it is asked for. */
export class Wait {
  #abort: AbortController | undefined;
  #reason: Error | undefined;
  #giveUp: ((reason: Error) => void) | undefined;

  /** Aborts when nobody waits any more. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#reason) this.#abort.abort(this.#reason);
    return this.#abort.signal;
  }

  /** Nobody waits any more. May be called again. */
  end(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#abort?.abort(reason);
    this.#giveUp?.(reason);
  }

  /** What the work gives, or the reason why nobody waits any more if there is one before. */
  for<T>(work: () => Awaitable<T>): Awaitable<T> {
    if (this.#reason) throw this.#reason;
    const value = work();
    if (!isPromiseLike(value)) return value;
    return new Promise((resolve, reject) => {
      this.#giveUp = reject;
      value.then(resolve, reject);
      if (this.#reason) reject(this.#reason);
    });
  }
}
