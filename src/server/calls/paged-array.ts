const PAGE = 256;

interface Page<Value> {
  readonly values: (Value | undefined)[];
  count: number;
}

/**
 * Sparse array for values by consecutive numbers, of which the oldest are deleted as new ones are set. A Map takes several
 * times as long, since the engine rebuilds its hash table again and again. A page is freed with its last value.
 *
 * Arrays start with one element: an empty one reserves 17 with its first value, and many never have a second one.
 */
export class PagedArray<Value> {
  readonly #pages: (Page<Value> | undefined)[] = [undefined];

  get(number: number): Value | undefined {
    return this.#pages[pageOf(number)]?.values[number % PAGE];
  }

  set(number: number, value: Value): void {
    let page = this.#pages[pageOf(number)];
    if (!page) {
      page = { values: [undefined], count: 0 };
      this.#pages[pageOf(number)] = page;
    }
    if (page.values[number % PAGE] === undefined) page.count++;
    page.values[number % PAGE] = value;
  }

  delete(number: number): void {
    const page = this.#pages[pageOf(number)];
    if (page?.values[number % PAGE] === undefined) return;
    page.values[number % PAGE] = undefined;
    page.count--;
    if (page.count === 0) this.#pages[pageOf(number)] = undefined;
  }

  forEach(visit: (value: Value) => void): void {
    for (const page of this.#pages) {
      for (const value of page?.values ?? []) if (value !== undefined) visit(value);
    }
  }

  clear(): void {
    this.#pages.length = 0;
  }
}

const pageOf = (number: number): number => Math.floor(number / PAGE);
