import type { Trace } from '../../../../generated/trace.ts';
import { formatBytes, formatCount } from '../../../core/index.ts';
import { VisibleText } from '../payload/shown.tsx';
import { buildHref } from '../shell/location.ts';
import { formatShortCount } from './amounts.ts';
import { toTraceTimes, totalTokens } from './recorded.ts';
import { Reward } from './reward.tsx';
import { StatusBadge } from './status.tsx';
import { CreatedTime, formatTraceDuration } from './time.tsx';
import { readTokenUsage } from './usage.ts';

export type TraceSortField = 'created' | 'reward' | 'length';
export interface TraceSortOrder {
  readonly sort: TraceSortField;
  readonly order: 'asc' | 'desc';
}

interface Props {
  readonly traces: readonly Trace[];
  /** What the table is ordered by; without it, its heads do nothing. */
  readonly sorting?: TraceSortOrder | undefined;
  readonly onSort?: ((sorting: TraceSortOrder) => void) | undefined;
  /** Ids of those that are ticked; without it, none can be. */
  readonly chosen?: readonly string[] | undefined;
  readonly onChoose?: ((chosen: readonly string[]) => void) | undefined;
}

/** Traces, a row each. */
export function TraceTable({ traces, sorting, onSort, chosen, onChoose }: Props) {
  const head = (label: string, sort: TraceSortField, name = '') => <Head {...{ label, sort, name, sorting, onSort }} />;
  const hasTokens = totalTokens(traces) !== undefined;
  return (
    <div class="scroll-x">
      <table class="traces">
        <thead>
          <tr>
            {chosen && <td class="tick" />}
            <th>Trace</th>
            <th class="wide">Task</th>
            <th class="wide">Model</th>
            <th>Status</th>
            {head('Reward', 'reward', 'number')}
            {head('Blocks', 'length', 'number wide')}
            <th class="number wide">Errors</th>
            <th class="number widest">Size</th>
            {hasTokens && <th class="number wide">Tokens</th>}
            <th class="number wide">Duration</th>
            {head('Created', 'created')}
          </tr>
        </thead>
        <tbody>
          {traces.map((trace) => (
            <Row key={trace.id} {...{ trace, hasTokens, chosen, onChoose }} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends Pick<Props, 'chosen' | 'onChoose'> {
  readonly trace: Trace;
  readonly hasTokens: boolean;
}

function Row({ trace, hasTokens, chosen, onChoose }: RowProps) {
  const { id, name, model, status, reward_sum, block_count, error_count } = trace;
  const recorded = toTraceTimes(trace);
  const toggle = () =>
    onChoose?.(chosen?.includes(id) ? chosen.filter((each) => each !== id) : [...(chosen ?? []), id]);
  return (
    <tr>
      {chosen && (
        <td class="tick">
          <input type="checkbox" aria-label={`Choose ${id}`} checked={chosen.includes(id)} onChange={toggle} />
        </td>
      )}
      <td class="name">
        <a href={buildHref({ view: 'trace', trace: id })} title={id}>
          <VisibleText text={name ?? shortId(id)} />
        </a>
      </td>
      <td class="wide">
        <VisibleText text={formatTaskName(trace)} />
      </td>
      <td class="clip wide" title={model ?? ''}>
        {model === null ? '–' : <VisibleText text={model} />}
      </td>
      <td>
        <StatusBadge status={status} />
      </td>
      <td class="number">
        <Reward value={reward_sum} isInColumn />
      </td>
      <td class="number wide">{formatCount(block_count)}</td>
      <td class="number wide">{error_count === 0 ? '–' : formatCount(error_count)}</td>
      <td class="number widest">{formatBytes(trace.bytes)}</td>
      {hasTokens && <Tokens trace={trace} />}
      <td class="number wide">{formatTraceDuration(recorded)}</td>
      <td>
        <CreatedTime of={recorded} />
      </td>
    </tr>
  );
}

function Tokens({ trace }: { readonly trace: Trace }) {
  const usage = readTokenUsage(trace);
  if (!usage) return <td class="number wide">–</td>;
  return (
    <td class="number wide" title={`${usage.input ?? '?'} in, ${usage.output ?? '?'} out`}>
      {formatShortCount(usage.total)}
    </td>
  );
}

interface HeadProps extends Pick<Props, 'sorting' | 'onSort'> {
  readonly label: string;
  readonly sort: TraceSortField;
  readonly name: string;
}

/** The head of a column that can be ordered by: once descending, again ascending. */
function Head({ label, sort, name, sorting, onSort }: HeadProps) {
  const isSorted = sorting?.sort === sort;
  const order = isSorted && sorting.order === 'desc' ? 'asc' : 'desc';
  const ariaSort = isSorted ? (sorting.order === 'asc' ? 'ascending' : 'descending') : 'none';
  if (!onSort) return <th class={name}>{label}</th>;
  return (
    <th class={name} aria-sort={ariaSort}>
      <button type="button" class="head" onClick={() => onSort({ sort, order })}>
        {label}
        <span aria-hidden="true">{isSorted ? (sorting.order === 'asc' ? ' ↑' : ' ↓') : ''}</span>
      </button>
    </th>
  );
}

/** The end of an id tells more than its beginning, which is a time. */
export const shortId = (id: string): string => (id.length <= 16 ? id : `${id.slice(0, 3)}…${id.slice(-8)}`);

/** `gsm8k test[12]`, as far as it is known. */
export function formatTaskName({
  environment,
  split,
  task_index,
  task_key,
}: Pick<Trace, 'environment' | 'split' | 'task_index' | 'task_key'>): string {
  const place = task_index !== null ? `[${task_index}]` : task_key !== null ? ` ${task_key.slice(0, 8)}` : '';
  return `${[environment, split].filter(Boolean).join(' ')}${place}` || '–';
}
