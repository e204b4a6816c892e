import type { ComponentChildren } from 'preact';
import type { Run } from '../../../../generated/trace.ts';
import { decodePercent, formatBytes, formatCount, formatDuration, sum } from '../../../core/index.ts';
import { formatStatusCounts, RelativeTime } from '../parts/badges.tsx';
import type { Column, SortOrder } from '../parts/list.tsx';
import { formatDecimal, formatRange, formatReward, formatShortCount, rewardStandardError } from '../parts/rewards.ts';
import { formatCost } from '../parts/trace-info.ts';
import { RunLink } from '../parts/trace-links.tsx';
import { VisibleText } from '../parts/visible-text.tsx';

/** Value that a column is sorted by; runs without one come last. */
type RunValue = string | number | boolean | null | undefined;

interface RunColumn {
  readonly label: string;
  readonly class?: string;
  readonly value: (run: Run) => RunValue;
  /** @default the value */
  readonly cell?: (run: Run) => ComponentChildren;
}

const numberOf = (
  label: string,
  value: (run: Run) => number | null | undefined,
  format: (value: number) => string,
) => ({
  label,
  class: 'number wide',
  value,
  cell: (run: Run) => {
    const given = value(run);
    return given === null || given === undefined ? '–' : format(given);
  },
});

const listOf = (label: string, names: (run: Run) => readonly string[] | undefined): RunColumn => ({
  label,
  class: 'clip wide',
  value: (run) => names(run)?.join(', ') || null,
  cell: (run) => {
    const text = names(run)?.join(', ') || '–';
    return (
      <span title={text}>
        <VisibleText text={text} />
      </span>
    );
  },
});

const percent = (part: number) => `${(100 * part).toFixed(1)} %`;
const share = (part: number, whole: number) => `${formatCount(part)} (${((100 * part) / whole).toFixed(0)} %)`;

/** Columns by their name in the address. */
export const RUN_COLUMNS: Readonly<Record<string, RunColumn>> = {
  run: { label: 'Run', class: 'name', value: ({ run }) => run },
  environment: listOf('Environment', ({ details }) => details?.environments),
  model: listOf('Model', ({ details }) => details?.models),
  step: numberOf('Step', ({ details }) => details?.last_step, formatCount),
  traces: {
    label: 'Traces',
    class: 'number',
    value: ({ trace_count }) => trace_count,
    cell: (run) => formatCount(run.trace_count),
  },
  status: {
    label: 'Status',
    class: 'wide',
    value: ({ status, trace_count }) => status.finished / trace_count,
    cell: (run) => <Progress run={run} />,
  },
  mean: {
    label: 'Mean reward',
    class: 'number strong',
    value: ({ reward }) => reward.mean,
    cell: ({ reward }) => formatDecimal(reward.mean),
  },
  error: numberOf('± error', ({ reward }) => rewardStandardError(reward), formatDecimal),
  std: numberOf('± std', ({ reward }) => reward.std, formatDecimal),
  range: {
    label: 'Range',
    class: 'number widest',
    value: ({ reward: { min, max } }) => (min === null || max === null ? null : max - min),
    cell: ({ reward }) => formatRange(reward, 2),
  },
  trend: {
    label: 'By step',
    class: 'wide',
    value: ({ details }) => changeOf(details?.trend ?? []),
    cell: ({ details }) => <Trend values={details?.trend ?? []} />,
  },
  pass: numberOf(
    'Pass rate',
    ({ details, reward }) => (details && reward.count > 0 ? details.passed / reward.count : null),
    percent,
  ),
  errors: {
    label: 'With errors',
    class: 'number wide',
    value: ({ error_count, trace_count }) => error_count / trace_count,
    cell: ({ error_count, trace_count }) => (error_count === 0 ? '–' : share(error_count, trace_count)),
  },
  blocks: {
    label: 'Blocks',
    class: 'number widest',
    value: ({ block_count }) => block_count,
    cell: (run) => formatCount(run.block_count),
  },
  size: numberOf('Size', ({ bytes }) => bytes, formatBytes),
  tokens: numberOf('Tokens', ({ details }) => details?.tokens, formatShortCount),
  cost: numberOf('Cost', ({ details }) => details?.cost, formatCost),
  duration: numberOf(
    'Duration',
    ({ details }) => details?.mean_seconds,
    (seconds) => formatDuration(seconds * 1_000),
  ),
  tags: listOf('Tags', ({ details }) => details?.tags),
  started: {
    label: 'Started',
    class: 'wide',
    value: ({ first_created_at }) => first_created_at,
    cell: (run) => <RelativeTime at={run.first_created_at} />,
  },
  changed: {
    label: 'Changed',
    class: 'wide',
    value: ({ last_updated_at }) => last_updated_at,
    cell: (run) => <RelativeTime at={run.last_updated_at} />,
  },
};

