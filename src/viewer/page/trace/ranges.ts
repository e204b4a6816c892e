const FIRST_PAGE = 100;
const PAGE = 1_000;
const AT_ONCE = 3;

/** A page of blocks, by their places. */
export interface BlockPageRange {
  readonly after: number;
  /** Where others go on; the last page has whatever follows. */
  readonly before?: number;
  readonly limit: number;
}

/** The pages after a place of a trace that has so many blocks; the first of all is short, since somebody waits for it. */
export function* pageRanges(place: number, count: number): Generator<BlockPageRange> {
  let after = place;
  let limit = place === 0 ? FIRST_PAGE : PAGE;
  for (; after + limit < count; after += limit, limit = PAGE) yield { after, before: after + limit + 1, limit };
  yield { after, limit };
}

/** What each item is read as, in their order; the next ones are asked for while one is taken. */
export async function* prefetch<I, T>(items: Iterable<I>, read: (item: I) => Promise<T>): AsyncGenerator<T> {
  const waiting: Promise<T>[] = [];
  for (const item of items) {
    const reading = read(item);
    // One that fails is told of in its turn.
    reading.catch(() => {});
    waiting.push(reading);
    if (waiting.length === AT_ONCE) yield await (waiting.shift() as Promise<T>);
  }
  for (const reading of waiting) yield await reading;
}
