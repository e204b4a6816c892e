import { type Awaitable, andThen, isPromiseLike } from '../../core/index.ts';

/**
 * Items in memory as an array, or items that are loaded as a stream of arrays. Arrays are used directly, which saves a
 * microtask per item; streamed arrays can be garbage-collected one by one.
 */
export type Batches<T> = readonly T[] | AsyncIterable<readonly T[]>;

export const isArray = <T>(items: Awaitable<Batches<T>>): items is readonly T[] => Array.isArray(items);

/** Maps each item to any number of others, in order; synchronously as long as results are arrays. */
export function flatMapBatches<T, R>(items: Batches<T>, to: (item: T) => Awaitable<Batches<R>>): Batches<R> {
  if (!isArray(items)) return flatMapStream(items, to);
  const start = mapArrays(items, 0, to);
  if (!start.next) return start.found;
  // Prevents an unhandled rejection if the stream is never read.
  if (isPromiseLike(start.next)) start.next.catch(() => undefined);
  return mapRest(items, start, to);
}

async function* flatMapStream<T, R>(
  lists: AsyncIterable<readonly T[]>,
  to: (item: T) => Awaitable<Batches<R>>,
): AsyncGenerator<readonly R[]> {
  for await (const list of lists) yield* mapRest(list, mapArrays(list, 0, to), to);
}

interface MappedBatch<R> {
  readonly found: readonly R[];
  /** The first result that is not an array. */
  readonly next: Awaitable<Batches<R>> | undefined;
  readonly end: number;
}

function mapArrays<T, R>(items: readonly T[], start: number, to: (item: T) => Awaitable<Batches<R>>): MappedBatch<R> {
  const found: R[] = [];
  for (let index = start; index < items.length; index++) {
    // The index is below the length.
    const next = to(items[index] as T);
    if (!isArray(next)) return { found, next, end: index + 1 };
    for (const each of next) found.push(each);
  }
  return { found, next: undefined, end: items.length };
}

async function* mapRest<T, R>(
  items: readonly T[],
  start: MappedBatch<R>,
  to: (item: T) => Awaitable<Batches<R>>,
): AsyncGenerator<readonly R[]> {
  for (let mapped = start; ; mapped = mapArrays(items, mapped.end, to)) {
    if (mapped.found.length > 0) yield mapped.found;
    if (!mapped.next) return;
    yield* toBatchIterable(await mapped.next);
  }
}

/** Concatenates two sequences; `others` is called when the first one has ended. */
export function concatBatches<T>(items: Batches<T>, others: () => Batches<T>): Batches<T> {
  if (!isArray(items)) return concatStreams(items, others);
  const rest = others();
  return isArray(rest) ? [...items, ...rest] : concatStreams(items, () => rest);
}

async function* concatStreams<T>(items: Batches<T>, others: () => Batches<T>): AsyncGenerator<readonly T[]> {
  yield* toBatchIterable(items);
  yield* toBatchIterable(others());
}

/** Calls `visit` for each item; synchronously for an array. */
export function forEachBatch<T>(items: Batches<T>, visit: (item: T) => void): Awaitable<void> {
  if (!isArray(items)) return forEachStreamed(items, visit);
  for (const item of items) visit(item);
}

async function forEachStreamed<T>(lists: AsyncIterable<readonly T[]>, visit: (item: T) => void): Promise<void> {
  for await (const list of lists) for (const item of list) visit(item);
}

/** Reads all items into memory; synchronously from an array. */
export function collectBatches<T>(items: Batches<T>): Awaitable<T[]> {
  const all: T[] = [];
  return andThen(
    forEachBatch(items, (item) => void all.push(item)),
    () => all,
  );
}

/** Returns an iterable of arrays for both forms. */
export const toBatchIterable = <T>(items: Batches<T>): Iterable<readonly T[]> | AsyncIterable<readonly T[]> =>
  isArray(items) ? [items] : items;
