import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Group } from '../../../../generated/trace.ts';
import { formatCount, plural } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { buildHref, changeQuery, useQuery } from '../api/location.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad } from '../api/use-load.ts';
import { alignColumns } from '../parts/align.ts';
import { Facts } from '../parts/badges.tsx';
import { Button, ButtonLink, useDownload } from '../parts/buttons.tsx';
import { explainZeroAdvantage, formatDecimal, formatReward } from '../parts/rewards.ts';
import { Banner, IgnoredParams, Loaded } from '../parts/states.tsx';
import { groupHref, groupParams, RunLink } from '../parts/trace-links.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { Grid } from './grid.tsx';
import { findGroups, type GroupView, loadGroup, loadSelectedTraces, useSteps } from './load-group.ts';
import { type AgentStep, readGroupParams, toAxisDots, unknownGroupParams } from './steps.ts';
import './group.css';

const POLL_LIVE_MS = 3_000;

/** Shows rollouts of one task side by side, or selected traces: `traces=tr_1,tr_2`. */
export function GroupPage() {
  const org = useOrganization();
  const query = useQuery();
  const name = readGroupParams(query);
  const ids = (query.get('traces') ?? '').split(',').filter((id) => id !== '');
  const [isLive, setLive] = useState(false);
  const loaded = useLoad<GroupView | readonly Group[]>(
    JSON.stringify([name, ids]),
    async (signal) => {
      if (ids.length > 0) return loadSelectedTraces(org, [...new Set(ids)], signal);
      const groups = await findGroups(org, name, signal);
      return groups.length === 1 && groups[0] ? loadGroup(org, groups[0], signal) : groups;
    },
    { everyMs: isLive ? POLL_LIVE_MS : 0 },
  );
  const shown = loaded.data && 'members' in loaded.data ? loaded.data : undefined;
  useEffect(() => setLive(shown?.members.some(({ status }) => status === 'running') ?? false), [shown]);
  document.title = `${titleOf(shown)} – ors`;
  return (
    <Loaded state={loaded} lines={12} isPolled>
      {(data) => ('members' in data ? <SideBySide shown={data} title={titleOf(data)} /> : <Choice groups={data} />)}
    </Loaded>
  );
}

function titleOf(shown: GroupView | undefined): string {
  if (!shown) return 'Group';
  const { group } = shown;
  if (!group) return plural(shown.members.length, 'selected trace');
  const task = [group.environment, group.split].filter((part) => part !== null).join(' ');
  const index = group.task_index === null ? '' : `[${group.task_index}]`;
  const step = group.step === null ? '' : ` at step ${group.step}`;
  return `${`${task}${index}` || group.group_id || 'Group'}${step}`;
}

