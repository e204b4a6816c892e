import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Run, RunStats } from '../../../../generated/trace.ts';
import { formatBytes, formatCount, plural } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { buildHref, useQuery } from '../api/location.ts';
import { RequestError } from '../api/request-error.ts';
import { readPages, traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad } from '../api/use-load.ts';
import { Facts, formatStatusCounts, RelativeTime } from '../parts/badges.tsx';
import { formatDecimal, rewardStandardError } from '../parts/rewards.ts';
import { ErrorCard, IgnoredParams, Loaded, lazy, Skeleton } from '../parts/states.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { useQueryFilter } from '../search/query-filter.tsx';
import { mergeEqualBins } from './bins.ts';
import { ExportLinks, RunScores } from './exports.tsx';
import {
  addFilterChoices,
  NO_CHOICES,
  readTraceFilters,
  type SeenTask,
  type TraceFilters,
  unknownFilterParams,
} from './filters.ts';
import { RunGroups } from './groups.tsx';
import { RewardHistogram } from './histogram.tsx';
import { RewardSteps } from './reward-chart.tsx';
import { FilterBar, RunTraceList } from './traces.tsx';
import './run.css';

const MetricCharts = lazy(() => import('./metrics.tsx').then((module) => module.MetricCharts));
const RunEvaluation = lazy(() => import('./metrics.tsx').then((module) => module.RunEvaluation));

const POLL_LIVE_MS = 2_000;
const POLL_MS = 10_000;
/** Above this number of traces, live updates are slower: the groups alone have hundreds of kilobytes. */
const MANY_TRACES = 2_000;

/** Shows a run: its rewards by step, its groups and its traces. */
export function RunPage() {
  const org = useOrganization();
  const run = useQuery().get('run') ?? '';
  const [everyMs, setEveryMs] = useState(POLL_LIVE_MS);
  const stats = useLoad(run || undefined, (signal) => loadStats(org, run, signal), { everyMs });
  const isLive = (stats.data?.run.status.running ?? 0) > 0;
  const isFast = isLive && (stats.data?.run.trace_count ?? 0) <= MANY_TRACES;
  useEffect(() => setEveryMs(isFast ? POLL_LIVE_MS : POLL_MS), [isFast]);
  document.title = `${run} – ors`;
  if (run === '') return <ErrorCard failure={new RequestError('missing', 0, 'the address names no run')} />;
  return (
    <Loaded state={stats} lines={12} isPolled>
      {(data) => <RunView key={run} stats={data} isLive={isLive} />}
    </Loaded>
  );
}

interface RunViewProps {
  readonly stats: RunStats;
  readonly isLive: boolean;
}

function RunView(props: RunViewProps) {
  const query = useQuery();
  const { q = '', ...others } = readTraceFilters(query);
  const named = useQueryFilter(q);
  if (!named) return <Skeleton lines={12} />;
  return <FilteredRun {...props} filters={{ ...others, ...named }} text={q} />;
}

interface FilteredRunProps extends RunViewProps {
  readonly filters: TraceFilters;
  /** Text of the filter field. */
  readonly text: string;
}

function FilteredRun({ stats, isLive, filters, text }: FilteredRunProps) {
  const query = useQuery();
  const [known, setKnown] = useState(NO_CHOICES);
  const [isListed, setListed] = useState(false);
  const onSeen = (seen: readonly SeenTask[]) => {
    setListed(true);
    setKnown((before) => addFilterChoices(before, seen));
  };
  const { run } = stats;
  const { reward_min, reward_max, step, ...others } = filters;
  // The charts show all rewards and steps, and mark those that are selected.
  const charted = useFilteredStats(stats, others);
  const matching = useFilteredStats(stats, filters);
  const shown = matching.stats?.run ?? NO_TRACES;
  const isTraining = stats.steps.filter((each) => each.step !== null).length > 1;
  return (
    <>
      <header class="row">
        <h1>
          <VisibleText text={run.run} />
        </h1>
        {isLive && <span class="pill live">live</span>}
        <span class="spring" />
        {filters.query !== undefined && (
          <a href={buildHref({ view: 'runs', q: filters.query })}>All runs with such traces</a>
        )}
        <a href={buildHref({ view: 'search', run: run.run, q: filters.query })}>Search this run</a>
        <RunScores run={run.run} />
        {hasPath(run.run) && <ExportLinks run={run.run} filters={filters} />}
      </header>
      <IgnoredParams names={unknownFilterParams(query)} />
      <FilterBar stats={stats} filters={filters} known={known} />
      <RunSummary run={matching.isLoading && !matching.stats ? run : shown} />
      {hasPath(run.run) ? (
        <div class="columns run-charts">
          {isTraining ? (
            <RewardSteps steps={charted.stats?.steps ?? []} chosen={step} />
          ) : (
            <RunEvaluation run={run} filters={filters} />
          )}
          <RewardHistogram stats={charted.stats ?? withoutTraces(stats)} filters={filters} />
        </div>
      ) : (
        <p class="banner">
          The path of a URL cannot contain the name “{run.run}”, so this run has no charts and exports. Its traces are
          below; each can be exported separately. Use another name for the next run.
        </p>
      )}
      <RunGroups run={run.run} filters={filters} version={run.last_updated_at} onSeen={onSeen} />
      {isTraining && isListed && hasPath(run.run) && (
        <WhenVisible>
          <MetricCharts run={run} filters={others} />
        </WhenVisible>
      )}
      <RunTraceList
        run={run.run}
        filters={filters}
        text={text}
        all={run.trace_count}
        matching={matching.isLoading ? undefined : (matching.stats?.run.trace_count ?? 0)}
        isLive={isLive}
        onSeen={onSeen}
      />
    </>
  );
}

