import { useEffect, useRef, useState } from 'preact/hooks';
import type { Trace } from '../../../../generated/trace.ts';
import { formatBytes, formatCount } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { buildHref, navigate } from '../api/location.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import {
  CreatedTime,
  Fact,
  formatDurationBetween,
  formatTraceDuration,
  Reward,
  StatusBadge,
} from '../parts/badges.tsx';
import { CopyButton, useDownload } from '../parts/buttons.tsx';
import { readTokenUsage, toTraceTimes } from '../parts/trace-info.ts';
import { formatTaskName, groupHref, shortId, TokenCount } from '../parts/trace-table.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { type AdjacentTraces, findAdjacentTraces } from './neighbours.ts';
import { TraceNote } from './note.tsx';

interface Props {
  readonly trace: Trace;
  /** Undefined until everything is loaded. */
  readonly steps: number | undefined;
  readonly isLive: boolean;
  readonly onSaved: (trace: Trace) => void;
}

/** Shows the task, the numbers and the actions of a trace. */
export function TraceHeader({ trace, steps, isLive, onSaved }: Props) {
  return (
    <header class="stack tr-header">
      <div class="row tr-title">
        <h1 class="clipped" title={trace.id}>
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
      <div class="row tr-about">
        <Facts trace={trace} steps={steps} />
        <TraceNote trace={trace} onSaved={onSaved} />
      </div>
    </header>
  );
}

function Facts({ trace, steps }: Pick<Props, 'trace' | 'steps'>) {
  const { run, step, model, tags, block_count, error_count, updated_at } = trace;
  const recorded = toTraceTimes(trace);
  return (
    <dl class="row facts tr-summary">
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
      {readTokenUsage(trace) && (
        <Fact name="Tokens">
          <TokenCount trace={trace} />
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

/** Link to the rollouts of the same task, if there can be others. */
function GroupLink({ trace }: { readonly trace: Trace }) {
  const { task_key, group_id, rollout_index } = trace;
  if (group_id === null && task_key === null) return null;
  return (
    <Fact name="Group">
      <a href={groupHref(trace)}>{rollout_index === null ? 'of this task' : `rollout ${rollout_index}`}</a>
    </Fact>
  );
}

/** Links to the traces before and after this one in its run. */
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
      // A failure is not worth a message.
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

const FORMATS = [
  ['jsonl', 'jsonl', 'JSON Lines: all stored fields'],
  ['openai', 'openai.jsonl', 'OpenAI: messages for fine-tuning'],
  ['sharegpt', 'sharegpt.jsonl', 'ShareGPT: conversations'],
  ['atif', 'atif.json', 'ATIF: agent trajectories'],
  ['otlp-json', 'otlp.json', 'OTLP: spans, as JSON'],
] as const;

type Format = (typeof FORMATS)[number];

/** Exports the trace as a file, in one of the formats of the store. */
export function ExportMenu({ traceId }: { readonly traceId: string }) {
  const org = useOrganization();
  const menu = useRef<HTMLDetailsElement>(null);
  const { message, download } = useDownload();
  const save = async ([format, ending]: Format) => {
    const params = { path: { org, traceId }, query: { format } };
    const file = unwrapResponse(traceApi.exportTrace({ params }));
    if (await download(format, file, `${traceId}.${ending}`)) menu.current?.removeAttribute('open');
  };
  return (
    <details class="tr-menu" ref={menu}>
      <summary class="button">Export</summary>
      <div class="raised stack tr-menu-items">
        {FORMATS.map((format) => (
          <button key={format[0]} type="button" class="quiet" data-format={format[0]} onClick={() => save(format)}>
            {format[2]}
          </button>
        ))}
        {message && <p role="status">{message}</p>}
      </div>
    </details>
  );
}
