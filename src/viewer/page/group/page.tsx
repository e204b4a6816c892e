import { useEffect, useState } from 'preact/hooks';
import type { Group } from '../../../../generated/trace.ts';
import { plural } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { useLoad } from '../api/use-loaded.ts';
import { formatDecimal } from '../parts/amounts.ts';
import { ErrorCard } from '../parts/failure-card.tsx';
import { groupHref } from '../parts/group-link.ts';
import { IgnoredParams } from '../parts/ignored.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { VisibleText } from '../payload/shown.tsx';
import { useQuery } from '../shell/location.ts';
import { readGroupParams, unknownGroupParams } from './group-name.ts';
import { findGroups, type GroupView, loadGroup, loadSelectedTraces } from './load-group.ts';
import { SideBySide } from './side-by-side.tsx';
import './group.css';

const POLL_LIVE_MS = 3_000;

/** Rollouts of one task side by side, or traces that were chosen: `traces=tr_1,tr_2`. */
export function GroupPage() {
  const org = useOrganization();
  const query = useQuery();
  const name = readGroupParams(query);
  const ids = (query.get('traces') ?? '').split(',').filter((id) => id !== '');
  const [isLive, setLive] = useState(false);
  const { data, failure, reload } = useLoad<GroupView | readonly Group[]>(
    JSON.stringify([name, ids]),
    async (signal) => {
      if (ids.length > 0) return loadSelectedTraces(org, [...new Set(ids)], signal);
      const groups = await findGroups(org, name, signal);
      return groups.length === 1 && groups[0] ? loadGroup(org, groups[0], signal) : groups;
    },
    { everyMs: isLive ? POLL_LIVE_MS : 0 },
  );
  const shown = data && 'members' in data ? data : undefined;
  useEffect(() => setLive(shown?.members.some(({ status }) => status === 'running') ?? false), [shown]);
  document.title = `${titleOf(shown)} – ors`;
  if (failure && !data) return <ErrorCard failure={failure} retry={reload} />;
  if (!data) return <Skeleton lines={12} />;
  if (!shown) return <Choice groups={data as readonly Group[]} />;
  return (
    <>
      {failure && (
        <p class="banner" role="alert">
          Not up to date: {failure.message}
        </p>
      )}
      <SideBySide shown={shown} title={titleOf(shown)} />
    </>
  );
}

function titleOf(shown: GroupView | undefined): string {
  if (!shown) return 'Group';
  const { group } = shown;
  if (!group) return plural(shown.members.length, 'chosen trace');
  const task = [group.environment, group.split].filter((part) => part !== null).join(' ');
  const place = group.task_index === null ? '' : `[${group.task_index}]`;
  const step = group.step === null ? '' : ` at step ${group.step}`;
  return `${`${task}${place}` || group.group_id || 'Group'}${step}`;
}

/** Where the address fits several groups, or none. */
function Choice({ groups }: { readonly groups: readonly Group[] }) {
  const names = unknownGroupParams(useQuery());
  if (groups.length === 0) {
    return (
      <section class="card notice">
        <h2>There is no such group</h2>
        <IgnoredParams names={names} />
        <p>
          Traces are a group when they have the same <code>run</code>, <code>environment</code>, <code>split</code>,
          task and <code>step</code>, or the same <code>group_id</code>. Its traces may have been deleted.
        </p>
        <a class="button" href="?view=runs">
          Look at all runs
        </a>
      </section>
    );
  }
  return (
    <>
      <h1>Which group?</h1>
      <IgnoredParams names={names} />
      <p>The address fits {plural(groups.length, 'group')}.</p>
      <ul class="group-choice">
        {groups.map((group) => (
          <li key={group.key}>
            <a href={groupHref(group)}>
              <VisibleText text={titleOf({ group, reward: group.reward, members: [] })} />
            </a>{' '}
            <small>
              {plural(group.members.length, 'rollout')}, mean {formatDecimal(group.reward.mean)}, std{' '}
              {formatDecimal(group.reward.std)}
            </small>
          </li>
        ))}
      </ul>
    </>
  );
}
