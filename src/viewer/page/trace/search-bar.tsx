import { useRef } from 'preact/hooks';
import { formatCount, noun } from '../../../core/index.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { IconButton } from '../parts/buttons.tsx';
import type { BlockHits } from './use-hits.ts';
import type { Panes } from './use-reading.ts';
import { ROW_FILTERS, type RowFilter } from './visible-rows.ts';

interface Props {
  readonly text: string;
  readonly hits: Omit<BlockHits, 'ids'> & { readonly ids: readonly unknown[] };
  /** Index of the selected hit; -1 for none. */
  readonly at: number;
  readonly filters: ReadonlySet<RowFilter>;
  readonly panes: Panes;
  readonly onText: (text: string) => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly onFilters: (filters: ReadonlySet<RowFilter>) => void;
}

/** Searches the texts of blocks, and filters rows by kind. */
export function SearchBar({ text, hits, at, filters, panes, onText, onStep, onFilters }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({
    '/': { does: 'search in the trace', run: () => field.current?.focus() },
    n: { does: 'next hit', run: () => onStep(1) },
    N: { does: 'previous hit', run: () => onStep(-1) },
  });
  return (
    <search class="tr-search">
      <button type="button" aria-pressed={panes.outline} title="Outline: o" onClick={() => panes.toggle('outline')}>
        ☰<span class="tr-wide"> Outline</span>
      </button>
      <input
        ref={field}
        type="search"
        aria-label="Search in the trace"
        placeholder="Search in the trace  /"
        value={text}
        maxLength={1_024}
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
          if (event.key !== 'Escape') return;
          // Browsers clear a search field on Escape; the search stays.
          event.preventDefault();
          event.currentTarget.blur();
        }}
      />
      {text !== '' && (
        <span class="tr-count muted" role="status">
          {describeHits(hits, at)}
        </span>
      )}
      {text !== '' && (
        <>
          <IconButton label="Previous hit" shortcut="N" onClick={() => onStep(-1)}>
            ↑
          </IconButton>
          <IconButton label="Next hit" shortcut="n" onClick={() => onStep(1)}>
            ↓
          </IconButton>
        </>
      )}
      <fieldset class="tr-filters" aria-label="Only these">
        {ROW_FILTERS.map((filter) => (
          <button
            key={filter}
            type="button"
            aria-pressed={filters.has(filter)}
            onClick={() => onFilters(toggled(filters, filter))}
          >
            {filter}
          </button>
        ))}
      </fieldset>
      <span class="spring" />
      <button
        type="button"
        aria-pressed={panes.inspector}
        title="Inspector: i"
        onClick={() => panes.toggle('inspector')}
      >
        <span class="tr-wide">Inspector </span>◨
      </button>
    </search>
  );
}

function describeHits({ ids, isSearching, isTruncated, failure }: Props['hits'], at: number): string {
  if (failure) return `not searched: ${failure.message}`;
  const found = `${formatCount(ids.length)}${isTruncated ? ' or more' : ''}${isSearching ? ' …' : ''}`;
  if (ids.length === 0) return isSearching ? 'searching …' : 'no hit';
  return at < 0 ? `${found} ${noun(ids.length, 'hit')}` : `${formatCount(at + 1)} of ${found}`;
}

function toggled(filters: ReadonlySet<RowFilter>, filter: RowFilter): ReadonlySet<RowFilter> {
  const changed = new Set(filters);
  if (!changed.delete(filter)) changed.add(filter);
  return changed;
}
