import { estimateHeight, HEAD_PX, HeightCalibration, memoize } from './estimate.ts';
import type { TranscriptRow } from './outline.ts';
import { indexOfRow } from './visible-rows.ts';

/** Distance above and below the view in which rows are rendered. */
const OVERSCAN_PX = 500;
/** Distance from the end that counts as the end. */
const END_PX = 24;

interface RowRange {
  readonly from: number;
  /** Inclusive; less than `from` without rows. */
  readonly to: number;
}

/** Cached, because every update estimates all rows, and few of them change. */
const guessesAt = (width: number) => memoize((row) => estimateHeight(row, width));

/**
 * Positions of the rows of a virtual list. Heights are estimated until they are measured; the visible rows keep their
 * position when rows above them are measured, added or removed.
 */
export class VirtualScroller {
  rows: readonly TranscriptRow[] = [];
  top = 0;
  #view = 0;
  #width = 0;
  #heights = new RowHeights(new Float64Array());
  #measured = new Map<string, number>();
  #calibration = new HeightCalibration();
  #guess = guessesAt(0);
  #isClosed: (row: TranscriptRow) => boolean = () => false;
  #anchor: { readonly row: TranscriptRow; readonly offset: number } | undefined;
  /** Set if the anchor is the target of a jump, not just the first visible row. */
  #isAnchored = false;
  /** Set if the user scrolled to the end; a short list is at its end without scrolling. */
  #wentToEnd = false;
  #isStuck = false;

  get total(): number {
    return this.#heights.total;
  }

  get isAtEnd(): boolean {
    return this.top + this.#view >= this.total - END_PX;
  }

  /** Sets the rows. With `mayStick`, a view at the end stays there when rows are added. */
  show(rows: readonly TranscriptRow[], isClosed: (row: TranscriptRow) => boolean, mayStick: boolean): void {
    this.#isStuck = mayStick && this.isAtEnd && this.#wentToEnd;
    this.rows = rows;
    this.#isClosed = isClosed;
    this.#build();
    this.#settle();
  }

