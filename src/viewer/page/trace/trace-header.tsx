import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Trace } from '../../../../generated/trace.ts';
import { formatBytes, formatCount } from '../../../core/index.ts';
import { useCanWrite, useOrganization } from '../api/access.ts';
import { buildHref, navigate, useHash } from '../api/location.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad } from '../api/use-load.ts';
import {
  CreatedTime,
  Facts,
  formatDurationBetween,
  formatTraceDuration,
  Reward,
  StatusBadge,
} from '../parts/badges.tsx';
import { ButtonLink, CopyButton, QuietButton, useDownload } from '../parts/buttons.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { lazy } from '../parts/states.tsx';
import {
  formatCost,
  formatTaskName,
  readCost,
  readGroupReward,
  readNote,
  readTokenUsage,
  toTraceTimes,
} from '../parts/trace-info.ts';
import { groupHref, RunLink, shortId, TokenCount } from '../parts/trace-links.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import type { PanelProps } from '../scores/panel.tsx';
import { type AdjacentTraces, findAdjacentTraces } from './neighbours.ts';
import type { NoteEditorProps } from './note-editor.tsx';

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
        {isLive && <span class="pill live">live</span>}
        <span class="tr-total">
          <Reward value={trace.reward_sum} />
        </span>
        <span class="spring" />
        <Neighbour trace={trace} />
        <CopyButton text={trace.id} label="Copy id" />
        <ExportMenu traceId={trace.id} />
      </div>
      <div class="row tr-about">
        <TraceFacts trace={trace} steps={steps} />
        <TraceNote trace={trace} onSaved={onSaved} />
      </div>
      <Lineage trace={trace} isLoaded={steps !== undefined} />
    </header>
  );
}

const Branches = lazy(
  () => import('./branches.tsx').then((it) => it.Branches),
  () => null,
);

interface LineageProps extends Pick<Props, 'trace'> {
  readonly isLoaded: boolean;
}

/** Shows what the trace continues, and what continues it. Asks for that when the trace is loaded. */
function Lineage({ trace, isLoaded }: LineageProps) {
  const org = useOrganization();
  const query = { parent: trace.id, limit: 1 };
  const { data } = useLoad(isLoaded ? `parent ${trace.id}` : undefined, (signal) =>
    unwrapResponse(traceApi.listTraces({ params: { path: { org }, query }, signal })),
  );
  return trace.parent_trace_id || data?.traces[0] ? <Branches trace={trace} /> : null;
}

function TraceFacts({ trace, steps }: Pick<Props, 'trace' | 'steps'>) {
  const { run, step, model, tags, block_count, error_count, updated_at, task_key, group_id, rollout_index } = trace;
  const task = formatTaskName(trace);
  const recorded = toTraceTimes(trace);
  const groupReward = readGroupReward(trace);
  const cost = readCost(trace);
  return (
    <Facts
      class="row tr-summary"
      facts={{
        Task: task !== '–' && <VisibleText text={task} />,
        Model: model !== null && <VisibleText text={model} />,
        Run: run !== null && <RunLink run={run} />,
        Step: step !== null && formatCount(step),
        // Without a task there are no other rollouts of it.
        Group: (group_id !== null || task_key !== null) && (
          <a href={groupHref(trace)}>{rollout_index === null ? 'of this task' : `rollout ${rollout_index}`}</a>
        ),
        'Group reward': groupReward !== undefined && <Reward value={groupReward} />,
        Steps: steps === undefined ? '…' : formatCount(steps),
        Blocks: formatCount(block_count),
        Errors: error_count > 0 && formatCount(error_count),
        Tokens: readTokenUsage(trace) && <TokenCount trace={trace} />,
        Cost: cost !== undefined && formatCost(cost),
        Size: formatBytes(trace.bytes),
        Duration:
          recorded.imported_at === undefined
            ? formatDurationBetween(recorded.created_at, recorded.finished_at ?? updated_at)
            : formatTraceDuration(recorded),
        Created: <CreatedTime of={recorded} />,
        Tags:
          tags.length > 0 &&
          tags.map((tag) => (
            <span key={tag} class="pill">
              <VisibleText text={tag} />
            </span>
          )),
      }}
    />
  );
}

