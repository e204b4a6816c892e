import type { Group, Trace } from '../../../../generated/trace.ts';
import { formatBytes, formatCount } from '../../../core/index.ts';
import { buildHref } from '../api/location.ts';
import { CreatedTime, formatTraceDuration, Reward, StatusBadge } from './badges.tsx';
import { type Column, type SortOrder, Table } from './list.tsx';
import { formatShortCount } from './rewards.ts';
import { formatTaskName, readTokenUsage, toTraceTimes, totalTokens } from './trace-info.ts';
import { VisibleText } from './visible-text.tsx';

export type TraceSortField = 'created' | 'reward' | 'length';

interface Props {
  readonly traces: readonly Trace[];
  /** Order of the table; without it the columns cannot be sorted. */
  readonly sorting?: SortOrder<TraceSortField>;
  readonly onSort?: (sorting: SortOrder<TraceSortField>) => void;
  /** Ids of the selected traces; without it they cannot be selected. */
  readonly chosen?: readonly string[];
  readonly onChoose?: (chosen: readonly string[]) => void;
}

/** Table of traces. */
export function TraceTable({ traces, chosen, onChoose, ...sorting }: Props) {
  const columns = [
    ...(chosen && onChoose ? [tickColumn(chosen, onChoose)] : []),
    ...(totalTokens(traces) === undefined ? COLUMNS.filter(({ label }) => label !== 'Tokens') : COLUMNS),
  ];
  return <Table class="traces" columns={columns} rows={traces} keyOf={({ id }) => id} {...sorting} />;
}

const tickColumn = (
  chosen: readonly string[],
  onChoose: (chosen: readonly string[]) => void,
): Column<Trace, TraceSortField> => ({
  label: '',
  class: 'tick',
  cell: ({ id }) => (
    <input
      type="checkbox"
      aria-label={`Select ${id}`}
      checked={chosen.includes(id)}
      onChange={() => onChoose(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id])}
    />
  ),
});

const COLUMNS: readonly Column<Trace, TraceSortField>[] = [
  {
    label: 'Trace',
    class: 'name',
    cell: ({ id, name }) => <TraceLink id={id} name={name} />,
  },
  { label: 'Task', class: 'wide', cell: (trace) => <VisibleText text={formatTaskName(trace)} /> },
  {
    label: 'Model',
    class: 'clip wide',
    cell: ({ model }) => (
      <span title={model ?? ''}>
        <VisibleText text={model ?? '–'} />
      </span>
    ),
  },
  { label: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    label: 'Reward',
    class: 'number',
    sort: 'reward',
    cell: ({ reward_sum }) => <Reward value={reward_sum} isInColumn />,
  },
  { label: 'Blocks', class: 'number wide', sort: 'length', cell: (trace) => formatCount(trace.block_count) },
  {
    label: 'Errors',
    class: 'number wide',
    cell: ({ error_count }) => (error_count === 0 ? '–' : formatCount(error_count)),
  },
  { label: 'Size', class: 'number widest', cell: (trace) => formatBytes(trace.bytes) },
  { label: 'Tokens', class: 'number wide', cell: (trace) => <TokenCount trace={trace} /> },
  { label: 'Duration', class: 'number wide', cell: (trace) => formatTraceDuration(toTraceTimes(trace)) },
  { label: 'Created', sort: 'created', cell: (trace) => <CreatedTime of={toTraceTimes(trace)} /> },
];

interface TraceLinkProps {
  readonly id: string;
  /** @default the shortened id */
  readonly name?: string | null;
}

/** Link to the page of a trace. */
export const TraceLink = ({ id, name }: TraceLinkProps) => (
  <a href={buildHref({ view: 'trace', trace: id })} title={id}>
    <VisibleText text={name ?? shortId(id)} />
  </a>
);

/** Link to the page of a run. */
export const RunLink = ({ run }: { readonly run: string }) => (
  <a href={buildHref({ view: 'run', run })}>
    <VisibleText text={run} />
  </a>
);

/** Shows the tokens of a trace; `–` if it does not report them. */
export function TokenCount({ trace }: { readonly trace: Trace }) {
  const usage = readTokenUsage(trace);
  if (!usage) return <>–</>;
  return <span title={`${usage.input ?? '?'} in, ${usage.output ?? '?'} out`}>{formatShortCount(usage.total)}</span>;
}

/** Shortens an id; its beginning is a time and says less than its end. */
export const shortId = (id: string): string => (id.length <= 16 ? id : `${id.slice(0, 3)}…${id.slice(-8)}`);

/** Returns the fields that identify a group, without those that are null. */
export function groupParams(group: Pick<Group, 'run' | 'group_id' | 'environment' | 'split' | 'task_key' | 'step'>) {
  const { run, group_id, environment, split, task_key, step } = group;
  const fields = Object.entries({ run, group_id, environment, split, task_key, step });
  return Object.fromEntries(fields.filter(([, value]) => value !== null));
}

/** Builds the link to a group. */
export const groupHref = (group: Parameters<typeof groupParams>[0]): string =>
  buildHref({ view: 'group', ...groupParams(group) });
