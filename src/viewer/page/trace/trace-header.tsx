import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Trace } from '../../../../generated/trace.ts';
import { formatBytes, formatCount } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { formatShortCount } from '../parts/amounts.ts';
import { CopyButton } from '../parts/copy.tsx';
import { groupHref } from '../parts/group-link.ts';
import { toTraceTimes } from '../parts/recorded.ts';
import { Reward } from '../parts/reward.tsx';
import { StatusBadge } from '../parts/status.tsx';
import { CreatedTime, formatDurationBetween, formatTraceDuration } from '../parts/time.tsx';
import { formatTaskName, shortId } from '../parts/trace-table.tsx';
import { readTokenUsage } from '../parts/usage.ts';
import { VisibleText } from '../payload/shown.tsx';
import { buildHref, navigate } from '../shell/location.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import { ExportMenu } from './export-menu.tsx';
import { type AdjacentTraces, findAdjacentTraces } from './neighbours.ts';
import { TraceNote } from './note.tsx';

interface Props {
  readonly trace: Trace;
  /** Undefined while not everything is known. */
  readonly steps: number | undefined;
  readonly isLive: boolean;
  readonly onSaved: (trace: Trace) => void;
}

/** What a trace is of, and what came of it. */
export function TraceHeader({ trace, steps, isLive, onSaved }: Props) {
  return (
    <header class="tr-header">
      <div class="tr-title">
        <h1 title={trace.id}>
          <VisibleText text={trace.name ?? shortId(trace.id)} />
        </h1>
        <StatusBadge status={trace.status} />
        {isLive && <span class="tr-live">live</span>}
        <span class="tr-total">
          <Reward value={trace.reward_sum} />
        </span>
        <span class="spring" />
        <Neighbour trace={trace} />
        <CopyButton text={trace.id} label="Copy id" />
        <ExportMenu traceId={trace.id} />
      </div>
      <div class="tr-about">
        <Facts trace={trace} steps={steps} />
        <TraceNote trace={trace} onSaved={onSaved} />
      </div>
    </header>
  );
}

function Facts({ trace, steps }: Pick<Props, 'trace' | 'steps'>) {
  const { run, step, model, tags, block_count, error_count, updated_at } = trace;
  const recorded = toTraceTimes(trace);
  const usage = readTokenUsage(trace);
  return (
    <dl class="tr-summary">
      {formatTaskName(trace) !== '–' && (
        <Fact name="Task">
          <VisibleText text={formatTaskName(trace)} />
        </Fact>
      )}
      {model !== null && (
        <Fact name="Model">
          <VisibleText text={model} />
        </Fact>
      )}
      {run !== null && (
        <Fact name="Run">
          <a href={buildHref({ view: 'run', run })}>
            <VisibleText text={run} />
          </a>
          {step !== null && `, step ${step}`}
        </Fact>
      )}
      <GroupLink trace={trace} />
      <Fact name="Steps">{steps === undefined ? '…' : formatCount(steps)}</Fact>
      <Fact name="Blocks">{formatCount(block_count)}</Fact>
      {error_count > 0 && <Fact name="Errors">{formatCount(error_count)}</Fact>}
      {usage && (
        <Fact name="Tokens">
          <span title={`${usage.input ?? '?'} in, ${usage.output ?? '?'} out`}>{formatShortCount(usage.total)}</span>
        </Fact>
      )}
      <Fact name="Size">{formatBytes(trace.bytes)}</Fact>
      <Fact name="Duration">
        {recorded.imported_at === undefined
          ? formatDurationBetween(recorded.created_at, recorded.finished_at ?? updated_at)
          : formatTraceDuration(recorded)}
      </Fact>
      <Fact name="Created">
        <CreatedTime of={recorded} />
      </Fact>
      {tags.length > 0 && (
        <Fact name="Tags">
          {tags.map((tag) => (
            <span key={tag} class="tr-tag">
              <VisibleText text={tag} />
            </span>
          ))}
        </Fact>
      )}
    </dl>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Rollouts of the same task, where there can be others. */
function GroupLink({ trace }: { readonly trace: Trace }) {
  const { task_key, group_id, rollout_index } = trace;
  if (group_id === null && task_key === null) return null;
  return (
    <Fact name="Group">
      <a href={groupHref(trace)}>{rollout_index === null ? 'of this task' : `rollout ${rollout_index}`}</a>
    </Fact>
  );
}

/** The traces before and after this one in its run. */
function Neighbour({ trace }: { readonly trace: Trace }) {
  const org = useOrganization();
  const [found, setFound] = useState<AdjacentTraces>({ previous: undefined, next: undefined });
  const { id, run, created_at } = trace;
  useEffect(() => {
    if (run === null) return;
    const stop = new AbortController();
    findAdjacentTraces({ id, created_at }, (query) =>
      unwrapResponse(
        traceApi.listTraces({
          params: { path: { org }, query: { ...query, run, sort: 'created' } },
          signal: stop.signal,
        }),
      ),
    )
      .then((neighbours) => !stop.signal.aborted && setFound(neighbours))
      // They are not worth a message of their own.
      .catch(() => {});
    return () => stop.abort();
  }, [org, id, run, created_at]);
  const links = {
    previous: found.previous === undefined ? undefined : buildHref({ view: 'trace', trace: found.previous }),
    next: found.next === undefined ? undefined : buildHref({ view: 'trace', trace: found.next }),
  };
  useShortcuts({
    '[': { does: 'previous trace of the run', run: () => follow(links.previous) },
    ']': { does: 'next trace of the run', run: () => follow(links.next) },
  });
  return (
    <nav class="tr-neighbours" aria-label="Traces of the run">
      <Link to={links.previous} label="Previous trace of the run: [" mark="←" />
      <Link to={links.next} label="Next trace of the run: ]" mark="→" />
    </nav>
  );
}

function Link({ to, label, mark }: { readonly to: string | undefined; readonly label: string; readonly mark: string }) {
  if (to === undefined) return <span class="button tr-no-link">{mark}</span>;
  return (
    <a class="button" href={to} aria-label={label} title={label}>
      {mark}
    </a>
  );
}

function follow(link: string | undefined): void {
  if (link !== undefined) navigate(link);
}
