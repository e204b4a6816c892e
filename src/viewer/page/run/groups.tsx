import { useEffect, useRef, useState } from 'preact/hooks';
import type { Group } from '../../../../generated/trace.ts';
import { definedFields, formatCount, plural } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad } from '../api/use-loaded.ts';
import { ErrorCard } from '../parts/failure-card.tsx';
import { LoadMore } from '../parts/more.tsx';
import { explainZeroAdvantage } from '../parts/rewards.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { usePrevious } from '../parts/use-last.ts';
import { navigate, useQuery, withQuery } from '../shell/location.ts';
import type { TraceFilters } from './filters.ts';
import { GroupTable } from './group-table.tsx';
import { readGroupSortOrder, sortGroups } from './sort-groups.ts';

const PAGE = 250;
/** More than these are not read at once: a step has all of its own. */
const MAX_COUNT = 1_000;
const SHOWN = 10;

interface Props {
  readonly run: string;
  readonly filters: TraceFilters;
  /** Changes when the run does. */
  readonly version: string;
  readonly onKnown: (groups: readonly Group[]) => void;
}

/** The rollouts of each task together: those whose rewards differ most first, and those that teach nothing marked. */
export function RunGroups({ run, filters, version, onKnown }: Props) {
  const org = useOrganization();
  const { environment, split, task_key, group_id, step } = filters;
  const query = { run, ...definedFields({ environment, split, task_key, group_id, step }) };
  const { data, failure, reload } = useLoad(JSON.stringify(query), (signal) => readGroups(org, query, signal));
  const first = useRef(version);
  useEffect(() => {
    if (version !== first.current) reload();
  }, [version]);
  const shown = usePrevious(data);
  useEffect(() => {
    if (data) onKnown(data.groups);
  }, [data]);
  return (
    <section class="run-section" aria-labelledby="run-groups">
      <h2 id="run-groups">
        Groups <small>rollouts of one task{step === undefined ? '' : `, of step ${step}`}</small>
      </h2>
      {failure && !shown && <ErrorCard failure={failure} retry={reload} />}
      {!shown && !failure && <Skeleton lines={5} />}
      {shown && <GroupList {...shown} />}
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
        No groups: they are traces of one run, task and step, or of one <code>group_id</code>.
      </p>
    );
  }
  return (
    <>
      <p class="row run-line">
        <span>
          {isAll ? plural(groups.length, 'group') : `the ${formatCount(groups.length)} groups that differ most`}
        </span>
        {idle.length > 0 && (
          <button
            type="button"
            aria-pressed={isOnlyIdle}
            onClick={() => navigate(withQuery({ groups: isOnlyIdle ? undefined : 'idle' }), { replace: true })}
          >
            {`${idle.length === 1 ? '1 teaches' : `${formatCount(idle.length)} teach`} nothing`}
          </button>
        )}
        {!isAll && <small>Choose a step to see all of its groups.</small>}
      </p>
      <GroupTable
        groups={listed.slice(0, limit)}
        sorting={sorting}
        onSort={({ by, order }) => navigate(withQuery({ gsort: by, gorder: order }), { replace: true })}
      />
      {listed.length > SHOWN && (
        <LoadMore
          shown={`${formatCount(Math.min(limit, listed.length))} of ${plural(listed.length, 'group')}`}
          hasMore={limit < listed.length}
          isLoading={false}
          onMore={() => setLimit(limit + 50)}
        />
      )}
    </>
  );
}

async function readGroups(org: string, query: { readonly run: string }, signal: AbortSignal): Promise<LoadedGroups> {
  const groups: Group[] = [];
  let cursor: string | null | undefined;
  do {
    const asked = { ...query, sort: 'std' as const, limit: PAGE, ...(cursor && { cursor }) };
    const response = await unwrapResponse(traceApi.listGroups({ params: { path: { org }, query: asked }, signal }));
    groups.push(...response.groups);
    cursor = response.page.next_cursor;
  } while (cursor && groups.length < MAX_COUNT);
  return { groups, isAll: !cursor };
}
