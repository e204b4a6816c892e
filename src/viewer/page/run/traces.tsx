import { useState } from 'preact/hooks';
import type { RunStats, Trace } from '../../../../generated/trace.ts';
import { formatCount, plural } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { buildHref, changeQuery, useQuery } from '../api/location.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { usePagedList } from '../api/use-load.ts';
import { Button, ButtonLink, QuietButton, Select } from '../parts/buttons.tsx';
import { usePrevious } from '../parts/hooks.ts';
import { LoadMore } from '../parts/list.tsx';
import { formatReward, formatShortCount } from '../parts/rewards.ts';
import { Loaded, lazy } from '../parts/states.tsx';
import { totalTokens } from '../parts/trace-info.ts';
import { TraceTable } from '../parts/trace-table.tsx';
import { FilterField } from '../search/query-filter.tsx';
import {
  type FilterChoices,
  NO_FILTERS,
  readSortOrder,
  type SeenTask,
  STATUSES,
  type TraceFilters,
} from './filters.ts';

const PAGE = 100;
const POLL_LIVE_MS = 2_000;
const POLL_MS = 15_000;

interface Props {
  readonly run: string;
  readonly filters: TraceFilters;
  /** Text of the filter field. */
  readonly text: string;
  /** Number of traces of the run. */
  readonly all: number;
  /** Number of those that match the filters; undefined while they are counted. */
  readonly matching: number | undefined;
  readonly isLive: boolean;
  readonly onSeen: (traces: readonly SeenTask[]) => void;
}

/** Lists the traces of a run that match the filters, without those that continue another one. */
export function RunTraceList({ run, filters, text, all, matching, isLive, onSeen }: Props) {
  const org = useOrganization();
  const sorting = readSortOrder(useQuery());
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const query = { run, has_parent: false, ...filters, ...sorting };
  const list = usePagedList(
    JSON.stringify(query),
    async (next, signal) => {
      const params = { path: { org }, query: { ...query, limit: PAGE, ...next } };
      const { traces, page } = await unwrapResponse(traceApi.listTraces({ params, signal }));
      onSeen(traces);
      return { items: traces, page };
    },
    { everyMs: isLive ? POLL_LIVE_MS : POLL_MS },
  );
  const traces = usePrevious(list.data);
  return (
    <section class="stack run-section" aria-labelledby="run-traces">
      <h2 id="run-traces">Traces</h2>
      <Loaded state={{ ...list, data: traces }} lines={8}>
        {(shown) => (
          <>
            <p class="line muted run-line" aria-live="polite">
              {describeCount(shown.length, list.hasMore ? matching : shown.length, all)}
              {describeTokens(shown)}
            </p>
            {shown.length > 0 ? (
              <TraceTable
                traces={shown}
                sorting={sorting}
                onSort={({ sort, order }) => changeQuery({ sort, order })}
                chosen={chosen}
                onChoose={setChosen}
              />
            ) : (
              <p class="none">
                No trace of this run matches all of these filters.{' '}
                {text !== '' && <a href={buildHref({ view: 'search', run, q: text })}>Search this run for “{text}”</a>}
              </p>
            )}
            {list.hasMore && <LoadMore list={list}>{formatCount(shown.length)} shown</LoadMore>}
          </>
        )}
      </Loaded>
      {chosen.length > 0 && <SelectionBar chosen={chosen} onChoose={setChosen} />}
    </section>
  );
}

function describeCount(shown: number, matching: number | undefined, all: number): string {
  const matched = `${matching === undefined ? 'more than ' : ''}${formatCount(matching ?? shown)} of ${plural(all, 'trace')}`;
  return shown < (matching ?? shown) ? `${matched}, ${formatCount(shown)} shown` : matched;
}

function describeTokens(shown: readonly Trace[]): string {
  const total = totalTokens(shown);
  return total === undefined ? '' : `; those shown used ${formatShortCount(total)} tokens`;
}

const ChangeTraces = lazy(
  () => import('../search/bulk-actions.tsx').then((it) => it.ChangeTraces),
  () => null,
);

interface SelectionBarProps {
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
}

/** Actions for the selected traces. */
function SelectionBar({ chosen, onChoose }: SelectionBarProps) {
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
          <ButtonLink href={buildHref({ view: 'group', traces })}>Side by side</ButtonLink>
        </>
      )}
      <span class="spring" />
      <ChangeTraces ids={chosen} onDeleted={(ids) => onChoose(chosen.filter((id) => !ids.has(id)))} />
      <QuietButton onClick={() => onChoose([])}>Clear selection</QuietButton>
    </div>
  );
}

interface FilterBarProps {
  readonly stats: RunStats;
  readonly filters: TraceFilters;
  readonly known: FilterChoices;
}

/** Filters of the traces; the address has their values. */
export function FilterBar({ stats, filters, known }: FilterBarProps) {
  const choice = (name: keyof TraceFilters, label: string, choices: Iterable<readonly [string, string]>) => (
    <Choice name={name} label={label} choices={choices} value={filters[name]} />
  );
  /** Offers the values that were seen if there are at least `min`. */
  const seen = (name: keyof FilterChoices, label: string, min: number) =>
    (known[name].size >= min || filters[name] !== undefined) && choice(name, label, known[name]);
  const statuses = STATUSES.map((status) => [status, status] as const);
  const steps = stats.steps.flatMap(({ step }) => (step === null ? [] : [[String(step), `step ${step}`] as const]));
  const { reward_min, reward_max } = filters;
  const bounds = [
    ...(reward_min === undefined ? [] : [`≥ ${formatReward(reward_min)}`]),
    ...(reward_max === undefined ? [] : [`≤ ${formatReward(reward_max)}`]),
  ];
  return (
    <form class="row run-filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <FilterField label="Name, id or query" />
      {choice('status', 'status', statuses)}
      {choice('has_error', 'failed calls', [
        ['true', 'with failed calls'],
        ['false', 'without failed calls'],
      ])}
      {choice('step', 'step', steps)}
      {seen('task_key', 'task', 1)}
      {seen('environment', 'environment', 2)}
      {seen('split', 'split', 2)}
      {seen('model', 'model', 2)}
      {seen('tag', 'tag', 1)}
      {filters.group_id !== undefined && choice('group_id', 'group', [])}
      {bounds.length > 0 && (
        <Button
          class="chosen run-chip"
          title="Remove this filter"
          onClick={() => changeQuery({ reward_min: undefined, reward_max: undefined })}
        >
          {`reward ${bounds.join(' ')} ✕`}
        </Button>
      )}
      {Object.keys(filters).length > 0 && (
        <QuietButton onClick={() => changeQuery(NO_FILTERS)}>Clear filters</QuietButton>
      )}
    </form>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly choices: Iterable<readonly [value: string, label: string]>;
  readonly value: string | number | boolean | undefined;
}

/** One filter; it also offers the value of the address. */
function Choice({ name, label, choices, value }: ChoiceProps) {
  const chosen = value === undefined ? '' : String(value);
  const options = new Map([...choices].sort(byLabel));
  if (chosen !== '' && !options.has(chosen)) options.set(chosen, chosen);
  return (
    <Select
      label={label}
      class={chosen === '' ? 'run-any' : 'chosen run-set'}
      value={chosen}
      options={[['', `any ${label}`], ...options]}
      onChoose={(each) => changeQuery({ [name]: each || undefined })}
    />
  );
}

const byLabel = ([, one]: readonly [string, string], [, other]: readonly [string, string]) =>
  one.localeCompare(other, 'en', { numeric: true });
