import type { Outline, TranscriptRow } from './outline.ts';

/** What can be looked at alone. */
export const ROW_FILTERS = ['messages', 'calls', 'results', 'thoughts', 'errors', 'rewards'] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];

const KIND_OF: Partial<Record<RowFilter, TranscriptRow['kind']>> = {
  messages: 'message',
  calls: 'call',
  results: 'results',
  thoughts: 'thought',
};

/** Whether a row is of one of these; a heading and a gap never are. */
export function matchesFilters(row: TranscriptRow, filters: ReadonlySet<RowFilter>): boolean {
  for (const filter of filters) {
    if (KIND_OF[filter] === row.kind) return true;
    if (filter === 'errors' && row.blocks.some((block) => block.is_error)) return true;
    if (filter === 'rewards' && row.blocks.some((block) => block.reward !== null)) return true;
  }
  return false;
}

export interface RowVisibility {
  /** Rows that are shown as one line, and what is under them not at all. */
  readonly isClosed: (row: TranscriptRow) => boolean;
  /** Only these; all where there are none. */
  readonly filters: ReadonlySet<RowFilter>;
}

/**
 * The rows that are shown, in order: a message, its thoughts and calls, under each call its results; orphans last. Where blocks
 * are not read yet, a gap says so, whatever is looked at alone.
 */
export function visibleRows(outline: Outline, { isClosed, filters }: RowVisibility): TranscriptRow[] {
  const shown: TranscriptRow[] = [];
  const isAll = filters.size === 0;
  const add = (row: TranscriptRow): void => {
    if (isAll || matchesFilters(row, filters)) shown.push(row);
    // Who asks for some kinds wants to see all of them.
    if (isAll && isClosed(row)) return;
    for (const child of row.children) add(child);
  };
  let before: TranscriptRow | undefined;
  const addGap = (after: TranscriptRow | undefined) => {
    const gap = outline.gapBetween(before, after);
    if (gap) shown.push(gap);
  };
  for (const message of outline.messages) {
    addGap(message);
    add(message);
    before = message;
  }
  addGap(undefined);
  if (outline.orphans) add(outline.orphans);
  return shown;
}

/** The filters that an address names, such as `errors,rewards`; what is none is left out. */
export const parseRowFilters = (text: string | null): ReadonlySet<RowFilter> =>
  new Set(ROW_FILTERS.filter((filter) => text?.split(',').includes(filter)));

/** Where a row stands; where it is not shown, the nearest shown one that it hangs under. -1 for none. */
export function indexOfRow(rows: readonly TranscriptRow[], row: TranscriptRow | undefined): number {
  for (let at = row; at; at = at.parent) {
    const index = rows.indexOf(at);
    if (index >= 0) return index;
  }
  return -1;
}

/** The row to go to from a place: `by` rows further, or to the next one that is wanted, which has blocks. */
export function nextRow(
  rows: readonly TranscriptRow[],
  from: number,
  by: 1 | -1,
  isWanted = (_: TranscriptRow) => true,
): TranscriptRow | undefined {
  for (let index = from + by; index >= 0 && index < rows.length; index += by) {
    const row = rows[index];
    if (row && row.blocks.length > 0 && isWanted(row)) return row;
  }
  return undefined;
}
