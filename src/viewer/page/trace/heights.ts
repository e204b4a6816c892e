/**
 * Where each of many rows of different heights begins: finding a place and changing a height take time in proportion to
 * the logarithm of their number.
 */
export class RowHeights {
  readonly #sizes: Float64Array;
  /** A Fenwick tree: node i holds the sum of the `i & -i` heights that end at row i - 1. */
  readonly #sums: Float64Array;

  constructor(sizes: Float64Array) {
    const { length } = sizes;
    this.#sizes = sizes;
    this.#sums = new Float64Array(length + 1);
    for (let index = 1; index <= length; index++) {
      this.#sums[index] = this.#sum(index) + (sizes[index - 1] ?? 0);
      const above = index + (index & -index);
      if (above <= length) this.#sums[above] = this.#sum(above) + this.#sum(index);
    }
  }

  get length(): number {
    return this.#sizes.length;
  }

  get total(): number {
    return this.offsetOf(this.length);
  }

  height(index: number): number {
    return this.#sizes[index] ?? 0;
  }

  /** How far from the beginning a row stands; for the number of all rows, how high all are together. */
  offsetOf(index: number): number {
    let sum = 0;
    for (let node = Math.min(index, this.length); node > 0; node -= node & -node) sum += this.#sum(node);
    return sum;
  }

  /** The row at a place; the last one for all places after it. */
  indexAt(place: number): number {
    let index = 0;
    let rest = place;
    for (let step = highestBit(this.length); step > 0; step >>= 1) {
      const next = index + step;
      if (next > this.length || this.#sum(next) > rest) continue;
      index = next;
      rest -= this.#sum(next);
    }
    return Math.max(0, Math.min(index, this.length - 1));
  }

  set(index: number, height: number): void {
    if (index < 0 || index >= this.length) return;
    const change = height - this.height(index);
    this.#sizes[index] = height;
    for (let node = index + 1; node <= this.length; node += node & -node) this.#sums[node] = this.#sum(node) + change;
  }

  #sum(node: number): number {
    return this.#sums[node] ?? 0;
  }
}

const highestBit = (value: number): number => (value === 0 ? 0 : 2 ** Math.floor(Math.log2(value)));
