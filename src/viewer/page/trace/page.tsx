import { useMemo, useState } from 'preact/hooks';
import type { Trace } from '../../../../generated/trace.ts';
import { plural } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { useQuery } from '../api/location.ts';
import { RequestError } from '../api/request-error.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { EXAMPLE_BLOCK, logCommands } from '../api/store.ts';
import { QuietButton, Snippet } from '../parts/buttons.tsx';
import { useNow } from '../parts/hooks.ts';
import { Banner, ErrorCard, IgnoredParams, lazy, Skeleton } from '../parts/states.tsx';
import { shortId } from '../parts/trace-links.tsx';
import { HighlightContext, VisibleText } from '../parts/visible-text.tsx';
import type { TraceFeed } from './feed.ts';
import { Inspector } from './inspector.tsx';
import type { TranscriptRow } from './outline.ts';
import { OutlinePane } from './outline-pane.tsx';
import { outlineToSteps } from './reward-steps.ts';
import { RewardStrip } from './reward-strip.tsx';
import { SearchBar } from './search-bar.tsx';
import { TraceHeader } from './trace-header.tsx';
import { Transcript } from './transcript.tsx';
import { useFeed } from './use-feed.ts';
import { useTranscript } from './use-reading.ts';
import { unknownTraceParams } from './visible-rows.ts';
import './trace.css';
import './header.css';
import './outline.css';
import './transcript.css';
import './narrow.css';
import './print.css';

/** Shows a trace: its outline, its transcript, and all stored fields of a block. */
export function TracePage() {
  const id = useQuery().get('trace') ?? '';
  if (id === '') return <ErrorCard failure={new RequestError('missing', 0, 'the address names no trace')} />;
  return <LoadTrace key={id} id={id} />;
}

function LoadTrace({ id }: { readonly id: string }) {
  const org = useOrganization();
  const { feed, payloads } = useFeed(org, id);
  const { trace, failure } = feed.state;
  document.title = `${trace?.name ?? shortId(id)} – ors`;
  if (!trace && failure) return <ErrorCard failure={failure} retry={() => feed.retry()} />;
  if (!trace) return <Skeleton lines={12} />;
  return <TraceView feed={feed} payloads={payloads} org={org} />;
}

function TraceView({ feed, payloads, org }: ReturnType<typeof useFeed> & { readonly org: string }) {
  const reading = useTranscript({ feed, org });
  const ignored = unknownTraceParams(useQuery());
  const { trace, isComplete, isLive } = feed.state;
  const { outline } = feed;
  const steps = useMemo(() => outlineToSteps(outline), [outline, outline.version]);
  if (!trace) return null;
  const { panes, search } = reading;
  return (
    <HighlightContext.Provider value={search.text}>
      <div
        class={`stack tr-page ${panes.outline ? 'tr-has-outline' : ''} ${panes.inspector ? 'tr-has-inspector' : ''}`}
      >
        <TraceHeader
          trace={trace}
          steps={isComplete ? steps.length : undefined}
          isLive={isLive && trace.status === 'running'}
          onSaved={(saved) => feed.setTrace(saved)}
        />
        <SearchBar search={search} panes={panes} />
        <IgnoredParams names={ignored} />
        <WarningsBanner trace={trace} />
        <LiveBanner feed={feed} missing={reading.row ? undefined : reading.view.chosen} />
        <div class="tr-main">
          {panes.outline && <OutlinePane reading={reading} />}
          {outline.size === 0 && isComplete ? (
            <EmptyTrace trace={trace} />
          ) : (
            <Transcript reading={reading} feed={feed} trace={trace} payloads={payloads} />
          )}
          {panes.inspector && <Inspector reading={reading} outline={outline} trace={trace} payloads={payloads} />}
        </div>
        <Strip reading={reading} feed={feed} trace={trace} steps={steps} />
      </div>
    </HighlightContext.Provider>
  );
}

const TimeLine = lazy(
  () => import('./time-line.tsx').then((it) => it.TimeLine),
  () => <p class="tr-strip-text">…</p>,
);

