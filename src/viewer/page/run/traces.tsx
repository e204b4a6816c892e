import { useEffect, useState } from 'preact/hooks';
import type { RunStats, Trace } from '../../../../generated/trace.ts';
import { formatCount, plural } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { buildHref, type UrlQuery, useQuery } from '../api/location.ts';
import { readPages, traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad, usePagedList } from '../api/use-load.ts';
import { usePrevious } from '../parts/hooks.ts';
import { Loaded, LoadMore } from '../parts/list.tsx';
import { formatReward, formatShortCount } from '../parts/rewards.ts';
import { totalTokens } from '../parts/trace-info.ts';
import { formatTaskName, TraceTable } from '../parts/trace-table.tsx';
import {
  addFilterChoices,
  type FilterChoices,
  NO_FILTERS,
  readSortOrder,
  STATUSES,
  type TraceFilters,
} from './filters.ts';

const PAGE = 100;
const POLL_LIVE_MS = 2_000;
const POLL_MS = 15_000;
/** Number of pages of 1,000 that are read to count the matching traces. */
const COUNT_PAGES = 10;

interface Props {
  readonly stats: RunStats;
  readonly filters: TraceFilters;
  /** Values that other sections have seen. */
  readonly known: FilterChoices;
  readonly isLive: boolean;
  readonly onChange: (changes: UrlQuery) => void;
}

/** Lists the traces of a run that match the filters. */
export function RunTraceList({ stats, filters, known, isLive, onChange }: Props) {
  const org = useOrganization();
  const sorting = readSortOrder(useQuery());
  const { run, trace_count } = stats.run;
  const [seen, setSeen] = useState(known);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const query = { run, ...filters, ...sorting };
  const list = usePagedList(
    JSON.stringify(query),
    async (cursor, signal) => {
      const asked = { ...query, limit: PAGE, ...(cursor !== undefined && { cursor }) };
      const page = await unwrapResponse(traceApi.listTraces({ params: { path: { org }, query: asked }, signal }));
      setSeen((before) => addFilterChoices(before, page.traces));
      return { items: page.traces, page: page.page };
    },
    { everyMs: isLive ? POLL_LIVE_MS : POLL_MS },
  );
  const traces = usePrevious(list.data);
  const total = useTotal(filters, run, traces?.length ?? 0, list.hasMore, trace_count);
  useEffect(() => setSeen((before) => mergeChoices(before, known)), [known]);
  return (
    <section class="stack run-section" aria-labelledby="run-traces">
      <h2 id="run-traces">Traces</h2>
      <FilterBar stats={stats} filters={filters} known={seen} onChange={onChange} />
      <Loaded state={{ ...list, data: traces }} lines={8}>
        {(shown) => (
          <>
            <p class="run-line muted" aria-live="polite">
              {describeCount(shown.length, total, trace_count)}
              {describeTokens(shown)}
            </p>
            {shown.length > 0 ? (
              <TraceTable
                traces={shown}
                sorting={sorting}
                onSort={({ sort, order }) => onChange({ sort, order })}
                chosen={chosen}
                onChoose={setChosen}
              />
            ) : (
              <p class="none">No trace of this run matches all of these filters.</p>
            )}
            {list.hasMore && <LoadMore list={list}>{formatCount(shown.length)} shown</LoadMore>}
          </>
        )}
      </Loaded>
      {chosen.length > 0 && <SelectionBar chosen={chosen} onClear={() => setChosen([])} />}
    </section>
  );
}

const mergeChoices = (one: FilterChoices, other: FilterChoices): FilterChoices => ({
  environments: new Set([...one.environments, ...other.environments]),
  splits: new Set([...one.splits, ...other.splits]),
  models: new Set([...one.models, ...other.models]),
  tags: new Set([...one.tags, ...other.tags]),
  tasks: new Map([...one.tasks, ...other.tasks]),
});

/** Counts the matching traces: known if all are shown or nothing is filtered, otherwise counted in the background. */
function useTotal(filters: TraceFilters, run: string, shown: number, hasMore: boolean, ofRun: number): MatchCount {
  const org = useOrganization();
  const isFiltered = Object.keys(filters).length > 0;
  const subject = isFiltered && hasMore ? JSON.stringify({ run, ...filters, ofRun }) : undefined;
  const { data } = useLoad(subject, async (signal) => {
    let matching = 0;
    let isAll = false;
    const pages = readPages((cursor) => {
      const params = { path: { org }, query: { run, ...filters, limit: 1_000, ...cursor } };
      return unwrapResponse(traceApi.listTraces({ params, signal }));
    }, COUNT_PAGES);
    for await (const { traces, page } of pages) {
      matching += traces.length;
      isAll = page.next_cursor === null;
    }
    return { matching, isAll };
  });
  if (!hasMore) return { matching: shown, isAll: true };
  return isFiltered ? (data ?? { matching: shown, isAll: false }) : { matching: ofRun, isAll: true };
}

interface MatchCount {
  readonly matching: number;
  readonly isAll: boolean;
}