/** Renders its content once it is scrolled into view, so that the page loads less code and data at first. */
function WhenVisible({ children }: { readonly children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const [isVisible, setVisible] = useState(false);
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setVisible(true);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="run-later" ref={box}>
      {isVisible && children}
    </div>
  );
}

const BINS = 24;

/** Returns whether a name can be a path segment: browsers remove `.` and `..`, escaped or not. */
const hasPath = (run: string): boolean => run !== '.' && run !== '..';

/** Loads a run; if its name cannot be a path segment, from the list, without steps and bins. */
async function loadStats(org: string, run: string, signal: AbortSignal): Promise<RunStats> {
  if (hasPath(run)) {
    const params = { path: { org, run }, query: { bins: BINS } };
    return mergeEqualBins(await unwrapResponse(traceApi.runStats({ params, signal })));
  }
  const pages = readPages((cursor) => {
    const params = { path: { org }, query: { q: run, limit: 1_000, ...cursor } };
    return unwrapResponse(traceApi.listRuns({ params, signal }));
  });
  for await (const { runs } of pages) {
    const found = runs.find((each) => each.run === run);
    if (found) return { run: found, edges: [], histogram: [], steps: [] };
  }
  throw new RequestError('missing', 404, `there is no run '${run}'`);
}

/** Keeps the bins of a histogram of which no trace matches. */
const withoutTraces = (stats: RunStats): RunStats => ({
  ...stats,
  histogram: stats.histogram.map(() => 0),
  steps: [],
});

/** Run of which no trace matches. */
const NO_TRACES: Omit<Run, 'run' | 'first_created_at' | 'last_updated_at'> = {
  ...{ trace_count: 0, block_count: 0, bytes: 0, error_count: 0 },
  status: { running: 0, finished: 0, error: 0, abandoned: 0 },
  reward: { count: 0, count_without: 0, mean: null, std: null, min: null, max: null },
};

interface FilteredStats {
  /** Undefined if no trace matches, or until they are loaded. */
  readonly stats: RunStats | undefined;
  readonly isLoading: boolean;
}

/** Loads the statistics of the traces that match filters; without filters, those of the run are used. */
function useFilteredStats(all: RunStats, filters: TraceFilters): FilteredStats {
  const org = useOrganization();
  const { run, last_updated_at } = all.run;
  const isFiltered = Object.keys(filters).length > 0 && hasPath(run);
  const subject = isFiltered ? JSON.stringify([run, filters]) : undefined;
  const { data, failure, isLoading, reload } = useLoad(subject, async (signal) => {
    const params = { path: { org, run }, query: { bins: BINS, ...filters } };
    return mergeEqualBins(await unwrapResponse(traceApi.runStats({ params, signal })));
  });
  const first = useRef(last_updated_at);
  useEffect(() => {
    if (last_updated_at !== first.current) reload();
  }, [last_updated_at]);
  if (!isFiltered) return { stats: all, isLoading: false };
  // 404: no trace matches.
  return { stats: failure?.kind === 'missing' ? undefined : data, isLoading: isLoading && !data && !failure };
}

/** Shows the numbers of a run, or of the traces that match the filters. */
function RunSummary({ run }: { readonly run: typeof NO_TRACES & Partial<Run> }) {
  const { reward, trace_count, status, error_count, block_count } = run;
  const error = rewardStandardError(reward);
  const perTrace = (count: number) => (count / Math.max(1, trace_count)).toFixed(1);
  const amount = (value: ComponentChildren, ...about: readonly ComponentChildren[]) => (
    <>
      <strong>{value}</strong>
      <small>{about}</small>
    </>
  );
  return (
    <Facts
      class="run-numbers"
      facts={{
        'Mean reward': amount(
          formatDecimal(reward.mean),
          error === null ? plural(reward.count, 'reward') : `± ${formatDecimal(error)} standard error`,
        ),
        Deviation: amount(
          formatDecimal(reward.std),
          reward.count === 0 ? 'no rewards' : `from ${formatDecimal(reward.min)} to ${formatDecimal(reward.max)}`,
        ),
        Traces: amount(
          formatCount(trace_count),
          formatStatusCounts(status, ['finished', 'running', 'error', 'abandoned']),
          reward.count_without > 0 && `; ${formatCount(reward.count_without)} without reward`,
        ),
        'With failed calls': amount(formatCount(error_count), `${perTrace(100 * error_count)} % of the traces`),
        Blocks: amount(formatCount(block_count), `${perTrace(block_count)} per trace, ${formatBytes(run.bytes)}`),
        Changed:
          run.last_updated_at !== undefined &&
          run.first_created_at !== undefined &&
          amount(<RelativeTime at={run.last_updated_at} />, 'started ', <RelativeTime at={run.first_created_at} />),
      }}
    />
  );
}
