import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Run } from '../../../../generated/trace.ts';
import { formatBytes, formatCount, plural, sum } from '../../../core/index.ts';
import { SERVER_FEATURES, useOrganization } from '../api/access.ts';
import { buildHref, useQuery, withQuery } from '../api/location.ts';
import { EXAMPLE_BLOCK, logCommands, SERVER_URL, traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad, usePagedList } from '../api/use-load.ts';
import { formatStatusCounts, RelativeTime } from '../parts/badges.tsx';
import { Snippet } from '../parts/buttons.tsx';
import { type Column, ListPage, LoadMore, Table } from '../parts/list.tsx';
import { formatDecimal, formatRange } from '../parts/rewards.ts';
import { RunLink } from '../parts/trace-links.tsx';
import { TraceTable } from '../parts/trace-table.tsx';
import './runs.css';

/** Fast for an empty store, so that the first trace appears at once. */
const POLL_EMPTY_MS = 700;
const POLL_MS = 4_000;

/** Lists all runs, most recently changed first. */
export function RunsPage() {
  const org = useOrganization();
  const q = useQuery().get('q') ?? '';
  const [isEmpty, setEmpty] = useState(true);
  const list = usePagedList(
    `runs ${q}`,
    async (next, signal) => {
      const query = { limit: 100, ...(q !== '' && { q }), ...next };
      const { runs, page } = await unwrapResponse(traceApi.listRuns({ params: { path: { org }, query }, signal }));
      setEmpty(runs.length === 0);
      return { items: runs, page };
    },
    { everyMs: isEmpty ? POLL_EMPTY_MS : POLL_MS },
  );
  document.title = 'Runs – ors';
  return (
    <ListPage title="Runs" noun="run" state={list} lines={8} isPolled>
      {(runs) => (
        <>
          {runs.length > 0 && (
            <>
              <Table class="runs" columns={COLUMNS} rows={runs} keyOf={({ run }) => run} />
              <LoadMore list={list}>{plural(runs.length, 'run')}</LoadMore>
            </>
          )}
          {q === '' && <LatestTraces orElse={runs.length === 0 ? <EmptyRuns /> : null} />}
        </>
      )}
    </ListPage>
  );
}

const COLUMNS: readonly Column<Run>[] = [
  { label: 'Run', class: 'name', cell: ({ run }) => <RunLink run={run} /> },
  { label: 'Traces', class: 'number', cell: (run) => formatCount(run.trace_count) },
  { label: 'Status', class: 'wide', cell: (run) => <Progress run={run} /> },
  { label: 'Mean reward', class: 'number strong', cell: ({ reward }) => formatDecimal(reward.mean) },
  { label: '± std', class: 'number wide', cell: ({ reward }) => formatDecimal(reward.std) },
  { label: 'Range', class: 'number widest', cell: ({ reward }) => formatRange(reward, 2) },
  {
    label: 'With errors',
    class: 'number wide',
    cell: ({ error_count, trace_count }) => (error_count === 0 ? '–' : share(error_count, trace_count)),
  },
  { label: 'Blocks', class: 'number widest', cell: (run) => formatCount(run.block_count) },
  { label: 'Size', class: 'number wide', cell: (run) => formatBytes(run.bytes) },
  { label: 'Changed', class: 'wide', cell: (run) => <RelativeTime at={run.last_updated_at} /> },
];

const share = (part: number, whole: number) => `${formatCount(part)} (${((100 * part) / whole).toFixed(0)} %)`;

const FILLS = {
  finished: 'var(--accent)',
  error: 'var(--bad)',
  abandoned: 'var(--faint)',
  running: 'var(--accent-soft)',
};

/** Bar of the finished and failed traces of a run. */
function Progress({ run: { status, trace_count } }: { readonly run: Run }) {
  const parts = (Object.keys(FILLS) as (keyof typeof FILLS)[]).filter((name) => status[name] > 0);
  const words = formatStatusCounts(status, parts);
  return (
    <svg class="progress" viewBox={`0 0 ${trace_count} 1`} preserveAspectRatio="none" role="img" aria-label={words}>
      <title>{words}</title>
      {parts.map((name, index) => (
        <rect
          key={name}
          fill={FILLS[name]}
          x={sum(parts.slice(0, index).map((before) => status[before]))}
          y={0}
          width={status[name]}
          height={1}
        />
      ))}
    </svg>
  );
}

const LATEST_POLL_MS = 1_000;

/** Traces of checks and single calls, which would hide the others. */
const WITHOUT_CALLS = '-tag:=conformance -tag:=by-hand';

/** Lists the newest traces of all runs and of none; those of checks and single calls only on request. */
function LatestTraces({ orElse }: { readonly orElse: ComponentChildren }) {
  const org = useOrganization();
  const isAll = useQuery().get('latest') === 'all';
  const query = { limit: 20, ...(!isAll && { query: WITHOUT_CALLS }) };
  const { data } = useLoad(
    JSON.stringify(['latest', query]),
    (signal) => unwrapResponse(traceApi.listTraces({ params: { path: { org }, query }, signal })),
    { everyMs: LATEST_POLL_MS },
  );
  if (!data) return null;
  const other = (
    <p class="muted latest-calls">
      <a href={withQuery({ latest: isAll ? undefined : 'all' })}>
        {isAll ? 'Hide conformance and hand calls' : 'Show conformance and hand calls, too'}
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
