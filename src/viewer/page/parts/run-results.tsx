import { useMemo } from 'preact/hooks';
import type { TraceStatus, TraceSummary } from '../../../../generated/trace.ts';
import { appendAll, formatCount, formatDuration, plural } from '../../../core/index.ts';
import { type ComparedRun, type LeaderboardRow, leaderboard, passAtSizes } from '../../../trace/model/index.ts';
import { readPages, traceApi, unwrapResponse } from '../api/store.ts';
import { type Column, Table } from './list.tsx';
import { formatDecimal, formatReward, formatShortCount } from './rewards.ts';
import { formatCost } from './trace-info.ts';
import { RunLink } from './trace-links.tsx';
import { VisibleText } from './visible-text.tsx';
import './run-results.css';

type TextFilter = 'environment' | 'split' | 'task_key' | 'group_id' | 'model' | 'tag' | 'q' | 'query';

/** Filters of the API for the traces that are read. */
type SummaryFilters = { readonly [Name in TextFilter]?: string } & {
  readonly step?: number;
  readonly status?: TraceStatus;
  readonly reward_min?: number;
  readonly reward_max?: number;
  readonly has_error?: boolean;
};

/** A run whose traces were read. */
export interface LoadedRun extends ComparedRun {
  /** Set if it has older traces that were not read. */
  readonly isTruncated: boolean;
}

/** Number of pages of 1,000 traces that are read of a run. */
const PAGES = 20;

/** Reads what statistics need of the newest traces of a run. */
export async function readRunSummaries(
  org: string,
  run: string,
  filters: SummaryFilters,
  signal: AbortSignal,
): Promise<LoadedRun> {
  const summaries: TraceSummary[] = [];
  let isTruncated = false;
  const read = (next: { readonly cursor?: string }) => {
    const params = { path: { org }, query: { run, ...filters, limit: 1_000, ...next } };
    return unwrapResponse(traceApi.listTraceSummaries({ params, signal }));
  };
  for await (const page of readPages(read, PAGES)) {
    appendAll(summaries, page.summaries);
    isTruncated = page.page.next_cursor !== null;
  }
  return { run, summaries, isTruncated };
}

interface SectionProps {
  readonly runs: readonly ComparedRun[];
  readonly pass: number;
}

const percent = (part: number | null): string => (part === null ? '–' : `${(100 * part).toFixed(1)} %`);
const plusMinus = (value: number | null, format: (value: number) => string): string =>
  value === null ? '' : ` ± ${format(value)}`;

const RUN: Column<{ readonly run: string }> = {
  label: 'Run',
  class: 'name',
  cell: ({ run }) => <RunLink run={run} />,
};

const modelText = ({ model }: LeaderboardRow) => <VisibleText text={model ?? '–'} />;
const environmentText = ({ environment }: LeaderboardRow) => <VisibleText text={environment ?? '–'} />;

const RESULTS: readonly Column<LeaderboardRow>[] = [
  { label: 'Tasks', class: 'number wide', cell: ({ tasks }) => formatCount(tasks) },
  { label: 'Traces', class: 'number wide', cell: ({ traces }) => formatCount(traces) },
  {
    label: 'Mean reward',
    class: 'number strong',
    cell: ({ mean, standard_error }) => `${formatDecimal(mean)}${plusMinus(standard_error, formatDecimal)}`,
  },
  {
    label: 'Pass rate',
    class: 'number',
    cell: ({ pass_rate, pass_error }) =>
      `${percent(pass_rate)}${plusMinus(pass_error, (part) => (100 * part).toFixed(1))}`,
  },
  { label: 'With errors', class: 'number wide', cell: ({ error_rate }) => percent(error_rate) },
  {
    label: 'Tokens',
    class: 'number widest',
    cell: ({ tokens }) => (tokens === null ? '–' : formatShortCount(Math.round(tokens))),
  },
  { label: 'Total cost', class: 'number widest', cell: ({ cost }) => (cost === null ? '–' : formatCost(cost)) },
  {
    label: 'Duration',
    class: 'number widest',
    cell: ({ seconds }) => (seconds === null ? '–' : formatDuration(1_000 * seconds)),
  },
];

const LEADERBOARD: readonly Column<LeaderboardRow>[] = [
  RUN,
  { label: 'Model', class: 'clip wide', cell: modelText },
  { label: 'Environment', class: 'clip wide', cell: environmentText },
  ...RESULTS,
];

/** Columns for the rows of one run, which its page names. */
const ONE_RUN: readonly Column<LeaderboardRow>[] = [
  { label: 'Model', class: 'name', cell: modelText },
  { label: 'Environment', class: 'clip', cell: environmentText },
  ...RESULTS,
];

/** Results by model and environment, with standard errors over tasks. */
export function Leaderboard({ runs, pass }: SectionProps) {
  const rows = useMemo(() => leaderboard(runs, pass), [runs, pass]);
  return (
    <section class="stack compare-section" aria-labelledby="compare-board">
      <h2 id="compare-board">
        Leaderboard <small>by environment and model; every task has the same weight, ± standard error</small>
      </h2>
      <Table
        class="compare-board"
        columns={runs.length > 1 ? LEADERBOARD : ONE_RUN}
        rows={rows}
        keyOf={({ run, model, environment }) => JSON.stringify([run, model, environment])}
      />
    </section>
  );
}

/** pass@k of each run, as a table. */
export function PassCurves({ runs, pass }: SectionProps) {
  const curves = useMemo(
    () => runs.map(({ run, summaries }) => ({ run, curve: passAtSizes(summaries, pass) })),
    [runs, pass],
  );
  const sizes = [...new Set(curves.flatMap(({ curve }) => curve.map(({ k }) => k)))].sort((one, other) => one - other);
  if (sizes.length < 2) return null;
  const columns: readonly Column<(typeof curves)[number]>[] = [
    ...(runs.length > 1 ? [RUN] : []),
    ...sizes.map((size) => ({
      label: `pass@${size}`,
      class: 'number',
      cell: ({ curve }: (typeof curves)[number]) => {
        const point = curve.find(({ k }) => k === size);
        if (!point) return '–';
        return <span title={`over ${plural(point.tasks, 'task')}`}>{percent(point.pass)}</span>;
      },
    })),
  ];
  return (
    <section class="stack compare-section" aria-labelledby="compare-pass">
      <h2 id="compare-pass">
        pass@k <small>of a reward of {formatReward(pass)} or more, over the tasks with at least k traces</small>
      </h2>
      <Table class="compare-pass" columns={columns} rows={curves} keyOf={({ run }) => run} />
    </section>
  );
}
