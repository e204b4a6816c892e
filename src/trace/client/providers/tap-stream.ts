import type { ProviderStreamObserver } from './watcher.ts';

type MakeIterator = () => AsyncIterator<unknown>;
type TappedStream = { iterator?: MakeIterator; [Symbol.asyncIterator]?: MakeIterator };

/** Shows what is read from a stream, to its end; the stream remains the same object. */
export function tapStream(stream: object, watcher: ProviderStreamObserver): void {
  // The streams of both providers make all their iterators, also those of tee(), by this method.
  const tapped = stream as TappedStream;
  const name = typeof tapped.iterator === 'function' ? 'iterator' : Symbol.asyncIterator;
  const make = tapped[name];
  if (!make) return;
  Object.defineProperty(stream, name, {
    value: () => tapIterator(make.call(stream), watcher),
    configurable: true,
    writable: true,
  });
}

function tapIterator(
  iterator: AsyncIterator<unknown>,
  watcher: ProviderStreamObserver,
): AsyncIterableIterator<unknown> {
  return {
    async next() {
      try {
        const result = await iterator.next();
        if (result.done) watcher.end();
        else watcher.item(result.value);
        return result;
      } catch (error) {
        watcher.end(error);
        throw error;
      }
    },
    async return(value) {
      watcher.end();
      return (await iterator.return?.(value)) ?? { done: true, value };
    },
    async throw(error) {
      watcher.end(error);
      if (iterator.throw) return iterator.throw(error);
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
