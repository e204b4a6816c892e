/** A value, or the promise of one. */
export type Awaitable<T> = T | Promise<T>;

/** Whether a value is still to come; promises of libraries and of other realms count. */
export const isComing = <T>(value: Awaitable<T>): value is Promise<T> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function';

/** Goes on with a value: at once where it is there, which spares the turn and the promises that `await` takes. */
export const after = <T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> =>
  isComing(value) ? Promise.resolve(value).then(next) : next(value);

/** Runs something, and goes on with what it gives or with what it throws: at once where there is nothing to wait for. */
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
  return isComing(value) ? Promise.resolve(value).then(done, failed) : done(value);
}

/** Runs something, and goes on with what it throws. */
export const rescue = <T>(run: () => Awaitable<T>, failed: (error: unknown) => Awaitable<T>): Awaitable<T> =>
  settle(run, (value) => value, failed);

/** Runs something, and tells when it is over, however it went: at once where there is nothing to wait for. */
export function lastly<T>(run: () => Awaitable<T>, over: () => void): Awaitable<T> {
  return settle(
    run,
    (value) => {
      over();
      return value;
    },
    (error) => {
      over();
      throw error;
    },
  );
}
