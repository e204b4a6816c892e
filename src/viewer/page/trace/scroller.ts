import { estimateHeight, HEAD_PX, HeightCalibration, memoize } from './estimate.ts';
import { RowHeights } from './heights.ts';
import type { TranscriptRow } from './outline.ts';
import { indexOfRow } from './visible-rows.ts';

/** Distance above and below the view in which rows are drawn. */
const OVER_PX = 500;
/** Distance from the end that counts as the end. */
const END_PX = 24;

export interface RowRange {
  readonly from: number;
  /** Inclusive; less than `from` if there are no rows. */
  readonly to: number;
}

/** With each news all rows are looked at, and few of them are others. */
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
  /** Set if the anchor was jumped to, and was not merely visible. */
  #isAnchored = false;
  /** Set if the user scrolled to the end. A short list is visible as a whole without that. */
  #wentToEnd = false;
  #isStuck = false;

  get total(): number {
    return this.#heights.total;
  }

  get isAtEnd(): boolean {
    return this.top + this.#view >= this.total - END_PX;
  }

  /** Takes the rows to show. `mayStick` says that rows come by themselves: who has gone to the end stays there. */
  show(rows: readonly TranscriptRow[], isClosed: (row: TranscriptRow) => boolean, mayStick: boolean): void {
    this.#isStuck = mayStick && this.isAtEnd && this.#wentToEnd;
    this.rows = rows;
    this.#isClosed = isClosed;
    this.#build();
    this.#settle();
  }

  /** @returns whether it has changed. */
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

  /** Holds on to a row, so that it stands `offset` below the top. */
  anchorTo(index: number, offset: number): void {
    const row = this.rows[index];
    if (!row) return;
    this.#isAnchored = true;
    this.#wentToEnd = false;
    this.#isStuck = false;
    this.#anchor = { row, offset: -offset };
    this.#settle();
  }

  /** Holds a row so that its part from `from` to `to` px below its top is in view. @returns whether anything has moved. */
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

  /** Takes the real heights of rows that are drawn. @returns whether anything has moved. */
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
      from: this.#heights.indexAt(this.top - OVER_PX),
      to: this.#heights.indexAt(this.top + this.#view + OVER_PX),
    };
  }

  topOf(index: number): number {
    return this.#heights.offsetOf(index);
  }

  heightOf(index: number): number {
    return this.#heights.height(index);
  }

  /** Distance of a row below the top of the view; undefined if its beginning is not completely visible. */
  offsetOf(index: number): number | undefined {
    const offset = this.topOf(index) - this.top;
    const needed = Math.min(this.heightOf(index), this.#view / 2);
    return offset >= 0 && offset + needed <= this.#view ? offset : undefined;
  }

  /** Row at the top of the view, and the distance of its beginning above it. */
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

  /** Returns the first row whose beginning is visible, or the one that fills the view; for a gap, the row next to it. */
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
    if (this.#isClosed(row) || row.kind === 'heading') return HEAD_PX;
    return Math.max(1, this.#guess(row) + this.#calibration.correction(row));
  }

  #keyOf = (row: TranscriptRow): string => (this.#isClosed(row) ? `${row.id}-` : row.id);
}
