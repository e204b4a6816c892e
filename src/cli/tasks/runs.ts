/** Tasks that follow each other: from this index on, so many. */
export interface IndexRange {
  readonly index: number;
  readonly count: number;
}

/** Tasks that moved together: from this index on, so many. */
export interface MovedRange {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Indexes in order, as runs without gaps. */
export function toIndexRanges(indexes: readonly number[]): IndexRange[] {
  return toMovedRanges(indexes.map((index) => ({ from: index, to: index }))).map(({ from, count }) => ({
    index: from,
    count,
  }));
}

/** Moves in order, as runs in which each is one place after the last. */
export function toMovedRanges(moves: readonly { readonly from: number; readonly to: number }[]): MovedRange[] {
  const runs: { from: number; to: number; count: number }[] = [];
  for (const { from, to } of moves) {
    const last = runs.at(-1);
    if (last && from === last.from + last.count && to === last.to + last.count) last.count += 1;
    else runs.push({ from, to, count: 1 });
  }
  return runs;
}
