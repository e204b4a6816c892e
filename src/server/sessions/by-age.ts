import { Chain, type Link } from '../chain.ts';

interface Entry<Value> extends Link<Entry<Value>> {
  readonly key: string;
  readonly value: Value;
}

/** A Map that has its oldest entry at hand. */
export class ByAge<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #chain = new Chain<Entry<Value>>();

  get size(): number {
    return this.#entries.size;
  }

  get oldest(): Pick<Entry<Value>, 'key' | 'value'> | undefined {
    return this.#chain.oldest;
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
    const entry: Entry<Value> = { key, value, older: undefined, younger: undefined };
    this.#chain.add(entry);
    this.#entries.set(key, entry);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#chain.remove(entry);
    this.#entries.delete(key);
  }
}
