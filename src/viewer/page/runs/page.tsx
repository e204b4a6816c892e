import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Run } from '../../../../generated/trace.ts';
import { appendAll, formatCount, plural } from '../../../core/index.ts';
import { SERVER_FEATURES, useOrganization } from '../api/access.ts';
import { buildHref, changeQuery, navigate, textParams, useQuery, withQuery } from '../api/location.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { EXAMPLE_BLOCK, logCommands, readPages, SERVER_URL, traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad } from '../api/use-load.ts';
import { Button, QuietButton, Select, Snippet } from '../parts/buttons.tsx';
import { usePrevious } from '../parts/hooks.ts';
import { ListPage, LoadMore, Table, tickColumn } from '../parts/list.tsx';
import { lazy } from '../parts/states.tsx';
import { TraceTable } from '../parts/trace-table.tsx';
import type { QueryFilter } from '../search/query.ts';
import { FilterField, useQueryFilter } from '../search/query-filter.tsx';
import { readColumns, readRunOrder, sortRuns, toTableColumns } from './columns.tsx';
import { ColumnsDialog, ViewsDialog } from './views.tsx';
import './runs.css';

/** Fast for an empty store, so that the first trace appears at once. */
const POLL_EMPTY_MS = 700;
const POLL_MS = 4_000;

/** Number of runs that are loaded first and polled; the others follow in larger pages. */
const FIRST = 100;
const NEXT = 1_000;
/** Maximum number of pages after the first one. */
const MAX_PAGES = 20;
/** Number of rows to show at a time. */
const SHOWN = 100;
const MAX_COMPARED = 8;

/** Lists all runs in a table that can be sorted, filtered and saved as a view. */
export function RunsPage() {
  const query = useQuery();
  const q = query.get('q') ?? '';
  const filter = useQueryFilter(q);
  const list = useRuns(filter, Number(query.get('pass') || 1));
  const filters = readFilters(query);
  document.title = 'Runs – ors';
  return (
    <ListPage
      title="Runs"
      noun="run"
      state={{ ...list, data: usePrevious(list.data) }}
      lines={8}
      isPolled
      search={<FilterField label="Name or query of runs" />}
    >
      {(runs) => (
        <>
          {runs.length > 0 && (
            <RunTable
              runs={runs}
              isLoadingMore={list.isLoadingMore}
              isAll={list.isAll}
              search={filter?.query}
              onChanged={list.reload}
            />
          )}
          {runs.length === 0 && q !== '' && (
            <p class="none">
              <a href={buildHref({ view: 'search', q })}>Search all traces for “{q}”</a>
            </p>
          )}
          {q === '' && Object.keys(filters).length === 0 && (
            <LatestTraces orElse={runs.length === 0 ? <EmptyRuns /> : null} />
          )}
        </>
      )}
    </ListPage>
  );
}

interface OtherRuns {
  /** Subject of the list that they belong to. */
  readonly of: string | undefined;
  readonly runs: readonly Run[];
  readonly isAll: boolean;
  readonly isLoading: boolean;
}

