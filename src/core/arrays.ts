/** Appends all items. `push(...items)` throws a RangeError if there are too many for the stack. */
export function appendAll<T>(target: T[], items: Iterable<T>): void {
  for (const item of items) target.push(item);
}

/** Returns the largest of any number of values; -Infinity if there are none. */
export const largest = (values: Iterable<number>): number =>
  Array.from(values).reduce((a, b) => Math.max(a, b), -Infinity);

/** Returns the smallest of any number of values; Infinity if there are none. */
export const smallest = (values: Iterable<number>): number =>
  Array.from(values).reduce((a, b) => Math.min(a, b), Infinity);

/** Returns the sum, added from left to right; 0 for an empty list. */
export const sum = (values: Iterable<number>): number => Array.from(values).reduce((a, b) => a + b, 0);

/** Returns the standard error of a mean from a population standard deviation; null for fewer than two numbers. */
export const standardErrorFrom = (count: number, deviation: number): number | null =>
  count < 2 ? null : deviation / Math.sqrt(count - 1);

/** Groups items by key. Keys are in the order of their first items, and items keep their order. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Counts items by key. Keys are in the order of their first items. */
export const countBy = <Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, number> =>
  new Map(Array.from(groupBy(items, keyOf), ([key, group]) => [key, group.length]));

/** Limits of a batch. A batch has at least one item, even if that item alone exceeds the size. */
export interface BatchLimits<Item> {
  readonly count?: number;
  readonly size?: number;
  readonly sizeOf: (item: Item) => number;
}

/** Returns how many items, starting with the first, fit into a batch. */
export function countFitting<Item>(
  items: Iterable<Item>,
  { count = Number.POSITIVE_INFINITY, size = Number.POSITIVE_INFINITY, sizeOf }: BatchLimits<Item>,
): number {
  let fitting = 0;
  let total = 0;
  for (const item of items) {
    total += sizeOf(item);
    if (fitting >= count || (fitting > 0 && total > size)) break;
    fitting++;
  }
  return fitting;
}

/** Splits items into batches. */
export function* batchesOf<Item>(
  items: Iterable<Item>,
  { count = Number.POSITIVE_INFINITY, size = Number.POSITIVE_INFINITY, sizeOf }: BatchLimits<Item>,
): Generator<Item[]> {
  let batch: Item[] = [];
  let total = 0;
  for (const item of items) {
    const itemSize = sizeOf(item);
    if (batch.length > 0 && (batch.length === count || total + itemSize > size)) {
      yield batch;
      batch = [];
      total = 0;
    }
    batch.push(item);
    total += itemSize;
  }
  if (batch.length > 0) yield batch;
}

/** Copies an object without its undefined fields. */
export function definedFields<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  // The entries are those of T.
  return Object.fromEntries(defined) as { [Name in keyof T]?: Exclude<T[Name], undefined> };
}

/**
 * Returns a proxy of an object that has other methods. Methods that the object does not have are not added; its own are
 * bound to it, because a proxy has no private fields.
 */
export function overrideMethods<T extends object>(target: T, methods: object): T {
  return new Proxy(target, {
    get(_, key) {
      if (Object.hasOwn(methods, key) && key in target) return Reflect.get(methods, key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