/** Kept for the next trace. */
let isTimeShown = false;

interface StripProps {
  readonly reading: ReturnType<typeof useTranscript>;
  readonly feed: TraceFeed;
  readonly trace: Trace;
  readonly steps: ReturnType<typeof outlineToSteps>;
}

/** Strip below the transcript: the rewards of the steps, or the time line. */
function Strip({ reading, feed: { outline }, trace, steps }: StripProps) {
  const [isTime, setTime] = useState(isTimeShown);
  const toggle = () => {
    isTimeShown = !isTime;
    setTime(isTimeShown);
  };
  useShortcuts({ t: { description: 'show the time line or the rewards', run: toggle } });
  if (outline.size === 0 || (steps.length === 0 && !isTime)) return null;
  const go = (row: TranscriptRow) => row.blocks[0] && reading.go(row.blocks[0].id);
  return (
    <section class="tr-strip" aria-label={isTime ? 'Time line' : 'Rewards'}>
      {isTime ? (
        <TimeLine outline={outline} trace={trace} chosen={reading.row} onGo={go} />
      ) : (
        <RewardStrip steps={steps} chosen={reading.row} onGo={({ block }) => reading.go(block.id)} />
      )}
      <QuietButton class="tr-strip-toggle" aria-pressed={isTime} title="Time line: t" onClick={toggle}>
        Time
      </QuietButton>
    </section>
  );
}

/** Lists the unusual values that a script logged, and how they are stored. */
function WarningsBanner({ trace: { warnings = [] } }: { readonly trace: Trace }) {
  if (warnings.length === 0) return null;
  return (
    <Banner>
      <details class="tr-warnings">
        <summary>{plural(warnings.length, 'warning')} about logged values</summary>
        <ul>
          {warnings.map(({ event_id, path, message }, index) => (
            <li key={index}>
              <code>
                <VisibleText text={event_id + path} />
              </code>{' '}
              <VisibleText text={message} />
            </li>
          ))}
        </ul>
      </details>
    </Banner>
  );
}

interface LiveBannerProps {
  readonly feed: TraceFeed;
  /** Block of the address that the trace does not have. */
  readonly missing: string | undefined;
}

/** Shows what is wrong with the trace: deleted, disconnected or incomplete. */
function LiveBanner({ feed, missing }: LiveBannerProps) {
  const { failure, retryAt, isDeleted, isComplete, trace } = feed.state;
  if (isDeleted) return <Banner>This trace was deleted. The loaded part is still shown.</Banner>;
  if (failure) {
    return (
      <Banner>
        Disconnected: {failure.message}. <Countdown to={retryAt} />
        <QuietButton onClick={() => feed.retry()}>Try now</QuietButton>
      </Banner>
    );
  }
  if (missing !== undefined)
    return <Banner>{isComplete ? `This trace has no block ${missing}.` : `Looking for block ${missing} …`}</Banner>;
  const { size } = feed.outline;
  if (isComplete || !trace || size === 0) return null;
  return (
    <progress class="tr-progress" max={Math.max(1, trace.block_count)} value={size} aria-label="Reading the outline" />
  );
}

function Countdown({ to }: { readonly to: number | undefined }) {
  const now = useNow(250);
  if (to === undefined) return null;
  const seconds = Math.max(0, Math.ceil((to - now) / 1_000));
  return <span>{seconds === 0 ? 'Trying again …' : `Trying again in ${seconds} s.`}</span>;
}

/** Explains how to log the first block, which then appears automatically. */
function EmptyTrace({ trace: { id } }: { readonly trace: Trace }) {
  const command = logCommands(useOrganization(), [[`/traces/${id}/blocks`, EXAMPLE_BLOCK]]);
  return (
    <section class="card notice">
      <h2>No blocks yet</h2>
      <p>Blocks are messages, thoughts, tool calls and their results. The first one appears here automatically:</p>
      <Snippet code={command} />
    </section>
  );
}