const DEFAULT = ['run', 'traces', 'status', 'mean', 'std', 'range', 'errors', 'blocks', 'size', 'changed'];
/** Columns that are shown by default if a run has a value. */
const IF_PRESENT: Readonly<Record<string, string>> = { trend: 'errors', tags: 'changed' };

/** Prefix of the columns for settings of runs. */
const INFO = 'info.';

/** Returns the column of a name; a setting that no run has is a column without values. */
export function runColumn(name: string): RunColumn | undefined {
  if (Object.hasOwn(RUN_COLUMNS, name)) return RUN_COLUMNS[name];
  if (!name.startsWith(INFO)) return undefined;
  const key = name.slice(INFO.length);
  const value = ({ details }: Run) => (details && Object.hasOwn(details.info, key) ? details.info[key] : undefined);
  return {
    label: key,
    class: 'clip wide',
    value,
    cell: (run) => <VisibleText text={String(value(run) ?? '–')} />,
  };
}

/** Returns the names of the settings that runs have, as columns. */
export const settingColumns = (runs: readonly Run[]): readonly string[] =>
  [...new Set(runs.flatMap(({ details }) => Object.keys(details?.info ?? {})))].sort().map((key) => INFO + key);

/** Reads the columns of an address; the name of the run is always the first one. */
export function readColumns(query: URLSearchParams, runs: readonly Run[]): readonly string[] {
  const names = (query.get('columns') ?? '').split(',').map((name) => decodePercent(name) ?? name);
  const given = names.filter((name) => runColumn(name));
  if (given.length > 0) return ['run', ...given.filter((name) => name !== 'run')];
  return DEFAULT.flatMap((name) => [
    ...Object.keys(IF_PRESENT).filter((optional) => IF_PRESENT[optional] === name && hasValue(runs, optional)),
    name,
  ]);
}

const hasValue = (runs: readonly Run[], name: string): boolean => {
  const column = runColumn(name);
  return runs.some((run) => isGiven(column?.value(run)));
};

const isGiven = (value: RunValue): boolean => value !== null && value !== undefined;

/** Reads the order of an address. @default last changed first */
export function readRunOrder(query: URLSearchParams): SortOrder {
  const sort = query.get('sort') ?? '';
  return { sort: runColumn(sort) ? sort : 'changed', order: query.get('order') === 'asc' ? 'asc' : 'desc' };
}

/** Sorts runs by a column; runs without a value come last in either order. */
export function sortRuns(runs: readonly Run[], { sort, order }: SortOrder): readonly Run[] {
  const column = runColumn(sort);
  if (!column) return runs;
  const sign = order === 'asc' ? 1 : -1;
  const keyed = runs.map((run) => ({ run, key: column.value(run) }));
  keyed.sort(({ key: one }, { key: other }) => {
    if (!isGiven(one) || !isGiven(other)) return Number(isGiven(other)) - Number(isGiven(one));
    if (typeof one === 'number' && typeof other === 'number') return sign * (one - other);
    return sign * compareText(String(one), String(other));
  });
  return keyed.map(({ run }) => run);
}

const collator = new Intl.Collator('en', { numeric: true });
const compareText = (one: string, other: string): number => collator.compare(one, other);

/** Makes the columns of a table; the links to runs have the query. */
export const toTableColumns = (names: readonly string[], query: string | undefined): readonly Column<Run, string>[] =>
  names.flatMap((name) => {
    const column = runColumn(name);
    if (!column) return [];
    const { label, class: classes = '', value } = column;
    const link = ({ run }: Run) => <RunLink run={run} query={query} />;
    const cell = name === 'run' ? link : (column.cell ?? ((run: Run) => String(value(run) ?? '–')));
    return [{ label, class: classes, sort: name, cell }];
  });

/** Returns the last value of a trend minus the first one. */
function changeOf(trend: readonly (number | null)[]): number | null {
  const given = trend.filter((value) => value !== null);
  const [first, last] = [given[0], given.at(-1)];
  return given.length < 2 || first === undefined || last === undefined ? null : last - first;
}

const WIDTH = 80;
const HEIGHT = 18;

/** Line of the mean rewards by training step. */
function Trend({ values }: { readonly values: readonly (number | null)[] }) {
  const points = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  const given = points.map(({ value }) => value);
  if (points.length < 2) return <>–</>;
  const [min, max] = [Math.min(...given), Math.max(...given)];
  const x = (index: number) => 1 + (index / (values.length - 1)) * (WIDTH - 2);
  const y = (value: number) => (max === min ? HEIGHT / 2 : 2 + ((max - value) / (max - min)) * (HEIGHT - 4));
  const words = `mean reward from ${formatReward(given[0])} to ${formatReward(given.at(-1))}`;
  return (
    <svg class="runs-trend" width={WIDTH} height={HEIGHT} role="img" aria-label={words}>
      <title>{words}</title>
      <polyline points={points.map(({ value, index }) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ')} />
    </svg>
  );
}

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
