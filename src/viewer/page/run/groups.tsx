import { useEffect, useRef, useState } from 'preact/hooks';
import type { Group } from '../../../../generated/trace.ts';
import { definedFields, formatCount, plural } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { changeQuery, type UrlQuery, useQuery, withQuery } from '../api/location.ts';
import { collectPages, traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad } from '../api/use-load.ts';
import { Button } from '../parts/buttons.tsx';
import { usePrevious } from '../parts/hooks.ts';
import { type Column, LoadMore, Table } from '../parts/list.tsx';
import { allRewardsEqual, explainZeroAdvantage, formatDecimal, formatRange, formatReward } from '../parts/rewards.ts';
import { Loaded } from '../parts/states.tsx';
import { formatTaskName } from '../parts/trace-info.ts';
import { groupHref } from '../parts/trace-links.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { type GroupSort, readGroupSortOrder, sortGroups, type TraceFilters } from './filters.ts';

const PAGE = 250;
/** Maximum number of pages to load; every step has its own groups. */
const MAX_PAGES = 4;
const SHOWN = 10;

interface Props {
  readonly run: string;
  readonly filters: TraceFilters;
  /** Time of the last change of the run. */
  readonly version: string;
  readonly onSeen: (groups: readonly Group[]) => void;
}

/** Lists the groups of a run, highest deviation first, and marks those without a learning signal. */
export function RunGroups({ run, filters, version, onSeen }: Props) {
  const org = useOrganization();
  const { environment, split, task_key, group_id, step, model, q, query: search } = filters;
  const query = {
    run,
    ...definedFields({ environment, split, task_key, group_id, step, model, q, query: search }),
  };
  const { data, failure, reload } = useLoad(JSON.stringify(query), (signal) => readGroups(org, query, signal));
  const first = useRef(version);
  useEffect(() => {
    if (version !== first.current) reload();
  }, [version]);
  useEffect(() => {
    if (data) onSeen(data.groups);
  }, [data]);
  return (
    <section class="stack run-section" aria-labelledby="run-groups">
      <h2 id="run-groups">
        Groups{' '}
        <small>
          rollouts of one task{step === undefined ? '' : `, of step ${step}`}
          {(Object.keys(filters).length > Object.keys(query).length - 1 || q !== undefined || search !== undefined) &&
            '; whole groups, whatever else is filtered'}
        </small>
      </h2>
      <Loaded state={{ data: usePrevious(data), failure, reload }} lines={5}>
        {(shown) => <GroupList {...shown} />}
      </Loaded>
    </section>
  );
}

interface LoadedGroups {
  readonly groups: readonly Group[];
  readonly isAll: boolean;
}

function GroupList({ groups, isAll }: LoadedGroups) {
  const query = useQuery();
  const [limit, setLimit] = useState(SHOWN);
  const isOnlyIdle = query.get('groups') === 'idle';
  const idle = groups.filter(({ reward }) => explainZeroAdvantage(reward) !== undefined);
  const sorting = readGroupSortOrder(query);
  const listed = sortGroups(isOnlyIdle ? idle : groups, sorting);
  if (groups.length === 0) {
    return (
      <p class="none">
        No groups. A group has the traces of one run, task and step, or of one <code>group_id</code>.
      </p>
    );
  }
  return (
    <>
      <p class="row line muted run-line">
        <span>
          {isAll
            ? plural(groups.length, 'group')
            : `the ${formatCount(groups.length)} groups with the highest deviation`}
        </span>
        {idle.length > 0 && (
          <Button aria-pressed={isOnlyIdle} onClick={() => changeQuery({ groups: isOnlyIdle ? undefined : 'idle' })}>
            {`${formatCount(idle.length)} without a learning signal`}
          </Button>
        )}
        {!isAll && <small>Select a step to see all of its groups.</small>}
      </p>
      <Table
        class="groups"
        columns={new Set(groups.map(({ model }) => model)).size > 1 ? COLUMNS_WITH_MODEL : COLUMNS}
        rows={listed.slice(0, limit)}
        keyOf={({ key }) => key}
        attributesOf={({ reward }) => ({ class: explainZeroAdvantage(reward) === undefined ? '' : 'run-idle' })}
        sorting={sorting}
        onSort={({ sort, order }) => changeQuery({ gsort: sort, gorder: order })}
      />
      {listed.length > SHOWN && (
        <LoadMore list={{ hasMore: limit < listed.length, loadMore: () => setLimit(limit + 50) }}>
          {`${formatCount(Math.min(limit, listed.length))} of ${plural(listed.length, 'group')}`}
        </LoadMore>
      )}
    </>
  );
}

async function readGroups(org: string, query: { readonly run: string }, signal: AbortSignal): Promise<LoadedGroups> {
  const { pages, isAll } = await collectPages((next) => {
    const params = { path: { org }, query: { ...query, sort: 'std' as const, limit: PAGE, ...next } };
    return unwrapResponse(traceApi.listGroups({ params, signal }));
  }, MAX_PAGES);
  return { groups: pages.flatMap(({ groups }) => groups), isAll };
}

const STEP: Column<Group, GroupSort> = {
  label: 'Step',
  class: 'number',
  sort: 'step',
  cell: ({ step }) => step ?? '–',
};
const MODEL: Column<Group, GroupSort> = {
  label: 'Model',
  class: 'wide',
  cell: ({ model }) => <VisibleText text={model ?? '–'} />,
};

const COLUMNS: readonly Column<Group, GroupSort>[] = [
  {
    label: 'Task',
    class: 'name',
    sort: 'task',
    cell: (group) => (
      <a href={groupHref(group)} title={group.task_key ?? group.group_id ?? ''}>
        <VisibleText text={nameOf(group)} />
      </a>
    ),
  },
  STEP,
  { label: 'Rollouts', class: 'number wide', cell: ({ members }) => members.length },
  { label: 'Mean', class: 'number', sort: 'mean', cell: ({ reward }) => formatDecimal(reward.mean) },
  { label: 'Std', class: 'number strong', sort: 'std', cell: ({ reward }) => formatDecimal(reward.std) },
  { label: 'Range', class: 'number wide', cell: ({ reward }) => formatRange(reward, 2) },
  { label: 'Rewards', class: 'wide', cell: (group) => <Dots group={group} /> },
  {
    label: 'Learning signal',
    class: 'wide',
    cell: ({ reward }) => {
      const idle = explainZeroAdvantage(reward);
      if (idle === undefined) return <span class="muted">rewards differ</span>;
      return <span class="idle">{`none: ${idle}`}</span>;
    },
  },
  { label: 'Traces', class: 'wide', cell: (group) => <a href={withQuery(filterFor(group))}>show traces</a> },
];

/** For groups of several models. */
const COLUMNS_WITH_MODEL = COLUMNS.flatMap((column) => (column === STEP ? [MODEL, column] : [column]));

function nameOf(group: Group): string {
  const task = formatTaskName(group);
  if (group.group_id === null) return task;
  return task === '–' ? group.group_id : `${task} (${group.group_id})`;
}

/** Returns the filter for the traces of a group. */
function filterFor({ step, group_id, environment, split, task_key, model }: Group): UrlQuery {
  const filter = group_id === null ? { environment, split, task_key, step, model } : { group_id, step };
  return Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, value ?? undefined]));
}

const WIDTH = 96;
const ROOM = 5;

/** Shows each reward as a mark between the minimum and maximum of the group. */
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
      {rewards.map((value, index) => (
        <circle key={index} cx={at(value)} cy={7} r={3} />
      ))}
    </svg>
  );
}