  /**
   * Sets the size of the view.
   *
   * @returns true if it has changed.
   */
  resize(width: number, view: number): boolean {
    if (width === this.#width && view === this.#view) return false;
    this.#view = view;
    if (width !== this.#width) {
      this.#width = width;
      this.#measured = new Map();
      this.#calibration = new HeightCalibration();
      this.#guess = guessesAt(width);
    }
    this.#build();
    this.#settle();
    return true;
  }

  /** Follows a scroll by the user. */
  scrolled(top: number): void {
    this.top = top;
    this.#isAnchored = false;
    this.#wentToEnd = this.isAtEnd;
    this.#isStuck = false;
    this.#anchor = this.#anchorAt(top);
  }

  /** Anchors a row `offset` px below the top. */
  anchorTo(index: number, offset: number): void {
    const row = this.rows[index];
    if (!row) return;
    this.#isAnchored = true;
    this.#wentToEnd = false;
    this.#isStuck = false;
    this.#anchor = { row, offset: -offset };
    this.#settle();
  }

  /**
   * Scrolls the part of a row from `from` to `to` px below its top into view.
   *
   * @returns true if anything has moved.
   */
  reveal(index: number, from: number, to: number): boolean {
    const offset = this.topOf(index) - this.top;
    if (offset + from >= 0 && offset + to <= this.#view) return false;
    this.anchorTo(index, this.#view / 3 - from);
    return true;
  }

  toEnd(): void {
    this.#isAnchored = false;
    this.#wentToEnd = true;
    this.#isStuck = true;
    this.#settle();
    this.#anchor = this.#anchorAt(this.top);
  }

  /**
   * Sets the measured heights of rendered rows.
   *
   * @returns true if anything has moved.
   */
  measure(heights: ReadonlyMap<number, number>): boolean {
    let isChanged = false;
    let isRelearned = false;
    for (const [index, height] of heights) {
      const row = this.rows[index];
      if (!row) continue;
      const key = this.#keyOf(row);
      if (!this.#measured.has(key) && !this.#isClosed(row)) {
        isRelearned = this.#calibration.learn(row, this.#guess(row), height) || isRelearned;
      }
      this.#measured.set(key, height);
      if (this.#heights.height(index) === height) continue;
      this.#heights.set(index, height);
      isChanged = true;
    }
    if (isRelearned) this.#build();
    if (isChanged || isRelearned) this.#settle();
    return isChanged || isRelearned;
  }

  range(): RowRange {
    if (this.rows.length === 0) return { from: 0, to: -1 };
    return {
      from: this.#heights.indexAt(this.top - OVERSCAN_PX),
      to: this.#heights.indexAt(this.top + this.#view + OVERSCAN_PX),
    };
  }

  topOf(index: number): number {
    return this.#heights.offsetOf(index);
  }

  heightOf(index: number): number {
    return this.#heights.height(index);
  }

  /** Returns the distance of a row below the top of the view; undefined if its beginning is not completely visible. */
  offsetOf(index: number): number | undefined {
    const offset = this.topOf(index) - this.top;
    const needed = Math.min(this.heightOf(index), this.#view / 2);
    return offset >= 0 && offset + needed <= this.#view ? offset : undefined;
  }

  /** Returns the row at the top of the view, and the distance of its beginning above it. */
  get anchor(): { readonly row: TranscriptRow; readonly offset: number } | undefined {
    return this.#isAnchored ? this.#anchorAt(this.top) : this.#anchor;
  }

  get viewHeight(): number {
    return this.#view;
  }

  #settle(): void {
    const last = Math.max(0, this.total - this.#view);
    if (this.#isStuck) {
      this.top = last;
      return;
    }
    const index = indexOfRow(this.rows, this.#anchor?.row);
    if (index < 0) {
      this.top = Math.min(this.top, last);
      return;
    }
    const isItself = this.rows[index] === this.#anchor?.row;
    this.top = Math.max(0, Math.min(last, this.topOf(index) + (isItself ? (this.#anchor?.offset ?? 0) : 0)));
  }

  /**
   * Returns the first row whose beginning is visible, or the one that fills the view; for a gap, the row next to it.
   */
  #anchorAt(top: number): { row: TranscriptRow; offset: number } | undefined {
    let index = this.#heights.indexAt(top);
    const isGap = (at: number) => this.rows[at]?.kind === 'gap';
    if (isGap(index)) index += index + 1 < this.rows.length ? 1 : -1;
    else if (this.topOf(index) < top && this.topOf(index + 1) < top + this.#view) {
      if (index + 1 < this.rows.length && !isGap(index + 1)) index++;
    }
    const row = this.rows[index];
    return row && { row, offset: top - this.topOf(index) };
  }

  #build(): void {
    const sizes = new Float64Array(this.rows.length);
    for (let index = 0; index < this.rows.length; index++) {
      const row = this.rows[index] as TranscriptRow;
      sizes[index] = this.#measured.get(this.#keyOf(row)) ?? this.#expected(row);
    }
    this.#heights = new RowHeights(sizes);
  }

  #expected(row: TranscriptRow): number {
    // The rows before and after a gap are never visible together, and each of them can be at the top.
    if (row.kind === 'gap') return this.#view;
    if (this.#isClosed(row)) return HEAD_PX;
    return Math.max(1, this.#guess(row) + this.#calibration.correction(row));
  }

  #keyOf = (row: TranscriptRow): string => (this.#isClosed(row) ? `${row.id}-` : row.id);
}

/** Offsets of rows of different heights. Finding a row and changing a height take logarithmic time. */
export class RowHeights {
  readonly #sizes: Float64Array;
  /** Fenwick tree: node i holds the sum of the `i & -i` heights that end at row i - 1. */
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

  /** Returns the offset of a row; for the number of rows, the total height. */
  offsetOf(index: number): number {
    let sum = 0;
    for (let node = Math.min(index, this.length); node > 0; node -= node & -node) sum += this.#sum(node);
    return sum;
  }

  /** Returns the row at an offset; the last one beyond the end. */
  indexAt(offset: number): number {
    let index = 0;
    let rest = offset;
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
