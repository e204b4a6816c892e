import type { Group } from '../../../../generated/trace.ts';
import { formatDecimal, formatReward } from '../parts/amounts.ts';
import { groupHref } from '../parts/group-link.ts';
import { allRewardsEqual, explainZeroAdvantage } from '../parts/rewards.ts';
import { formatTaskName } from '../parts/trace-table.tsx';
import { VisibleText } from '../payload/shown.tsx';
import { withQuery } from '../shell/location.ts';
import type { GroupSort, GroupSorting } from './sort-groups.ts';

interface Props {
  readonly groups: readonly Group[];
  readonly sorting: GroupSorting;
  readonly onSort: (sorting: GroupSorting) => void;
}

/** Groups, a row each. */
export function GroupTable({ groups, sorting, onSort }: Props) {
  const head = (label: string, by: GroupSort) => <Head {...{ label, by, sorting, onSort }} />;
  return (
    <div class="scroll-x">
      <table class="groups">
        <thead>
          <tr>
            {head('Task', 'task')}
            {head('Step', 'step')}
            <th class="number wide">Rollouts</th>
            {head('Mean', 'mean')}
            {head('Std', 'std')}
            <th class="number wide">Range</th>
            <th class="wide">Rewards</th>
            <th class="wide">What it teaches</th>
            <th class="wide">Traces</th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <Row key={group.key} group={group} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ group }: { readonly group: Group }) {
  const { step, members, group_id, task_key } = group;
  const idle = explainZeroAdvantage(group.reward);
  const only = { environment: group.environment ?? undefined, split: group.split ?? undefined };
  const filter = group_id === null ? { ...only, task_key: task_key ?? undefined } : { group_id };
  return (
    <tr class={idle === undefined ? '' : 'run-idle'}>
      <td class="name">
        <a href={groupHref(group)} title={task_key ?? group_id ?? ''}>
          <VisibleText
            text={
              group_id === null
                ? formatTaskName(group)
                : `${formatTaskName(group)} (${group_id})`.replace(/^– \((.*)\)$/, '$1')
            }
          />
        </a>
      </td>
      <td class="number">{step ?? '–'}</td>
      <td class="number wide">{members.length}</td>
      <td class="number">{formatDecimal(group.reward.mean)}</td>
      <td class="number strong">{formatDecimal(group.reward.std)}</td>
      <td class="number wide">
        {group.reward.count === 0
          ? '–'
          : `${formatDecimal(group.reward.min, 2)} … ${formatDecimal(group.reward.max, 2)}`}
      </td>
      <td class="wide">
        <Dots group={group} />
      </td>
      <td class="wide">
        {idle === undefined ? (
          <span class="run-differs">rewards differ</span>
        ) : (
          <span class="run-nothing">{`nothing: ${idle}`}</span>
        )}
      </td>
      <td class="wide">
        <a href={withQuery({ ...filter, step: step ?? undefined })}>show them</a>
      </td>
    </tr>
  );
}

const WIDTH = 96;
const ROOM = 5;

/** Each reward as a mark between the least and the greatest of the group. */
function Dots({ group: { members, reward: summary } }: { readonly group: Group }) {
  const { min, max } = summary;
  const rewards = members.map((member) => member.reward).filter((value) => value !== null);
  const words = rewards.map((value) => formatReward(value)).join(', ') || 'no rewards';
  const at = (value: number) =>
    min === null || max === null || allRewardsEqual(summary)
      ? WIDTH / 2
      : ROOM + ((value - min) / (max - min)) * (WIDTH - 2 * ROOM);
  return (
    <svg class="run-dots" width={WIDTH} height={14} role="img" aria-label={words}>
      <title>{words}</title>
      <line x1={0} x2={WIDTH} y1={7} y2={7} />
      {rewards.map((value, place) => (
        <circle key={place} cx={at(value)} cy={7} r={3} />
      ))}
    </svg>
  );
}

interface HeadProps extends Pick<Props, 'sorting' | 'onSort'> {
  readonly label: string;
  readonly by: GroupSort;
}

function Head({ label, by, sorting, onSort }: HeadProps) {
  const isSorted = sorting.by === by;
  const order = isSorted && sorting.order === 'desc' ? 'asc' : 'desc';
  const ariaSort = isSorted ? (sorting.order === 'asc' ? 'ascending' : 'descending') : 'none';
  return (
    <th class={by === 'task' ? '' : 'number'} aria-sort={ariaSort}>
      <button type="button" class="head" onClick={() => onSort({ by, order })}>
        {label}
        <span aria-hidden="true">{isSorted ? (sorting.order === 'asc' ? ' ↑' : ' ↓') : ''}</span>
      </button>
    </th>
  );
}