/** Links to the traces before and after this one in its run. */
function Neighbour({ trace }: { readonly trace: Trace }) {
  const org = useOrganization();
  const [found, setFound] = useState<AdjacentTraces>({ previous: undefined, next: undefined });
  const { id, run, created_at } = trace;
  const has_parent = trace.parent_trace_id !== undefined;
  useEffect(() => {
    if (run === null) return;
    const stop = new AbortController();
    findAdjacentTraces({ id, created_at }, (page) => {
      const params = { path: { org }, query: { ...page, run, has_parent, sort: 'created' as const } };
      return unwrapResponse(traceApi.listTraces({ params, signal: stop.signal }));
    })
      .then((neighbours) => !stop.signal.aborted && setFound(neighbours))
      // The links are optional, so a failure is ignored.
      .catch(() => {});
    return () => stop.abort();
  }, [org, id, run, created_at, has_parent]);
  const href = (id: string | undefined) => id && buildHref({ view: 'trace', trace: id });
  const [previous, next] = [href(found.previous), href(found.next)];
  useShortcuts({
    '[': { description: 'previous trace of the run', run: () => previous && navigate(previous) },
    ']': { description: 'next trace of the run', run: () => next && navigate(next) },
  });
  return (
    <nav class="tr-neighbours" aria-label="Traces of the run">
      <ButtonLink href={previous} label="Previous trace of the run: [">
        ←
      </ButtonLink>
      <ButtonLink href={next} label="Next trace of the run: ]">
        →
      </ButtonLink>
    </nav>
  );
}

const FORMATS = [
  ['jsonl', 'jsonl', 'JSON Lines: all stored fields'],
  ['openai', 'openai.jsonl', 'OpenAI: messages for fine-tuning'],
  ['sharegpt', 'sharegpt.jsonl', 'ShareGPT: conversations'],
  ['atif', 'atif.json', 'ATIF: agent trajectories'],
  ['otlp-json', 'otlp.json', 'OTLP: spans, as JSON'],
  ['html', 'html', 'HTML: a page to send'],
] as const;

type Format = (typeof FORMATS)[number];

/** Exports the trace as a file, in one of the formats of the store. */
function ExportMenu({ traceId }: { readonly traceId: string }) {
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
          <QuietButton key={format[0]} data-format={format[0]} onClick={() => save(format)}>
            {format[2]}
          </QuietButton>
        ))}
        {message && <p role="status">{message}</p>}
      </div>
    </details>
  );
}

/** Loaded when a note is edited. */
const Editor = lazy(() => import('./note-editor.tsx').then((it) => it.NoteEditor));

/** Note about a trace: `metadata.note`. */
function TraceNote({ trace, onSaved }: Omit<NoteEditorProps, 'onClose'>) {
  const mayWrite = useCanWrite();
  const [isEdited, setEdited] = useState(false);
  const note = readNote(trace);
  if (isEdited) return <Editor trace={trace} onSaved={onSaved} onClose={() => setEdited(false)} />;
  return (
    <div class="tr-note">
      {note && (
        <p class="wrapped">
          <VisibleText text={note} />
        </p>
      )}
      {mayWrite && <QuietButton onClick={() => setEdited(true)}>{note ? 'Edit note' : 'Add note'}</QuietButton>}
      <ScoresButton of={{ trace_id: trace.id }} />
    </div>
  );
}

/** Opens the scores of a trace or a run, whose code is loaded when the button is pressed. */
function ScoresButton({ of }: Pick<PanelProps, 'of'>) {
  const [Panel, setPanel] = useState<ComponentType<PanelProps>>();
  const block = useHash();
  const open = () => import('../scores/panel.tsx').then(({ ScorePanel }) => setPanel(() => ScorePanel));
  useShortcuts({ S: { description: 'show scores and comments', run: open } });
  return (
    <>
      <QuietButton onClick={open}>Scores</QuietButton>
      {Panel && (
        <Dialog title="Scores" onClose={() => setPanel(undefined)}>
          <Panel of={of} block={block || undefined} />
        </Dialog>
      )}
    </>
  );
}
