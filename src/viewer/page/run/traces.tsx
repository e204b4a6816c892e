import { useEffect, useState } from 'preact/hooks';
import type { RunStats, Trace, TraceList } from '../../../../generated/trace.ts';
import { formatCount, plural } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad } from '../api/use-loaded.ts';
import { usePagedList } from '../api/use-pages.ts';
import { formatShortCount } from '../parts/amounts.ts';
import { ErrorCard } from '../parts/failure-card.tsx';
import { LoadMore } from '../parts/more.tsx';
import { totalTokens } from '../parts/recorded.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { TraceTable } from '../parts/trace-table.tsx';
import { usePrevious } from '../parts/use-last.ts';
import { buildHref, type UrlQuery, useQuery } from '../shell/location.ts';
import { FilterBar } from './filter-bar.tsx';
import { readSortOrder, type TraceFilters } from './filters.ts';
import { addFilterChoices, type FilterChoices } from './tasks.ts';

const PAGE = 100;
const POLL_LIVE_MS = 2_000;
const POLL_MS = 15_000;
/** So many pages of 1,000 are read to count what a filter lets through. */
const COUNT_PAGES = 10;

interface Props {
  readonly stats: RunStats;
  readonly filters: TraceFilters;
  /** What was seen elsewhere on the page. */
  readonly known: FilterChoices;
  readonly isLive: boolean;
  readonly onChange: (changes: UrlQuery) => void;
}

/** The traces of a run that pass the filters. */
export function RunTraceList({ stats, filters, known, isLive, onChange }: Props) {
  const org = useOrganization();
  const sorting = readSortOrder(useQuery());
  const { run, trace_count } = stats.run;
  const [seen, setSeen] = useState(known);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const query = { run, ...filters, ...sorting };
  const { items, failure, isLoading, hasMore, loadMore, reload } = usePagedList(
    JSON.stringify(query),
    async (cursor, signal) => {
      const asked = { ...query, limit: PAGE, ...(cursor !== undefined && { cursor }) };
      const { traces, page } = await unwrapResponse(
        traceApi.listTraces({ params: { path: { org }, query: asked }, signal }),
      );
      setSeen((before) => addFilterChoices(before, traces));
      return { items: traces, page };
    },
    { everyMs: isLive ? POLL_LIVE_MS : POLL_MS },
  );
  const shown = usePrevious(items);
  const total = useTotal(filters, run, shown?.length ?? 0, hasMore, trace_count);
  useEffect(() => setSeen((before) => both(before, known)), [known]);
  return (
    <section class="run-section" aria-labelledby="run-traces">
      <h2 id="run-traces">Traces</h2>
      <FilterBar {...{ stats, filters, known: seen, onChange }} />
      {failure && !shown && <ErrorCard failure={failure} retry={reload} />}
      {!shown && !failure && <Skeleton lines={8} />}
      {shown && (
        <>
          <p class="run-line" aria-live="polite">
            {amount(shown.length, total, trace_count)}
            {tokens(shown)}
          </p>
          {shown.length > 0 && (
            <TraceTable
              traces={shown}
              sorting={sorting}
              onSort={({ sort, order }) => onChange({ sort, order })}
              {...{ chosen }}
              onChoose={setChosen}
            />
          )}
          {shown.length === 0 && <p class="none">No trace of this run passes all of these filters.</p>}
          {hasMore && (
            <LoadMore shown={`${formatCount(shown.length)} shown`} {...{ hasMore, isLoading }} onMore={loadMore} />
          )}
        </>
      )}
      {chosen.length > 0 && <Chosen chosen={chosen} onClear={() => setChosen([])} />}
    </section>
  );
}

const both = (one: FilterChoices, other: FilterChoices): FilterChoices => ({
  environments: new Set([...one.environments, ...other.environments]),
  splits: new Set([...one.splits, ...other.splits]),
  models: new Set([...one.models, ...other.models]),
  tags: new Set([...one.tags, ...other.tags]),
  tasks: new Map([...one.tasks, ...other.tasks]),
});

/** How many traces pass: known where all are shown or none is filtered, else counted in the background. */
function useTotal(filters: TraceFilters, run: string, shown: number, hasMore: boolean, ofRun: number): MatchCount {
  const org = useOrganization();
  const isFiltered = Object.keys(filters).length > 0;
  const subject = isFiltered && hasMore ? JSON.stringify({ run, ...filters, ofRun }) : undefined;
  const { data } = useLoad(subject, async (signal) => {
    let matching = 0;
    let cursor: string | undefined;
    for (let page = 0; page < COUNT_PAGES; page++) {
      const query = { run, ...filters, limit: 1_000, ...(cursor !== undefined && { cursor }) };
      const response: TraceList = await unwrapResponse(
        traceApi.listTraces({ params: { path: { org }, query }, signal }),
      );
      matching += response.traces.length;
      if (response.page.next_cursor === null) return { matching, isAll: true };
      cursor = response.page.next_cursor;
    }
    return { matching, isAll: false };
  });
  if (!hasMore) return { matching: shown, isAll: true };
  return isFiltered ? (data ?? { matching: shown, isAll: false }) : { matching: ofRun, isAll: true };
}

interface MatchCount {
  readonly matching: number;
  readonly isAll: boolean;
}

function amount(shown: number, { matching, isAll }: MatchCount, ofRun: number): string {
  const matched = `${isAll ? '' : 'more than '}${formatCount(matching)} of ${plural(ofRun, 'trace')}`;
  return shown < matching ? `${matched}, ${formatCount(shown)} shown` : matched;
}

function tokens(shown: readonly Trace[]): string {
  const total = totalTokens(shown);
  return total === undefined ? '' : `; those shown took ${formatShortCount(total)} tokens`;
}

/** What can be done with those that are ticked. */
function Chosen({ chosen, onClear }: { readonly chosen: readonly string[]; readonly onClear: () => void }) {
  const traces = chosen.join(',');
  return (
    <div class="run-chosen" role="status">
      <strong>{plural(chosen.length, 'trace')} chosen</strong>
      {chosen.length < 2 ? (
        <span>Choose another one to compare it with.</span>
      ) : (
        <>
          <a class="button run-compare" href={buildHref({ view: 'compare', traces })}>
            Compare
          </a>
          <a class="button" href={buildHref({ view: 'group', traces })}>
            Side by side
          </a>
        </>
      )}
      <span class="spring" />
      <button type="button" class="quiet" onClick={onClear}>
        Choose none
      </button>
    </div>
  );
}
