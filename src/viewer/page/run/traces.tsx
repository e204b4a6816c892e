import { useEffect, useState } from 'preact/hooks';
import type { RunStats, Trace, TraceList } from '../../../../generated/trace.ts';
import { formatCount, plural } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { answerOf, api } from '../api/store.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { usePages } from '../api/use-pages.ts';
import { shortCount } from '../parts/amounts.ts';
import { FailureCard } from '../parts/failure-card.tsx';
import { More } from '../parts/more.tsx';
import { tokensOf } from '../parts/recorded.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { TraceTable } from '../parts/trace-table.tsx';
import { useLast } from '../parts/use-last.ts';
import { href, type Query, useQuery } from '../shell/location.ts';
import { FilterBar } from './filter-bar.tsx';
import { type Filters, sortingOf } from './filters.ts';
import { type Known, noteTasks } from './tasks.ts';

const PAGE = 100;
const POLL_LIVE_MS = 2_000;
const POLL_MS = 15_000;
/** So many pages of 1,000 are read to count what a filter lets through. */
const COUNT_PAGES = 10;

interface Props {
  readonly stats: RunStats;
  readonly filters: Filters;
  /** What was seen elsewhere on the page. */
  readonly known: Known;
  readonly isLive: boolean;
  readonly onChange: (changes: Query) => void;
}

/** The traces of a run that pass the filters. */
export function Traces({ stats, filters, known, isLive, onChange }: Props) {
  const org = useOrganization();
  const sorting = sortingOf(useQuery());
  const { run, trace_count } = stats.run;
  const [seen, setSeen] = useState(known);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const query = { run, ...filters, ...sorting };
  const { items, failure, isLoading, hasMore, more, reload } = usePages(
    JSON.stringify(query),
    async (cursor, signal) => {
      const asked = { ...query, limit: PAGE, ...(cursor !== undefined && { cursor }) };
      const { traces, page } = await answerOf(api.listTraces({ params: { path: { org }, query: asked }, signal }));
      setSeen((before) => noteTasks(before, traces));
      return { items: traces, page };
    },
    { everyMs: isLive ? POLL_LIVE_MS : POLL_MS },
  );
  const shown = useLast(items);
  const total = useTotal(filters, run, shown?.length ?? 0, hasMore, trace_count);
  useEffect(() => setSeen((before) => both(before, known)), [known]);
  return (
    <section class="run-section" aria-labelledby="run-traces">
      <h2 id="run-traces">Traces</h2>
      <FilterBar {...{ stats, filters, known: seen, onChange }} />
      {failure && !shown && <FailureCard failure={failure} retry={reload} />}
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
          {hasMore && <More shown={`${formatCount(shown.length)} shown`} {...{ hasMore, isLoading }} onMore={more} />}
        </>
      )}
      {chosen.length > 0 && <Chosen chosen={chosen} onClear={() => setChosen([])} />}
    </section>
  );
}

const both = (one: Known, other: Known): Known => ({
  environments: new Set([...one.environments, ...other.environments]),
  splits: new Set([...one.splits, ...other.splits]),
  models: new Set([...one.models, ...other.models]),
  tags: new Set([...one.tags, ...other.tags]),
  tasks: new Map([...one.tasks, ...other.tasks]),
});

/** How many traces pass: known where all are shown or none is filtered, else counted in the background. */
function useTotal(filters: Filters, run: string, shown: number, hasMore: boolean, ofRun: number): Total {
  const org = useOrganization();
  const isFiltered = Object.keys(filters).length > 0;
  const subject = isFiltered && hasMore ? JSON.stringify({ run, ...filters, ofRun }) : undefined;
  const { data } = useLoaded(subject, async (signal) => {
    let matching = 0;
    let cursor: string | undefined;
    for (let page = 0; page < COUNT_PAGES; page++) {
      const query = { run, ...filters, limit: 1_000, ...(cursor !== undefined && { cursor }) };
      const answer: TraceList = await answerOf(api.listTraces({ params: { path: { org }, query }, signal }));
      matching += answer.traces.length;
      if (answer.page.next_cursor === null) return { matching, isAll: true };
      cursor = answer.page.next_cursor;
    }
    return { matching, isAll: false };
  });
  if (!hasMore) return { matching: shown, isAll: true };
  return isFiltered ? (data ?? { matching: shown, isAll: false }) : { matching: ofRun, isAll: true };
}

interface Total {
  readonly matching: number;
  readonly isAll: boolean;
}

function amount(shown: number, { matching, isAll }: Total, ofRun: number): string {
  const matched = `${isAll ? '' : 'more than '}${formatCount(matching)} of ${plural(ofRun, 'trace')}`;
  return shown < matching ? `${matched}, ${formatCount(shown)} shown` : matched;
}

function tokens(shown: readonly Trace[]): string {
  const total = tokensOf(shown);
  return total === undefined ? '' : `; those shown took ${shortCount(total)} tokens`;
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
          <a class="button run-compare" href={href({ view: 'compare', traces })}>
            Compare
          </a>
          <a class="button" href={href({ view: 'group', traces })}>
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
