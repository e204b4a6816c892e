/**
 * Parts that can be awaited. Whoever does not wait needs not handle the rejection: it is told elsewhere.
 *
 * @param onWait called whenever somebody begins to wait for the result; to catch its rejection is not to wait.
 */
export function awaitable<Parts extends object, T>(
  parts: Parts,
  result: Promise<T>,
  onWait: () => void,
): Parts & Promise<T> {
  result.catch(() => undefined);
  const waiting = (): Promise<T> => {
    onWait();
    return result;
  };
  return {
    ...parts,
    // biome-ignore lint/suspicious/noThenProperty: it is a promise; a plain one could not tell that somebody waits
    then: (onResult, onError) => waiting().then(onResult, onError),
    catch: (onError) => result.catch(onError),
    finally: (onEnd) => waiting().finally(onEnd),
    [Symbol.toStringTag]: 'Promise',
  };
}

export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** A promise that others settle, and whose rejection nobody needs to handle. */
export function defer<T>(): Deferred<T> {
  const settle: { resolve?: (value: T) => void; reject?: (error: unknown) => void } = {};
  const promise = new Promise<T>((resolve, reject) => Object.assign(settle, { resolve, reject }));
  promise.catch(() => undefined);
  return { promise, resolve: (value) => settle.resolve?.(value), reject: (error) => settle.reject?.(error) };
}
