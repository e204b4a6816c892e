/**
 * Makes an object awaitable. Its rejection needs no handler, since it is reported elsewhere.
 *
 * @param onWait called whenever a caller begins to wait for the result; `.catch()` does not count.
 */
export function withPromise<Parts extends object, T>(
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
    // biome-ignore lint/suspicious/noThenProperty: it is a promise; a plain one could not report that a caller waits
    then: (onResult, onError) => waiting().then(onResult, onError),
    catch: (onError) => result.catch(onError),
    finally: (onEnd) => waiting().finally(onEnd),
    [Symbol.toStringTag]: 'Promise',
  };
}
