import type { Trace } from '../../../../generated/trace.ts';
import { formatBytes, formatCount } from '../../../core/index.ts';
import { Visible } from '../payload/shown.tsx';
import { href } from '../shell/location.ts';
import { shortCount } from './amounts.ts';
import { recordedOf, tokensOf } from './recorded.ts';
import { Reward } from './reward.tsx';
import { Status } from './status.tsx';
import { Created, tookOf } from './time.tsx';
import { usageOf } from './usage.ts';

export type Sort = 'created' | 'reward' | 'length';
export interface Sorting {
  readonly sort: Sort;
  readonly order: 'asc' | 'desc';
}

interface Props {
  readonly traces: readonly Trace[];
  /** What the table is ordered by; without it, its heads do nothing. */
  readonly sorting?: Sorting | undefined;
  readonly onSort?: ((sorting: Sorting) => void) | undefined;
  /** Ids of those that are ticked; without it, none can be. */
  readonly chosen?: readonly string[] | undefined;
  readonly onChoose?: ((chosen: readonly string[]) => void) | undefined;
}

/** Traces, a row each. */
export function TraceTable({ traces, sorting, onSort, chosen, onChoose }: Props) {
  const head = (label: string, sort: Sort, name = '') => <Head {...{ label, sort, name, sorting, onSort }} />;
  const hasTokens = tokensOf(traces) !== undefined;
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
  const recorded = recordedOf(trace);
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
        <a href={href({ view: 'trace', trace: id })} title={id}>
          <Visible text={name ?? shortId(id)} />
        </a>
      </td>
      <td class="wide">
        <Visible text={taskOf(trace)} />
      </td>
      <td class="clip wide" title={model ?? ''}>
        {model === null ? '–' : <Visible text={model} />}
      </td>
      <td>
        <Status status={status} />
      </td>
      <td class="number">
        <Reward value={reward_sum} isInColumn />
      </td>
      <td class="number wide">{formatCount(block_count)}</td>
      <td class="number wide">{error_count === 0 ? '–' : formatCount(error_count)}</td>
      <td class="number widest">{formatBytes(trace.bytes)}</td>
      {hasTokens && <Tokens trace={trace} />}
      <td class="number wide">{tookOf(recorded)}</td>
      <td>
        <Created of={recorded} />
      </td>
    </tr>
  );
}

function Tokens({ trace }: { readonly trace: Trace }) {
  const usage = usageOf(trace);
  if (!usage) return <td class="number wide">–</td>;
  return (
    <td class="number wide" title={`${usage.input ?? '?'} in, ${usage.output ?? '?'} out`}>
      {shortCount(usage.total)}
    </td>
  );
}

interface HeadProps extends Pick<Props, 'sorting' | 'onSort'> {
  readonly label: string;
  readonly sort: Sort;
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
export function taskOf({
  environment,
  split,
  task_index,
  task_key,
}: Pick<Trace, 'environment' | 'split' | 'task_index' | 'task_key'>): string {
  const place = task_index !== null ? `[${task_index}]` : task_key !== null ? ` ${task_key.slice(0, 8)}` : '';
  return `${[environment, split].filter(Boolean).join(' ')}${place}` || '–';
}
