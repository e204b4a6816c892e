/** Appends all items. `push(...items)` throws a RangeError for more arguments than the stack has room for. */
export function appendAll<T>(target: T[], items: Iterable<T>): void {
  for (const item of items) target.push(item);
}

/** Returns the largest of any number of values; -Infinity if there are none. */
export function largest(values: Iterable<number>): number {
  let found = Number.NEGATIVE_INFINITY;
  for (const value of values) found = Math.max(found, value);
  return found;
}

/** Returns the smallest of any number of values; Infinity if there are none. */
export function smallest(values: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY;
  for (const value of values) found = Math.min(found, value);
  return found;
}

/** Returns the sum, added from left to right; 0 for an empty list. */
export function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Groups items by a key. Keys are in the order of their first items, and the items of a key in their own order. */
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

/** Counts items by a key. Keys are in the order of their first items. */
export function countBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const item of items) {
    const key = keyOf(item);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Limits of a batch. A batch has at least one item, also if that item alone exceeds the size. */
export interface BatchLimits<Item> {
  readonly count?: number;
  readonly size?: number;
  readonly sizeOf: (item: Item) => number;
}

/** Returns how many items from the first on fit into a batch. */
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

/** Copies an object without the fields whose value is undefined. */
export function definedFields<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  // The entries are those of T.
  return Object.fromEntries(defined) as { [Name in keyof T]?: Exclude<T[Name], undefined> };
}
