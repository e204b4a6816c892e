/**
 * Maximum height of an element, in px. Browsers cut off elements of more than 17 million px (Firefox) or 33 million px
 * (Chrome), at a higher zoom even smaller ones, and what is cut off cannot be reached.
 */
export const MAX_HEIGHT_PX = 8_000_000;
/** Distance from both ends within which an element scrolls like its list. */
const EDGE_PX = 1_000_000;
/** A longer scroll moves the scroll bar itself: by a drag, or to an end. */
const JUMP_PX = 4_000;
/** Maximum difference between the scroll position and the place in the list, outside of the edges. */
const DRIFT_PX = 100_000;

/**
 * Scroll position of an element that shows a list of any height. Up to `MAX_HEIGHT_PX`, it is that of the list. Above, the
 * element is lower than its list: the scroll bar moves over the whole list, but wheel and keys move as far as usual.
 */
export class ScrollScale {
  #total = 0;
  #view = 0;
  #top = 0;
  #scrollTop = 0;

  /** Height of the element. */
  get height(): number {
    return Math.min(this.#total, MAX_HEIGHT_PX);
  }

  /** Scroll position of the element. */
  get scrollTop(): number {
    return this.#scrollTop;
  }

  /** Offset of the visible part in the list. */
  get top(): number {
    return this.#top;
  }

  /** Distance from an offset in the list to its place in the element; rows move when it changes. */
  get shift(): number {
    return this.#scrollTop - this.#top;
  }

  /**
   * Sets the sizes and the visible part of the list.
   *
   * @param total height of the list.
   * @param view height of the visible part.
   * @param top offset of the visible part in the list.
   */
  place(total: number, view: number, top: number): void {
    this.#total = total;
    this.#view = view;
    this.#top = top;
    this.#settle();
  }

  /** Follows a scroll of the element by the user. @returns the offset of the visible part in the list. */
  follow(scrollTop: number): number {
    const moved = scrollTop - this.#scrollTop;
    const isJump = !this.#isScaled || Math.abs(moved) > JUMP_PX;
    const last = this.#total - this.#view;
    this.#top = isJump ? this.#toList(scrollTop) : Math.max(0, Math.min(last, this.#top + moved));
    this.#scrollTop = scrollTop;
    this.#settle();
    return this.#top;
  }

  get #isScaled(): boolean {
    return this.#total > MAX_HEIGHT_PX;
  }

  #settle(): void {
    const exact = this.#toElement(this.#top);
    const isAtEdge = this.#top < EDGE_PX || this.#top > this.#total - this.#view - EDGE_PX;
    const drift = this.#isScaled && !isAtEdge ? DRIFT_PX : 0;
    if (Math.abs(exact - this.#scrollTop) > drift) this.#scrollTop = exact;
  }

  /** Returns the scroll position for an offset in the list. */
  #toElement(top: number): number {
    return rescale(top, this.#total - this.#view, this.height - this.#view);
  }

  /** Inverse of `#toElement`. */
  #toList(scrollTop: number): number {
    return rescale(scrollTop, this.height - this.#view, this.#total - this.#view);
  }
}

/** Maps a range that begins at 0 to another one, linear between the edges, which keep their size. */
function rescale(value: number, from: number, to: number): number {
  if (from === to || value <= EDGE_PX) return value;
  if (value >= from - EDGE_PX) return to - (from - value);
  return EDGE_PX + ((value - EDGE_PX) * (to - 2 * EDGE_PX)) / (from - 2 * EDGE_PX);
}
