import { type Awaitable, isPromiseLike } from '../../core/index.ts';

/**
 * What is there is a list. What has to be waited for comes as lists, one after the other: each may be forgotten when the
 * next one is asked for.
 */
export type Batches<T> = readonly T[] | AsyncIterable<readonly T[]>;

export const isArray = <T>(items: Awaitable<Batches<T>>): items is readonly T[] => Array.isArray(items);

/** What becomes of each, in their order; at once as far as it is there. */
export function flatMapBatches<T, R>(items: Batches<T>, to: (item: T) => Awaitable<Batches<R>>): Batches<R> {
  if (!isArray(items)) return flatMapComing(items, to);
  const beginning = mapWhatIsThere(items, 0, to);
  if (!beginning.next) return beginning.found;
  // It may be that nobody asks for it.
  if (isPromiseLike(beginning.next)) beginning.next.catch(() => undefined);
  return goOn(items, beginning, to);
}

async function* flatMapComing<T, R>(
  lists: AsyncIterable<readonly T[]>,
  to: (item: T) => Awaitable<Batches<R>>,
): AsyncGenerator<readonly R[]> {
  for await (const list of lists) yield* goOn(list, mapWhatIsThere(list, 0, to), to);
}

interface MappedBatch<R> {
  readonly found: readonly R[];
  /** What has to be waited for. */
  readonly next: Awaitable<Batches<R>> | undefined;
  readonly end: number;
}

function mapWhatIsThere<T, R>(
  items: readonly T[],
  start: number,
  to: (item: T) => Awaitable<Batches<R>>,
): MappedBatch<R> {
  const found: R[] = [];
  for (let index = start; index < items.length; index++) {
    // The index is below the length.
    const next = to(items[index] as T);
    if (!isArray(next)) return { found, next, end: index + 1 };
    for (const each of next) found.push(each);
  }
  return { found, next: undefined, end: items.length };
}

async function* goOn<T, R>(
  items: readonly T[],
  beginning: MappedBatch<R>,
  to: (item: T) => Awaitable<Batches<R>>,
): AsyncGenerator<readonly R[]> {
  for (let mapped = beginning; ; mapped = mapWhatIsThere(items, mapped.end, to)) {
    if (mapped.found.length > 0) yield mapped.found;
    if (!mapped.next) return;
    yield* toBatchIterable(await mapped.next);
  }
}

/** Some, and then others, which are not asked for before. */
export function concatBatches<T>(items: Batches<T>, others: () => Batches<T>): Batches<T> {
  if (!isArray(items)) return inTurn(items, others);
  const rest = others();
  return isArray(rest) ? [...items, ...rest] : inTurn(items, () => rest);
}

async function* inTurn<T>(items: Batches<T>, others: () => Batches<T>): AsyncGenerator<readonly T[]> {
  yield* toBatchIterable(items);
  yield* toBatchIterable(others());
}

/** Looks at each; at once where all are there. */
export function forEachBatch<T>(items: Batches<T>, look: (item: T) => void): Awaitable<void> {
  if (!isArray(items)) return forEachComing(items, look);
  for (const item of items) look(item);
}

async function forEachComing<T>(lists: AsyncIterable<readonly T[]>, look: (item: T) => void): Promise<void> {
  for await (const list of lists) for (const item of list) look(item);
}

/** The same for whoever can wait. */
export const toBatchIterable = <T>(items: Batches<T>): Iterable<readonly T[]> | AsyncIterable<readonly T[]> =>
  isArray(items) ? [items] : items;
