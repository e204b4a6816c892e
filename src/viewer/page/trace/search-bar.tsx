import { useRef } from 'preact/hooks';
import { formatCount, noun } from '../../../core/index.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { Button, IconButton } from '../parts/buttons.tsx';
import type { Reading } from './use-reading.ts';
import { ROW_FILTERS, type RowFilter } from './visible-rows.ts';

/** Searches the texts of blocks, and filters rows by kind. */
export function SearchBar({ search, panes }: Pick<Reading, 'search' | 'panes'>) {
  const { text, hits, at, filters, onText, onStep, onFilters } = search;
  const field = useRef<HTMLInputElement>(null);
  const focusField = () => {
    field.current?.focus();
    field.current?.select();
  };
  useShortcuts({
    '/': { description: 'search in the trace', run: focusField },
    n: { description: 'next hit', run: () => onStep(1) },
    N: { description: 'previous hit', run: () => onStep(-1) },
  });
  return (
    <search class="tr-search">
      <Button aria-pressed={panes.outline} title="Outline: o" onClick={() => panes.toggle('outline')}>
        ☰<span class="tr-wide"> Outline</span>
      </Button>
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
          // Makes the keys of the transcript work again.
          document.querySelector<HTMLElement>('.tr-scroll')?.focus();
        }}
      />
      {text !== '' && (
        <>
          <span class="tr-count muted" role="status">
            {describeHits(hits, at)}
          </span>
          <IconButton icon="↑" label="Previous hit" shortcut="N" onClick={() => onStep(-1)} />
          <IconButton icon="↓" label="Next hit" shortcut="n" onClick={() => onStep(1)} />
        </>
      )}
      <fieldset class="tr-filters" aria-label="Only these">
        {ROW_FILTERS.map((filter) => (
          <Button key={filter} aria-pressed={filters.has(filter)} onClick={() => onFilters(toggled(filters, filter))}>
            {filter}
          </Button>
        ))}
      </fieldset>
      <span class="spring" />
      <Button aria-pressed={panes.inspector} title="Inspector: i" onClick={() => panes.toggle('inspector')}>
        <span class="tr-wide">Inspector </span>◨
      </Button>
    </search>
  );
}

function describeHits({ ids, isSearching, isTruncated, failure }: Reading['search']['hits'], at: number): string {
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
