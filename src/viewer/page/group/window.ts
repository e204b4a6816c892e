interface ScrollWindow {
  /** How far it is scrolled, in pixels. */
  readonly at: number;
  /** How much is in sight, in pixels. */
  readonly size: number;
  /** Height or width of one item. */
  readonly each: number;
  readonly count: number;
  /** Items beyond what is in sight, at both ends. */
  readonly spare: number;
}

/** Which items of equal size are in sight: from the first up to, and without, the last. */
export function visibleRange({ at, size, each, count, spare }: ScrollWindow): {
  readonly from: number;
  readonly to: number;
} {
  const within = (place: number) => Math.max(0, Math.min(count, place));
  const from = within(Math.floor(at / each) - spare);
  return { from, to: Math.max(from, within(Math.ceil((at + size) / each) + spare)) };
}
