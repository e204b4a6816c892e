const PAGE = 256;

interface Page<Value> {
  readonly values: (Value | undefined)[];
  count: number;
}

/**
 * Values by numbers that are issued one after the other. A Map would take several times as long for each, since it would
 * be arranged anew again and again where the oldest leave as the youngest come. A page goes with the last of its values;
 * its place stays. Arrays begin with one place, since empty ones make room for 17 with the first value, and many never
 * have a second one.
 */
export class Numbered<Value> {
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