/** Loads the runs that changed last, then all others in the background; polls the first ones. */
function useRuns(filter: QueryFilter | undefined, pass: number) {
  const org = useOrganization();
  const [isEmpty, setEmpty] = useState(true);
  const subject = filter && JSON.stringify(['runs', org, filter, pass]);
  const read = async (position: { readonly limit: number; readonly cursor?: string }, signal: AbortSignal) => {
    const query = { ...position, details: true, ...(Number.isFinite(pass) && { pass }), ...filter };
    return await unwrapResponse(traceApi.listRuns({ params: { path: { org }, query }, signal }));
  };
  const first = useLoad(subject, (signal) => read({ limit: FIRST }, signal), {
    everyMs: isEmpty ? POLL_EMPTY_MS : POLL_MS,
  });
  useEffect(() => setEmpty((first.data?.runs.length ?? 0) === 0), [first.data]);
  const [others, setOthers] = useState<OtherRuns>();
  const [round, setRound] = useState(0);
  const isLoaded = first.data !== undefined;
  useEffect(() => {
    const cursor = first.data?.page.next_cursor ?? null;
    if (cursor === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    const load = async () => {
      const runs: Run[] = [];
      const show = (isLoading: boolean, isAll: boolean) => {
        if (!signal.aborted) setOthers({ of: subject, runs: [...runs], isLoading, isAll });
      };
      show(true, false);
      let isAll = false;
      try {
        for await (const page of readPages((next) => read({ limit: NEXT, cursor, ...next }, signal), MAX_PAGES)) {
          appendAll(runs, page.runs);
          isAll = page.page.next_cursor === null;
          show(!isAll, isAll);
        }
      } finally {
        show(false, isAll);
      }
    };
    // The first page shows what is wrong with the server.
    load().catch(() => {});
    return () => controller.abort();
  }, [subject, isLoaded, round]);
  const rest = others?.of === subject ? others : undefined;
  const data = useMemo(() => {
    if (!first.data) return undefined;
    const byName = new Map((rest?.runs ?? []).map((run) => [run.run, run]));
    // Those that were polled are newer.
    for (const run of first.data.runs) byName.delete(run.run);
    return [...first.data.runs, ...byName.values()];
  }, [first.data, rest]);
  const hasOthers = (first.data?.page.next_cursor ?? null) !== null;
  const reload = () => {
    first.reload();
    setRound(round + 1);
  };
  const isAll = !hasOthers || (rest?.isAll ?? false);
  return { ...first, data, reload, isLoadingMore: rest?.isLoading ?? false, isAll };
}

const FILTERS = ['environment', 'model', 'tag'] as const;

interface RunTableProps {
  readonly runs: readonly Run[];
  readonly isLoadingMore: boolean;
  /** Set if all runs are loaded. */
  readonly isAll: boolean;
  /** Query whose traces the numbers are of; undefined for all traces. */
  readonly search: string | undefined;
  /** Called after traces of the runs have changed. */
  readonly onChanged: () => void;
}

function RunTable({ runs, isLoadingMore, isAll, search, onChanged }: RunTableProps) {
  const query = useQuery();
  const [limit, setLimit] = useState(SHOWN);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const filters = readFilters(query);
  const sorting = readRunOrder(query);
  const key = JSON.stringify([filters, sorting]);
  const sorted = useMemo(
    () =>
      sortRuns(
        runs.filter((run) => matchesFilters(run, filters)),
        sorting,
      ),
    [runs, key],
  );
  const columns = toTableColumns(readColumns(query, runs), search);
  return (
    <>
      <Toolbar runs={runs} />
      <Table
        class="runs"
        columns={[tickColumn(({ run }: Run) => run, chosen, setChosen), ...columns]}
        rows={sorted.slice(0, limit)}
        keyOf={({ run }) => run}
        sorting={sorting}
        onSort={({ sort, order }) => changeQuery({ sort, order })}
      />
      <LoadMore list={{ hasMore: limit < sorted.length, loadMore: () => setLimit(limit + 5 * SHOWN) }}>
        <span role="status">
          {describeRuns(sorted.length, runs.length, isLoadingMore, isAll)}
          {search !== undefined && '; their numbers are those of the traces that match'}
        </span>
      </LoadMore>
      {chosen.length > 0 && <SelectionBar chosen={chosen} onClear={() => setChosen([])} onChanged={onChanged} />}
    </>
  );
}

function describeRuns(shown: number, loaded: number, isLoadingMore: boolean, isAll: boolean): string {
  const all = shown === loaded ? plural(loaded, 'run') : `${formatCount(shown)} of ${plural(loaded, 'run')}`;
  if (isLoadingMore) return `${all}, loading more …`;
  return isAll ? all : `${all}; search to find older ones`;
}

const matchesFilters = ({ details }: Run, { environment, model, tag }: ReturnType<typeof readFilters>): boolean =>
  (environment === undefined || details?.environments.includes(environment) === true) &&
  (model === undefined || details?.models.includes(model) === true) &&
  (tag === undefined || details?.tags.includes(tag) === true);

const readFilters = (query: URLSearchParams) => textParams(query, FILTERS);

/** Filters of the table, its columns and saved views. */
function Toolbar({ runs }: { readonly runs: readonly Run[] }) {
  const query = useQuery();
  const [open, setOpen] = useState<'columns' | 'views'>();
  const names = useMemo(
    () => ({
      environment: namesIn(runs, 'environments'),
      model: namesIn(runs, 'models'),
      tag: namesIn(runs, 'tags'),
    }),
    [runs],
  );
  const choice = (filter: (typeof FILTERS)[number], min: number) => {
    const value = query.get(filter) ?? '';
    const options = names[filter];
    if (options.length < min && value === '') return null;
    const listed = value === '' || options.includes(value) ? options : [value, ...options];
    return (
      <Select
        label={filter}
        class={value === '' ? 'muted' : 'chosen'}
        value={value}
        options={[['', `any ${filter}`], ...listed.map((each) => [each, each] as const)]}
        onChoose={(each) => changeQuery({ [filter]: each || undefined })}
      />
    );
  };
  return (
    <div class="row runs-bar">
      {choice('environment', 2)}
      {choice('model', 2)}
      {choice('tag', 1)}
      <span class="spring" />
      <Button onClick={() => setOpen('columns')}>Columns …</Button>
      <Button onClick={() => setOpen('views')}>Views …</Button>
      {open === 'columns' && <ColumnsDialog runs={runs} onClose={() => setOpen(undefined)} />}
      {open === 'views' && <ViewsDialog onClose={() => setOpen(undefined)} />}
    </div>
  );
}

const namesIn = (runs: readonly Run[], field: 'environments' | 'models' | 'tags'): readonly string[] =>
  [...new Set(runs.flatMap(({ details }) => details?.[field] ?? []))].sort();

const ChangeRuns = lazy(
  () => import('../search/bulk-actions.tsx').then((it) => it.ChangeRuns),
  () => null,
);

interface SelectionBarProps extends Pick<RunTableProps, 'onChanged'> {
  readonly chosen: readonly string[];
  readonly onClear: () => void;
}

/** Actions for the selected runs. */
function SelectionBar({ chosen, onClear, onChanged }: SelectionBarProps) {
  const canCompare = chosen.length >= 2 && chosen.length <= MAX_COMPARED;
  const link = buildHref({ view: 'compare-runs', runs: chosen.map(encodeURIComponent).join(',') });
  useShortcuts({ c: { description: 'compare the selected runs', run: () => canCompare && navigate(link) } });
  return (
    <div class="row raised runs-chosen" role="status">
      <strong>{plural(chosen.length, 'run')} selected</strong>
      {canCompare ? (
        <a class="button primary runs-compare" href={link}>
          Compare
        </a>
      ) : (
        <span>{chosen.length < 2 ? 'Select another one to compare.' : `Compare at most ${MAX_COMPARED} runs.`}</span>
      )}
      <span class="spring" />
      <ChangeRuns runs={chosen} onChanged={onChanged} onDeleted={onClear} />
      <QuietButton onClick={onClear}>Clear selection</QuietButton>
    </div>
  );
}

const LATEST_POLL_MS = 1_000;

/** Traces of checks and single calls, which would hide the others. */
const WITHOUT_CALLS = '-tag:=conformance -tag:=by-hand';

/** Lists the newest traces of all runs and of none; those of checks, single calls and continuations only on request. */
function LatestTraces({ orElse }: { readonly orElse: ComponentChildren }) {
  const org = useOrganization();
  const isAll = useQuery().get('latest') === 'all';
  const query = { limit: 20, ...(!isAll && { query: WITHOUT_CALLS, has_parent: false }) };
  const { data } = useLoad(
    JSON.stringify(['latest', query]),
    (signal) => unwrapResponse(traceApi.listTraces({ params: { path: { org }, query }, signal })),
    { everyMs: LATEST_POLL_MS },
  );
  if (!data) return null;
  const other = (
    <p class="muted latest-calls">
      <a href={withQuery({ latest: isAll ? undefined : 'all' })}>
        {isAll
          ? 'Hide conformance, hand calls and continuations'
          : 'Show conformance, hand calls and continuations, too'}
      </a>
    </p>
  );
  if (data.traces.length === 0) {
    return (
      <>
        {orElse}
        {other}
      </>
    );
  }
  return (
    <section class="stack">
      <h2>Latest traces</h2>
      <TraceTable traces={data.traces} />
      {other}
    </section>
  );
}

const script = () => `import { createTraceClient } from 'ors-kit/trace';
await using traces = createTraceClient({ url: '${SERVER_URL}' });
await traces.createTrace({ run: 'first-run' }).logMessage({ role: 'user', content: 'hello' });`;

/** Explains how to log the first trace, which then appears automatically. */
function EmptyRuns() {
  const commands = logCommands(useOrganization(), [
    ['/traces', '{"id": "tr_first", "run": "first-run"}'],
    ['/traces/tr_first/blocks', EXAMPLE_BLOCK],
  ]);
  return (
    <section class="card notice">
      <h2>No traces yet</h2>
      <p>A trace is the log of one agent run. Log the first one from a terminal; it appears here automatically.</p>
      <Snippet code={commands} />
      <p>From TypeScript:</p>
      <Snippet code={script()} />
      <p>
        Scripts that log to OpenReward need one variable: <code>OPENREWARD_API_URL={SERVER_URL}</code>
      </p>
      {SERVER_FEATURES.environments && (
        <p>
          Or <a href={buildHref({ view: 'environments' })}>play an environment of this server</a>: every episode becomes
          a trace.
        </p>
      )}
    </section>
  );
}
