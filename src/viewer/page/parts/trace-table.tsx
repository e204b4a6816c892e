import type { Trace } from '../../../../generated/trace.ts';
import { formatBytes, formatCount } from '../../../core/index.ts';
import { CreatedTime, formatTraceDuration, Reward, StatusBadge } from './badges.tsx';
import { type Column, type SortOrder, Table, tickColumn } from './list.tsx';
import { formatTaskName, toTraceTimes, totalTokens } from './trace-info.ts';
import { TokenCount, TraceLink } from './trace-links.tsx';
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
  const isMixed = new Set(traces.map(({ run }) => run)).size > 1;
  const columns = [
    ...(chosen && onChoose ? [tickColumn(({ id }: Trace) => id, chosen, onChoose)] : []),
    nameColumn(isMixed),
    ...(totalTokens(traces) === undefined ? COLUMNS.filter(({ label }) => label !== 'Tokens') : COLUMNS),
  ];
  return <Table class="traces" columns={columns} rows={traces} keyOf={({ id }) => id} {...sorting} />;
}

/** Name of a trace; on a phone also what the columns there lack, with the run if the traces are of several. */
const nameColumn = (isMixed: boolean): Column<Trace, TraceSortField> => ({
  label: 'Trace',
  class: 'name',
  cell: (trace) => (
    <>
      <TraceLink id={trace.id} name={trace.name} />
      <small class="narrow">
        <VisibleText
          text={[formatTaskName(trace), trace.model, isMixed && trace.run].filter((it) => it && it !== '–').join(' · ')}
        />
      </small>
    </>
  ),
});

const COLUMNS: readonly Column<Trace, TraceSortField>[] = [
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
