import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Trace } from '../../../../generated/trace.ts';
import { formatBytes, formatCount } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { answerOf, api } from '../api/store.ts';
import { shortCount } from '../parts/amounts.ts';
import { Copy } from '../parts/copy.tsx';
import { groupLink } from '../parts/group-link.ts';
import { recordedOf } from '../parts/recorded.ts';
import { Reward } from '../parts/reward.tsx';
import { Status } from '../parts/status.tsx';
import { Created, duration, tookOf } from '../parts/time.tsx';
import { shortId, taskOf } from '../parts/trace-table.tsx';
import { usageOf } from '../parts/usage.ts';
import { Visible } from '../payload/shown.tsx';
import { href, navigate } from '../shell/location.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import { ExportMenu } from './export-menu.tsx';
import { type Neighbours, neighboursOf } from './neighbours.ts';
import { Note } from './note.tsx';

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
          <Visible text={trace.name ?? shortId(trace.id)} />
        </h1>
        <Status status={trace.status} />
        {isLive && <span class="tr-live">live</span>}
        <span class="tr-total">
          <Reward value={trace.reward_sum} />
        </span>
        <span class="spring" />
        <Neighbour trace={trace} />
        <Copy text={trace.id} label="Copy id" />
        <ExportMenu traceId={trace.id} />
      </div>
      <div class="tr-about">
        <Facts trace={trace} steps={steps} />
        <Note trace={trace} onSaved={onSaved} />
      </div>
    </header>
  );
}

function Facts({ trace, steps }: Pick<Props, 'trace' | 'steps'>) {
  const { run, step, model, tags, block_count, error_count, updated_at } = trace;
  const recorded = recordedOf(trace);
  const usage = usageOf(trace);
  return (
    <dl class="tr-summary">
      {taskOf(trace) !== '–' && (
        <Fact name="Task">
          <Visible text={taskOf(trace)} />
        </Fact>
      )}
      {model !== null && (
        <Fact name="Model">
          <Visible text={model} />
        </Fact>
      )}
      {run !== null && (
        <Fact name="Run">
          <a href={href({ view: 'run', run })}>
            <Visible text={run} />
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
          <span title={`${usage.input ?? '?'} in, ${usage.output ?? '?'} out`}>{shortCount(usage.total)}</span>
        </Fact>
      )}
      <Fact name="Size">{formatBytes(trace.bytes)}</Fact>
      <Fact name="Duration">
        {recorded.imported_at === undefined
          ? duration(recorded.created_at, recorded.finished_at ?? updated_at)
          : tookOf(recorded)}
      </Fact>
      <Fact name="Created">
        <Created of={recorded} />
      </Fact>
      {tags.length > 0 && (
        <Fact name="Tags">
          {tags.map((tag) => (
            <span key={tag} class="tr-tag">
              <Visible text={tag} />
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
      <a href={groupLink(trace)}>{rollout_index === null ? 'of this task' : `rollout ${rollout_index}`}</a>
    </Fact>
  );
}

/** The traces before and after this one in its run. */
function Neighbour({ trace }: { readonly trace: Trace }) {
  const org = useOrganization();
  const [found, setFound] = useState<Neighbours>({ previous: undefined, next: undefined });
  const { id, run, created_at } = trace;
  useEffect(() => {
    if (run === null) return;
    const stop = new AbortController();
    neighboursOf({ id, created_at }, (query) =>
      answerOf(
        api.listTraces({ params: { path: { org }, query: { ...query, run, sort: 'created' } }, signal: stop.signal }),
      ),
    )
      .then((neighbours) => !stop.signal.aborted && setFound(neighbours))
      // They are not worth a message of their own.
      .catch(() => {});
    return () => stop.abort();
  }, [org, id, run, created_at]);
  const links = {
    previous: found.previous === undefined ? undefined : href({ view: 'trace', trace: found.previous }),
    next: found.next === undefined ? undefined : href({ view: 'trace', trace: found.next }),
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
