export function* take<T>(values: Iterable<T>, max: number): Generator<T> {
  let left = max;
  if (left <= 0) return;
  for (const value of values) {
    yield value;
    if (--left === 0) return;
  }
}

/** The first of each, then the second of each, and so on: a limit to their number then cuts off none of them. */
export function* roundRobin<T>(sources: Iterable<Iterable<T>>): Generator<T> {
  let open = [...sources].map((source) => source[Symbol.iterator]());
  while (open.length > 0) {
    const left: Iterator<T>[] = [];
    for (const iterator of open) {
      const { done, value } = iterator.next();
      if (done) continue;
      left.push(iterator);
      yield value;
    }
    open = left;
  }
}
