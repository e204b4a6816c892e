const PARTS = 8;

/**
 * Map that drops its oldest entries: it holds between 80 % and 100 % of `capacity` entries. Setting an entry again makes it
 * the youngest.
 *
 * Entries are kept in several maps by age, and the oldest map is dropped as a whole. Deleting single entries would make the
 * engine rebuild the hash table again and again.
 */
export class BoundedMap<Key, Value> {
  readonly #partSize: number;
  readonly #maxParts: number;
  /** The youngest first. */
  readonly #parts: Map<Key, Value>[] = [];

  /** @param capacity a whole number, or Infinity. */
  constructor(capacity: number) {
    this.#partSize = Math.max(1, Math.floor(capacity / PARTS));
    this.#maxParts = capacity === Number.POSITIVE_INFINITY ? 1 : Math.floor(capacity / this.#partSize);
  }

  get(key: Key): Value | undefined {
    for (const part of this.#parts) {
      const value = part.get(key);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  set(key: Key, value: Value): void {
    const [youngest] = this.#parts;
    if (youngest && (youngest.size < this.#partSize || youngest.has(key))) youngest.set(key, value);
    else this.#parts.unshift(new Map([[key, value]]));
    if (this.#parts.length > this.#maxParts) this.#parts.pop();
  }

  /** For rare use. */
  delete(key: Key): void {
    for (const part of this.#parts) part.delete(key);
  }
}