function describeCount(shown: number, { matching, isAll }: MatchCount, ofRun: number): string {
  const matched = `${isAll ? '' : 'more than '}${formatCount(matching)} of ${plural(ofRun, 'trace')}`;
  return shown < matching ? `${matched}, ${formatCount(shown)} shown` : matched;
}

function describeTokens(shown: readonly Trace[]): string {
  const total = totalTokens(shown);
  return total === undefined ? '' : `; those shown used ${formatShortCount(total)} tokens`;
}

/** Actions for the selected traces. */
function SelectionBar({ chosen, onClear }: { readonly chosen: readonly string[]; readonly onClear: () => void }) {
  const traces = chosen.join(',');
  return (
    <div class="row raised run-chosen" role="status">
      <strong>{plural(chosen.length, 'trace')} selected</strong>
      {chosen.length < 2 ? (
        <span>Select another one to compare.</span>
      ) : (
        <>
          <a class="button primary run-compare" href={buildHref({ view: 'compare', traces })}>
            Compare
          </a>
          <a class="button" href={buildHref({ view: 'group', traces })}>
            Side by side
          </a>
        </>
      )}
      <span class="spring" />
      <button type="button" class="quiet" onClick={onClear}>
        Clear selection
      </button>
    </div>
  );
}

interface FilterBarProps {
  readonly stats: RunStats;
  readonly filters: TraceFilters;
  readonly known: FilterChoices;
  readonly onChange: (changes: UrlQuery) => void;
}

type Choices = Iterable<readonly [string, string]>;

/** Filters of the traces; the address has their values. */
export function FilterBar({ stats, filters, known, onChange }: FilterBarProps) {
  const same = (values: Iterable<string>): Choices => [...values].sort().map((value) => [value, value] as const);
  const choice = (name: keyof TraceFilters, label: string, choices: Choices) => (
    <Choice name={name} label={label} choices={choices} onChange={onChange} value={filters[name]} />
  );
  const steps = stats.steps.flatMap(({ step }) => (step === null ? [] : [String(step)]));
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <form class="row run-filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        aria-label="Name or id"
        placeholder="Name or id"
        value={filters.q ?? ''}
        onInput={(event) => onChange({ q: event.currentTarget.value || undefined })}
      />
      {choice('status', 'status', same(STATUSES))}
      {choice('has_error', 'failed calls', [
        ['true', 'with failed calls'],
        ['false', 'without failed calls'],
      ])}
      {choice('step', 'step', stepChoices(steps))}
      {known.tasks.size > 0 && choice('task_key', 'task', taskChoices(known.tasks).toSorted(byName))}
      {isSelectable(known.environments, filters.environment) &&
        choice('environment', 'environment', same(known.environments))}
      {isSelectable(known.splits, filters.split) && choice('split', 'split', same(known.splits))}
      {isSelectable(known.models, filters.model) && choice('model', 'model', same(known.models))}
      {(known.tags.size > 0 || filters.tag !== undefined) && choice('tag', 'tag', same(known.tags))}
      {filters.group_id !== undefined && choice('group_id', 'group', [])}
      {(filters.reward_min !== undefined || filters.reward_max !== undefined) && (
        <button
          type="button"
          class="run-chip"
          title="Remove this filter"
          onClick={() => onChange({ reward_min: undefined, reward_max: undefined })}
        >
          {`reward ${filters.reward_min === undefined ? '' : `≥ ${formatReward(filters.reward_min)} `}${filters.reward_max === undefined ? '' : `≤ ${formatReward(filters.reward_max)}`} ✕`}
        </button>
      )}
      {isFiltered && (
        <button type="button" class="quiet" onClick={() => onChange(NO_FILTERS)}>
          Clear filters
        </button>
      )}
    </form>
  );
}

const isSelectable = (values: ReadonlySet<string>, chosen: string | undefined) =>
  values.size > 1 || chosen !== undefined;

const stepChoices = (numbers: readonly string[]): Choices =>
  numbers.toSorted((one, other) => Number(one) - Number(other)).map((step) => [step, `step ${step}`] as const);

const taskChoices = (tasks: FilterChoices['tasks']) =>
  Array.from(tasks, ([key, task]) => [key, formatTaskName(task)] as const);

const byName = ([, one]: readonly [string, string], [, other]: readonly [string, string]) =>
  one.localeCompare(other, 'en', { numeric: true });

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly choices: Choices;
  readonly value: string | number | boolean | undefined;
  readonly onChange: (changes: UrlQuery) => void;
}

/** One filter; it also offers the value of the address. */
function Choice({ name, label, choices, value, onChange }: ChoiceProps) {
  const all = new Map(choices);
  const chosen = value === undefined ? '' : String(value);
  if (chosen !== '' && !all.has(chosen)) all.set(chosen, chosen);
  return (
    <select
      aria-label={label}
      class={chosen === '' ? 'run-any' : 'run-set'}
      value={chosen}
      onChange={(event) => onChange({ [name]: event.currentTarget.value || undefined })}
    >
      <option value="">{`any ${label}`}</option>
      {[...all].map(([each, shown]) => (
        <option key={each} value={each}>
          {shown}
        </option>
      ))}
    </select>
  );
}
