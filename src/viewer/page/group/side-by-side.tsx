import { useMemo } from 'preact/hooks';
import { formatCount, plural } from '../../../core/index.ts';
import { formatDecimal } from '../parts/amounts.ts';
import { IgnoredParams } from '../parts/ignored.tsx';
import { explainZeroAdvantage } from '../parts/rewards.ts';
import { buildHref, navigate, useQuery, withQuery } from '../shell/location.ts';
import { alignColumns } from './align.ts';
import { Grid } from './grid.tsx';
import { unknownGroupParams } from './group-name.ts';
import type { GroupView } from './load-group.ts';
import type { AgentStep } from './steps.ts';
import { useSteps } from './use-steps.ts';

const NO_STEPS: readonly AgentStep[] = [];

/** The members as columns, their steps as rows. */
export function SideBySide({ shown, title }: { readonly shown: GroupView; readonly title: string }) {
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
        {group && <GroupLinks {...{ group }} />}
      </header>
      <IgnoredParams names={unknownGroupParams(query, members)} />
      <Summary shown={shown} />
      {failure && (
        <p class="banner" role="alert">
          Not all steps could be read: {failure.message}
        </p>
      )}
      <p class="row group-line" aria-live="polite">
        {missing > 0 && !failure
          ? `Reading the steps of ${plural(missing, 'trace')} …`
          : `${plural(alignment.rows.length, 'row')} of steps; what differs from the reference is marked ≠.`}
        {alignment.commonCount > 0 && members.length > 1 && (
          <button
            type="button"
            aria-pressed={isFolded}
            onClick={() => navigate(withQuery({ prefix: isFolded ? 'open' : undefined }), { replace: true })}
          >
            {`Fold what all begin with (${plural(alignment.commonCount, 'step')})`}
          </button>
        )}
      </p>
      <Grid {...{ members, steps, alignment, reference, isFolded }} isReady={missing <= 0} />
    </>
  );
}

function GroupLinks({ group }: { readonly group: NonNullable<GroupView['group']> }) {
  const { run, step, task_key, group_id, environment, split } = group;
  if (run === null) return null;
  const filter = Object.entries({ step, task_key, group_id, environment, split }).filter(([, value]) => value !== null);
  return (
    <>
      <span>
        of <a href={buildHref({ view: 'run', run })}>{run}</a>
      </span>
      <span class="spring" />
      <a href={buildHref({ view: 'run', run, ...Object.fromEntries(filter) })}>Its traces as a table</a>
      {task_key !== null && step !== null && (
        <a href={buildHref({ view: 'run', run, task_key, groups: 'all', gsort: 'step', gorder: 'asc' })}>
          This task at all steps
        </a>
      )}
    </>
  );
}

function Summary({ shown: { reward, members } }: { readonly shown: GroupView }) {
  const idle = explainZeroAdvantage(reward);
  return (
    <dl class="group-summary">
      <div>
        <dt>Rollouts</dt>
        <dd>{formatCount(members.length)}</dd>
      </div>
      <div>
        <dt>Mean reward</dt>
        <dd>{formatDecimal(reward.mean)}</dd>
      </div>
      <div>
        <dt>Std</dt>
        <dd>{formatDecimal(reward.std)}</dd>
      </div>
      <div>
        <dt>Range</dt>
        <dd>{reward.count === 0 ? '–' : `${formatDecimal(reward.min)} … ${formatDecimal(reward.max)}`}</dd>
      </div>
      <div>
        <dt>What it teaches</dt>
        <dd class={idle === undefined ? '' : 'group-nothing'}>
          {idle === undefined ? 'rewards differ' : `nothing: ${idle}, so every advantage is 0`}
        </dd>
      </div>
    </dl>
  );
}
