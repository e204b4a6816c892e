interface Entry<Value> {
  readonly key: string;
  readonly value: Value;
  older: Entry<Value> | undefined;
  younger: Entry<Value> | undefined;
}

/**
 * A Map that has its oldest entry at hand. A Map alone would be asked for its first past the places of all that were
 * deleted lately.
 */
export class ByAge<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  #oldest: Entry<Value> | undefined;
  #youngest: Entry<Value> | undefined;

  get size(): number {
    return this.#entries.size;
  }

  get oldest(): Pick<Entry<Value>, 'key' | 'value'> | undefined {
    return this.#oldest;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Makes it the youngest. */
  set(key: string, value: Value): void {
    this.delete(key);
    const entry: Entry<Value> = { key, value, older: this.#youngest, younger: undefined };
    if (this.#youngest) this.#youngest.younger = entry;
    else this.#oldest = entry;
    this.#youngest = entry;
    this.#entries.set(key, entry);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    const { older, younger } = entry;
    if (older) older.younger = younger;
    else this.#oldest = younger;
    if (younger) younger.older = older;
    else this.#youngest = older;
    // What is gone must hold on to nothing that goes later.
    entry.older = undefined;
    entry.younger = undefined;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#oldest = undefined;
    this.#youngest = undefined;
  }
}
