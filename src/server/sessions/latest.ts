/** So many parts there are at least, where there are as many entries. */
const PARTS = 8;

/**
 * What was set last, by key: at most so many, and four fifths of that at least; what is set twice may count as two. The
 * oldest go together, with one Map of several: where they left a Map one by one, as others come, it would be arranged
 * anew again and again.
 */
export class Latest<Value extends object> {
  readonly #partSize: number;
  readonly #mostParts: number;
  /** The youngest first. */
  readonly #parts: Map<string, Value>[] = [];

  /** @param most a whole number, or Infinity. */
  constructor(most: number) {
    this.#partSize = Math.max(1, Math.floor(most / PARTS));
    this.#mostParts = most === Infinity ? 1 : Math.floor(most / this.#partSize);
  }

  get(key: string): Value | undefined {
    for (const part of this.#parts) {
      const value = part.get(key);
      if (value) return value;
    }
    return undefined;
  }

  /** Makes it the youngest. */
  set(key: string, value: Value): void {
    const [youngest] = this.#parts;
    if (youngest && youngest.size < this.#partSize) youngest.set(key, value);
    else this.#parts.unshift(new Map([[key, value]]));
    if (this.#parts.length > this.#mostParts) this.#parts.pop();
  }
}
