import type { Trace } from '../../../../generated/trace.ts';
import { Visible } from '../payload/shown.tsx';
import { href } from '../shell/location.ts';
import { bytes, count } from './amounts.ts';
import { Reward } from './reward.tsx';
import { Status } from './status.tsx';
import { duration, Time } from './time.tsx';

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
  const head = (label: string, sort: Sort, isNumber = false) => (
    <Head {...{ label, sort, isNumber, sorting, onSort }} />
  );
  return (
    <div class="scroll-x">
      <table class="traces">
        <thead>
          <tr>
            {chosen && <td class="tick" />}
            <th>Trace</th>
            <th>Task</th>
            <th>Model</th>
            <th>Status</th>
            {head('Reward', 'reward', true)}
            {head('Blocks', 'length', true)}
            <th class="number">Errors</th>
            <th class="number">Size</th>
            <th class="number">Duration</th>
            {head('Created', 'created')}
          </tr>
        </thead>
        <tbody>
          {traces.map((trace) => (
            <Row key={trace.id} {...{ trace, chosen, onChoose }} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ trace, chosen, onChoose }: { readonly trace: Trace } & Pick<Props, 'chosen' | 'onChoose'>) {
  const { id, name, model, status, reward_sum, block_count, error_count, created_at, finished_at } = trace;
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
      <td>{taskOf(trace)}</td>
      <td>{model ?? '–'}</td>
      <td>
        <Status status={status} />
      </td>
      <td class="number">
        <Reward value={reward_sum} />
      </td>
      <td class="number">{count(block_count)}</td>
      <td class="number">{error_count === 0 ? '–' : count(error_count)}</td>
      <td class="number">{bytes(trace.bytes)}</td>
      <td class="number">{finished_at ? duration(created_at, finished_at) : '–'}</td>
      <td>
        <Time at={created_at} />
      </td>
    </tr>
  );
}

interface HeadProps extends Pick<Props, 'sorting' | 'onSort'> {
  readonly label: string;
  readonly sort: Sort;
  readonly isNumber: boolean;
}

/** The head of a column that can be ordered by: once descending, again ascending. */
function Head({ label, sort, isNumber, sorting, onSort }: HeadProps) {
  const isSorted = sorting?.sort === sort;
  const order = isSorted && sorting.order === 'desc' ? 'asc' : 'desc';
  const ariaSort = isSorted ? (sorting.order === 'asc' ? 'ascending' : 'descending') : 'none';
  if (!onSort) return <th class={isNumber ? 'number' : ''}>{label}</th>;
  return (
    <th class={isNumber ? 'number' : ''} aria-sort={ariaSort}>
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
