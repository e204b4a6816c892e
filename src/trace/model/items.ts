import { type Awaitable, isPromiseLike } from '../../core/index.ts';

/**
 * What is there is a list. What has to be waited for comes as lists, one after the other: each may be forgotten when the
 * next one is asked for.
 */
export type Items<T> = readonly T[] | AsyncIterable<readonly T[]>;

export const areThere = <T>(items: Awaitable<Items<T>>): items is readonly T[] => Array.isArray(items);

/** What becomes of each, in their order; at once as far as it is there. */
export function flatMap<T, R>(items: Items<T>, to: (item: T) => Awaitable<Items<R>>): Items<R> {
  if (!areThere(items)) return flatMapComing(items, to);
  const beginning = mapWhatIsThere(items, 0, to);
  if (!beginning.next) return beginning.found;
  // It may be that nobody asks for it.
  if (isPromiseLike(beginning.next)) beginning.next.catch(() => undefined);
  return goOn(items, beginning, to);
}

async function* flatMapComing<T, R>(
  lists: AsyncIterable<readonly T[]>,
  to: (item: T) => Awaitable<Items<R>>,
): AsyncGenerator<readonly R[]> {
  for await (const list of lists) yield* goOn(list, mapWhatIsThere(list, 0, to), to);
}

interface Mapped<R> {
  readonly found: readonly R[];
  /** What has to be waited for. */
  readonly next: Awaitable<Items<R>> | undefined;
  readonly end: number;
}

function mapWhatIsThere<T, R>(items: readonly T[], start: number, to: (item: T) => Awaitable<Items<R>>): Mapped<R> {
  const found: R[] = [];
  for (let index = start; index < items.length; index++) {
    // The index is below the length.
    const next = to(items[index] as T);
    if (!areThere(next)) return { found, next, end: index + 1 };
    for (const each of next) found.push(each);
  }
  return { found, next: undefined, end: items.length };
}

async function* goOn<T, R>(
  items: readonly T[],
  beginning: Mapped<R>,
  to: (item: T) => Awaitable<Items<R>>,
): AsyncGenerator<readonly R[]> {
  for (let mapped = beginning; ; mapped = mapWhatIsThere(items, mapped.end, to)) {
    if (mapped.found.length > 0) yield mapped.found;
    if (!mapped.next) return;
    yield* listsOf(await mapped.next);
  }
}

/** Some, and then others, which are not asked for before. */
export function followedBy<T>(items: Items<T>, others: () => Items<T>): Items<T> {
  if (!areThere(items)) return inTurn(items, others);
  const rest = others();
  return areThere(rest) ? [...items, ...rest] : inTurn(items, () => rest);
}

async function* inTurn<T>(items: Items<T>, others: () => Items<T>): AsyncGenerator<readonly T[]> {
  yield* listsOf(items);
  yield* listsOf(others());
}

/** Looks at each; at once where all are there. */
export function forEach<T>(items: Items<T>, look: (item: T) => void): Awaitable<void> {
  if (!areThere(items)) return forEachComing(items, look);
  for (const item of items) look(item);
}

async function forEachComing<T>(lists: AsyncIterable<readonly T[]>, look: (item: T) => void): Promise<void> {
  for await (const list of lists) for (const item of list) look(item);
}

/** The same for whoever can wait. */
export const listsOf = <T>(items: Items<T>): Iterable<readonly T[]> | AsyncIterable<readonly T[]> =>
  areThere(items) ? [items] : items;
