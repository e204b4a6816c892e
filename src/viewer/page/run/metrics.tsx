import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Run } from '../../../../generated/trace.ts';
import { formatCount } from '../../../core/index.ts';
import { METRICS, metricBySteps, metricsOf } from '../../../trace/model/index.ts';
import { useOrganization } from '../api/access.ts';
import { useQuery, withQuery } from '../api/location.ts';
import { useLoad } from '../api/use-load.ts';
import { usePrevious } from '../parts/hooks.ts';
import { type Column, Table } from '../parts/list.tsx';
import { formatReward } from '../parts/rewards.ts';
import { RunCharts } from '../parts/run-charts.tsx';
import { Leaderboard, type LoadedRun, PassCurves, readRunSummaries } from '../parts/run-results.tsx';
import { Loaded } from '../parts/states.tsx';
import type { TraceFilters } from './filters.ts';

interface Props {
  readonly run: Run;
  readonly filters: TraceFilters;
}

/** Interval at which the traces of a run that changes are read again. */
const UPDATE_MS = 10_000;

/** Reads the traces of a run that match, and again when the run has changed. */
function useSummaries({ run: { run, last_updated_at }, filters }: Props) {
  const org = useOrganization();
  const list = useLoad(JSON.stringify([run, filters]), (signal) => readRunSummaries(org, run, filters, signal));
  const read = useRef(last_updated_at);
  useEffect(() => {
    if (read.current === last_updated_at) return;
    const timer = setTimeout(() => {
      read.current = last_updated_at;
      list.reload();
    }, UPDATE_MS);
    return () => clearTimeout(timer);
  }, [last_updated_at]);
  return { ...list, data: usePrevious(list.data) };
}

const readPass = (query: URLSearchParams): number => {
  const value = Number(query.get('pass') || 1);
  return Number.isFinite(value) ? value : 1;
};

/** Results of an evaluation: by environment and model, and pass@k. */
export function RunEvaluation(props: Props) {
  const pass = readPass(useQuery());
  return (
    <section class="card stack run-chart run-evaluation" aria-label="Evaluation">
      <Loaded state={useSummaries(props)} lines={5}>
        {(loaded) => (
          <>
            <Leaderboard runs={[loaded]} pass={pass} />
            <PassCurves runs={[loaded]} pass={pass} />
            <Truncated loaded={loaded} />
          </>
        )}
      </Loaded>
    </section>
  );
}

/** Metrics of a training run by step: a table with the first and last values, and a chart of one of them. */
export function MetricCharts(props: Props) {
  const pass = readPass(useQuery());
  return (
    <Loaded state={useSummaries(props)} lines={5}>
      {(loaded) => (
        <div class="columns run-charts">
          <RunCharts runs={[loaded]} pass={pass} />
          <section class="card stack run-chart" aria-labelledby="run-metrics">
            <h2 id="run-metrics">
              Metrics <small>mean of the first and the last step</small>
            </h2>
            <MetricTable loaded={loaded} pass={pass} />
            <Truncated loaded={loaded} />
          </section>
        </div>
      )}
    </Loaded>
  );
}

const Truncated = ({ loaded: { isTruncated, summaries } }: { readonly loaded: LoadedRun }) =>
  isTruncated ? <p class="muted">Of the newest {formatCount(summaries.length)} traces; this run has more.</p> : null;

interface MetricRow {
  readonly name: string;
  readonly first: number | null;
  readonly last: number | null;
}

const METRIC_COLUMNS: readonly Column<MetricRow>[] = [
  {
    label: 'Metric',
    class: 'name',
    cell: ({ name }) => (
      <a href={withQuery({ metric: name === 'reward' ? undefined : name })}>{METRICS[name] ?? name}</a>
    ),
  },
  { label: 'First', class: 'number', cell: ({ first }) => formatReward(first) },
  { label: 'Last', class: 'number strong', cell: ({ last }) => formatReward(last) },
];

function MetricTable({ loaded: { summaries }, pass }: { readonly loaded: LoadedRun; readonly pass: number }) {
  const rows = useMemo(
    () =>
      metricsOf(summaries, pass).map((name) => {
        const points = metricBySteps(summaries, name, pass);
        return { name, first: points[0]?.mean ?? null, last: points.at(-1)?.mean ?? null };
      }),
    [summaries, pass],
  );
  return <Table class="run-metrics" columns={METRIC_COLUMNS} rows={rows} keyOf={({ name }) => name} />;
}
