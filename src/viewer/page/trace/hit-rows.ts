import type { BlockId } from '../../../../generated/trace.ts';
import type { Outline, TranscriptRow } from './outline.ts';
import { matchesFilters, type RowFilter, visibleRows } from './visible-rows.ts';

/** The rows of blocks that were found, each once, in the order in which they are shown, if the filters let them be. */
export function hitRows(outline: Outline, ids: readonly BlockId[], filters: ReadonlySet<RowFilter>): TranscriptRow[] {
  if (ids.length === 0) return [];
  const found = new Set(ids.flatMap((id) => outline.rowOf(id) ?? []));
  const all = visibleRows(outline, { isClosed: () => false, filters: new Set() });
  return all.filter((row) => found.has(row) && (filters.size === 0 || matchesFilters(row, filters)));
}