/** Shown if several groups match the address, or none. */
function Choice({ groups }: { readonly groups: readonly Group[] }) {
  const names = unknownGroupParams(useQuery());
  if (groups.length === 0) {
    return (
      <section class="card notice">
        <h1>Group not found</h1>
        <IgnoredParams names={names} />
        <p>
          Traces form a group if they have the same <code>run</code>, <code>environment</code>, <code>split</code>, task
          and <code>step</code>, or the same <code>group_id</code>. Its traces may have been deleted.
        </p>
        <ButtonLink href="?view=runs">All runs</ButtonLink>
      </section>
    );
  }
  return (
    <>
      <h1>Choose a group</h1>
      <IgnoredParams names={names} />
      <p>The address matches {plural(groups.length, 'group')}.</p>
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

const NO_STEPS: readonly AgentStep[] = [];

/** Shows members as columns and their steps as rows. */
function SideBySide({ shown, title }: { readonly shown: GroupView; readonly title: string }) {
  const { group, members } = shown;
  const query = useQuery();
  const { steps, failure } = useSteps(members);
  const named = members.findIndex(({ trace_id }) => trace_id === query.get('reference'));
  const reference = Math.max(0, named);
  const alignment = useMemo(
    () =>
      alignColumns(
        members.map(({ trace_id }) => steps.get(trace_id)?.steps ?? NO_STEPS),
        reference,
      ),
    [members, steps, reference],
  );
  const missing = members.length - steps.size;
  const isFolded = query.get('prefix') !== 'open';
  return (
    <>
      <header class="row">
        <h1>{title}</h1>
        {group && <GroupLinks group={group} />}
      </header>
      <IgnoredParams names={unknownGroupParams(query, members)} />
      <Summary shown={shown} />
      <RewardAxis shown={shown} reference={reference} />
      {failure && <Banner>Not all steps could be loaded: {failure.message}</Banner>}
      <p class="row line muted group-line" aria-live="polite">
        {missing > 0 && !failure
          ? `Loading the steps of ${plural(missing, 'trace')} …`
          : `${plural(alignment.rows.length, 'row')} of steps; differences from the reference are marked ≠.`}
        {alignment.commonCount > 0 && members.length > 1 && (
          <Button aria-pressed={isFolded} onClick={() => changeQuery({ prefix: isFolded ? 'open' : undefined })}>
            {`Fold the common prefix (${plural(alignment.commonCount, 'step')})`}
          </Button>
        )}
      </p>
      <Grid
        members={members}
        steps={steps}
        alignment={alignment}
        reference={reference}
        isFolded={isFolded}
        isReady={missing <= 0}
      />
    </>
  );
}

function GroupLinks({ group }: { readonly group: Group }) {
  const { run, step, task_key } = group;
  if (run === null) return null;
  return (
    <>
      <span>
        of <RunLink run={run} />
      </span>
      <span class="spring" />
      <SendButton group={group} />
      <a href={buildHref({ view: 'run', ...groupParams(group) })}>Table of its traces</a>
      {task_key !== null && step !== null && (
        <a href={buildHref({ view: 'run', run, task_key, groups: 'all', gsort: 'step', gorder: 'asc' })}>
          This task at all steps
        </a>
      )}
    </>
  );
}

/** Saves the rollouts of the group as one page to share. */
function SendButton({ group }: { readonly group: Group }) {
  const org = useOrganization();
  const { message, isRunning, download } = useDownload();
  const save = () => {
    const { model } = group;
    const query = { ...groupParams(group), ...(model !== null && { model }), format: 'html' as const };
    const file = unwrapResponse(traceApi.exportTraces({ params: { path: { org }, query } }));
    return download('html', file, 'group.html');
  };
  return (
    <>
      {message && <small role="status">{message}</small>}
      <Button disabled={isRunning} title="One HTML file with all rollouts, to share" onClick={save}>
        Save as HTML
      </Button>
    </>
  );
}

function Summary({ shown: { reward, members } }: { readonly shown: GroupView }) {
  const idle = explainZeroAdvantage(reward);
  return (
    <Facts
      class="row group-summary"
      facts={{
        Rollouts: formatCount(members.length),
        'Mean reward': formatDecimal(reward.mean),
        Std: formatDecimal(reward.std),
        Min: formatDecimal(reward.min),
        Max: formatDecimal(reward.max),
        'Learning signal':
          idle === undefined ? (
            'rewards differ'
          ) : (
            <span class="idle">{`zero-variance: ${idle}, so every advantage is 0`}</span>
          ),
      }}
    />
  );
}

const AXIS_PX = 480;
const EDGE_PX = 8;
const DOT_PX = 7;
/** More dots at one position are drawn over each other. */
const MAX_LEVEL = 11;

/** Shows the rewards of all rollouts on one axis, with their mean; the reference is filled. */
function RewardAxis({
  shown: { reward, members },
  reference,
}: {
  readonly shown: GroupView;
  readonly reference: number;
}) {
  const dots = useMemo(() => toAxisDots(members.map((member) => member.reward)), [members]);
  const { min, max, mean } = reward;
  if (dots.length < 2 || min === null || max === null || mean === null) return null;
  const rows = Math.min(MAX_LEVEL, Math.max(...dots.map(({ level }) => level))) + 1;
  const base = rows * DOT_PX + 4;
  const toX = (at: number) => EDGE_PX + at * (AXIS_PX - 2 * EDGE_PX);
  return (
    <figure class="group-axis">
      <svg
        viewBox={`0 0 ${AXIS_PX} ${base + 6}`}
        role="img"
        aria-label={`${plural(dots.length, 'reward')} from ${formatReward(min)} to ${formatReward(max)}, mean ${formatReward(mean)}`}
      >
        <path stroke="var(--line-strong)" d={`M${EDGE_PX} ${base}H${AXIS_PX - EDGE_PX}`} />
        {max > min && <path stroke="var(--text)" d={`M${toX((mean - min) / (max - min))} ${base - 4}v9`} />}
        {dots.map(({ index, at, level }) => (
          <circle
            key={index}
            class={index === reference ? 'group-dot group-dot-reference' : 'group-dot'}
            cx={toX(at)}
            cy={base - 4 - Math.min(level, MAX_LEVEL) * DOT_PX}
            r={3}
          >
            <title>{formatReward(members[index]?.reward)}</title>
          </circle>
        ))}
      </svg>
      <figcaption class="row muted">
        <span>{formatReward(min)}</span>
        <span>mean {formatReward(mean)}</span>
        <span>{formatReward(max)}</span>
      </figcaption>
    </figure>
  );
}
