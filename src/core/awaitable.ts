/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** Returns true for a promise, also of a library or another realm. */
export const isPromiseLike = <T>(value: Awaitable<T>): value is Promise<T> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function';

/**
 * Like `.then()`, but synchronous if `value` is not a promise, which saves a microtask and its promises.
 *
 * @throws what `next` throws, if `value` is not a promise.
 */
export const andThen = <T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> =>
  isPromiseLike(value) ? Promise.resolve(value).then(next) : next(value);

/** Like `.then(done, failed)`, but synchronous if `run` is. Also handles errors that `run` throws synchronously. */
export function settle<T, R>(
  run: () => Awaitable<T>,
  done: (value: T) => Awaitable<R>,
  failed: (error: unknown) => Awaitable<R>,
): Awaitable<R> {
  let value: Awaitable<T>;
  try {
    value = run();
  } catch (error) {
    return failed(error);
  }
  return isPromiseLike(value) ? Promise.resolve(value).then(done, failed) : done(value);
}

/** Like `.catch()`, but synchronous if `run` is. */
export const orElse = <T>(run: () => Awaitable<T>, failed: (error: unknown) => Awaitable<T>): Awaitable<T> =>
  settle(run, (value) => value, failed);

/** Like `.finally()`, but synchronous if `run` is. */
export function andFinally<T>(run: () => Awaitable<T>, after: () => void): Awaitable<T> {
  return settle(
    run,
    (value) => {
      after();
      return value;
    },
    (error) => {
      after();
      throw error;
    },
  );
}

/** Set of pending promises. */
export class PendingPromises {
  readonly #promises = new Set<Promise<unknown>>();

  get size(): number {
    return this.#promises.size;
  }

  /** Adds a promise until it settles. @returns the same promise. */
  add<T>(promise: Promise<T>): Promise<T> {
    this.#promises.add(promise);
    const remove = () => this.#promises.delete(promise);
    promise.then(remove, remove);
    return promise;
  }

  /** Resolves when no promise is pending, including those that are added while waiting. Never rejects. */
  async settled(): Promise<void> {
    while (this.#promises.size > 0) await Promise.allSettled(this.#promises);
  }
}
