import type { BlockSkeleton } from '../../../../generated/trace.ts';
import { oneLine, plural, sum, truncate } from '../../../core/index.ts';
import { sumRewards } from '../parts/rewards.ts';
import { type Outline, rowBlock, rowId, type TranscriptRow } from './outline.ts';

/** Kinds of rows to filter by. */
export const ROW_FILTERS = ['messages', 'calls', 'results', 'thoughts', 'errors', 'rewards'] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];

const KIND_OF: Partial<Record<RowFilter, TranscriptRow['kind']>> = {
  messages: 'message',
  calls: 'call',
  results: 'results',
  thoughts: 'thought',
};

/** Returns whether a row matches any of the filters; agents, headings and gaps never do. */
export function matchesFilters(row: TranscriptRow, filters: ReadonlySet<RowFilter>): boolean {
  for (const filter of filters) {
    if (KIND_OF[filter] === row.kind) return true;
    if (filter === 'errors' && row.blocks.some((block) => block.is_error)) return true;
    if (filter === 'rewards' && row.blocks.some((block) => block.reward !== null)) return true;
  }
  return false;
}

interface RowVisibility {
  /** True if the row is collapsed to one line, without its children. */
  readonly isClosed: (row: TranscriptRow) => boolean;
  /** Filters to apply; empty for all rows. */
  readonly filters: ReadonlySet<RowFilter>;
}

/**
 * Returns the visible rows in order: a message, its thoughts and calls, below each call its results; orphans last.
 * Ranges that are not loaded yet are gaps, whatever the filters.
 */
export function visibleRows(outline: Outline, { isClosed, filters }: RowVisibility): TranscriptRow[] {
  const shown: TranscriptRow[] = [];
  const isAll = filters.size === 0;
  let before: TranscriptRow | undefined;
  const addGap = (after: TranscriptRow | undefined) => {
    const gap = outline.gapBetween(before, after);
    if (gap) shown.push(gap);
    before = after;
  };
  const add = (row: TranscriptRow): void => {
    if (row.kind === 'message') addGap(row);
    if (isAll || matchesFilters(row, filters)) shown.push(row);
    // A filter shows the matching rows inside collapsed ones too.
    if (isAll && isClosed(row)) return;
    for (const child of row.children) add(child);
  };
  for (const message of outline.messages) add(message);
  addGap(undefined);
  if (outline.orphans) add(outline.orphans);
  return shown;
}

/** Parses the filters of an address, such as `errors,rewards`; unknown ones are ignored. */
export const parseRowFilters = (text: string | null): ReadonlySet<RowFilter> =>
  new Set(ROW_FILTERS.filter((filter) => text?.split(',').includes(filter)));

/** Returns the index of a row or, if it is hidden, of its nearest visible ancestor; -1 for none. */
export function indexOfRow(rows: readonly TranscriptRow[], row: TranscriptRow | undefined): number {
  for (let at = row; at; at = at.parent) {
    const index = rows.indexOf(at);
    if (index >= 0) return index;
  }
  return -1;
}

/** Returns the next row in a direction that has blocks, or is an agent, and matches. */
export function nextRow(
  rows: readonly TranscriptRow[],
  from: number,
  by: 1 | -1,
  isWanted = (_row: TranscriptRow, _index: number) => true,
): TranscriptRow | undefined {
  for (let index = from + by; index >= 0 && index < rows.length; index += by) {
    const row = rows[index];
    if (row && rowId(row) && isWanted(row, index)) return row;
  }
  return undefined;
}

const messageOf = (row: TranscriptRow | undefined): TranscriptRow | undefined =>
  row?.parent && row.kind !== 'message' ? messageOf(row.parent) : row;

/** Returns whether a row is the first visible one of its message: the message itself, unless a filter hides it. */
export const beginsMessage = (rows: readonly TranscriptRow[], index: number): boolean =>
  messageOf(rows[index]) !== messageOf(rows[index - 1]);

/**
 * Returns the position from which to step in a direction: that of a row or of its nearest visible ancestor. If a filter
 * hides both, that between the visible rows before and after it.
 */
export function stepOrigin(rows: readonly TranscriptRow[], row: TranscriptRow, by: 1 | -1, outline: Outline): number {
  const index = indexOfRow(rows, row);
  if (index >= 0) return index;
  const all = visibleRows(outline, { isClosed: () => false, filters: new Set() });
  const positions = new Map(all.map((each, position) => [each, position]));
  const own = positions.get(row) ?? 0;
  const next = rows.findIndex((each) => (positions.get(each) ?? 0) > own);
  const end = next < 0 ? rows.length : next;
  return by === 1 ? end - 1 : end;
}

/** Returns the milliseconds from a call to its last result; undefined for other rows, and without a result. */
export function callDuration({ kind, blocks: [call], children: [results] }: TranscriptRow): number | undefined {
  const last = results?.blocks.at(-1);
  if (kind !== 'call' || !call || !last) return undefined;
  return Math.max(0, Date.parse(last.created_at) - Date.parse(call.created_at));
}

/** Returns the query parameters with invalid values: `only` without any known kind. */
export const unknownTraceParams = (query: URLSearchParams): readonly string[] =>
  query.get('only') && parseRowFilters(query.get('only')).size === 0 ? ['only'] : [];

/** Returns the label of a row. */
export function rowLabel(row: TranscriptRow): string {
  if (row.label) return row.label;
  const block = rowBlock(row);
  if (row.kind === 'message') return block.role ?? 'message';
  if (row.kind === 'call') return block.name ?? 'call';
  if (row.kind === 'thought') return 'thought';
  return row.blocks.length > 1 ? `result in ${row.blocks.length} pieces` : 'result';
}

/** Returns the blocks of a row; of an agent, those of all rows below it. */
export const blocksOf = ({ blocks, inner = blocks }: TranscriptRow): readonly BlockSkeleton[] => inner;

export const rowHasError = (row: TranscriptRow): boolean => blocksOf(row).some((block) => block.is_error);

/** Returns the sum of a row's rewards; null if it has none. */
export function rowReward(row: TranscriptRow): number | null {
  return sumRewards(blocksOf(row).map(({ reward }) => reward));
}

export const rowBytes = (row: TranscriptRow): number => sum(blocksOf(row).map((block) => block.bytes));

/** Returns the beginning of a row's text on one line; of an agent, after the numbers of its blocks and calls. */
export function rowPreview(row: TranscriptRow): string {
  const { inner, blocks } = row;
  const calls = inner?.filter(({ name }) => name !== null).length ?? 0;
  const text = inner
    ? `${plural(inner.length, 'block')}, ${plural(calls, 'call')}: ${rowBlock(row).preview}`
    : blocks
        .slice(0, 3)
        .map(({ preview }) => preview)
        .join('');
  return truncate(oneLine(text), 160);
}

/** Formats the time since the beginning of the trace: `+1.2 s`, `+3:07`, `+2:05:09`. */
export function sinceStart(at: string, start: string): string {
  const seconds = Math.max(0, Date.parse(at) - Date.parse(start)) / 1_000;
  if (seconds < 60) return `+${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  const parts = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60), Math.floor(seconds % 60)];
  const [first, ...rest] = parts[0] === 0 ? parts.slice(1) : parts;
  return `+${first}:${rest.map((part) => String(part).padStart(2, '0')).join(':')}`;
}
