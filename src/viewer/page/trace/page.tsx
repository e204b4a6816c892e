import { useMemo } from 'preact/hooks';
import { useOrganization } from '../api/access.ts';
import { RequestError } from '../api/failure.ts';
import { ErrorCard } from '../parts/failure-card.tsx';
import { IgnoredParams } from '../parts/ignored.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { shortId } from '../parts/trace-table.tsx';
import { navigate, useQuery } from '../shell/location.ts';
import { Inspector } from './inspector.tsx';
import { LiveBanner } from './live-banner.tsx';
import { EmptyTrace } from './no-blocks.tsx';
import { OutlinePane } from './outline-pane.tsx';
import { RewardStrip } from './reward-strip.tsx';
import { SearchBar } from './search-bar.tsx';
import { outlineToSteps } from './steps.ts';
import { TraceHeader } from './trace-header.tsx';
import { Transcript } from './transcript.tsx';
import { unknownTraceParams } from './unusable.ts';
import { useFeed } from './use-feed.ts';
import { useTranscript } from './use-reading.ts';
import './trace.css';
import './header.css';
import './outline.css';
import './transcript.css';
import './narrow.css';
import './print.css';

/** One trace: what happened, what came of it, and everything that is stored of it. */
export function TracePage() {
  const id = useQuery().get('trace') ?? '';
  const home = () => navigate('?');
  if (id === '')
    return <ErrorCard failure={new RequestError('missing', 0, 'the address names no trace')} retry={home} />;
  return <OneTrace key={id} id={id} />;
}

function OneTrace({ id }: { readonly id: string }) {
  const org = useOrganization();
  const { feed, payloads } = useFeed(org, id);
  const { trace, failure } = feed.state;
  document.title = `${trace?.name ?? shortId(id)} – ors`;
  if (!trace && failure) return <ErrorCard failure={failure} retry={() => feed.retry()} />;
  if (!trace) return <Skeleton lines={12} />;
  return <Shown feed={feed} payloads={payloads} org={org} />;
}

function Shown({ feed, payloads, org }: ReturnType<typeof useFeed> & { readonly org: string }) {
  const reading = useTranscript({ feed, org });
  const unusable = unknownTraceParams(useQuery());
  const { trace, isComplete, isLive, newBlockCount } = feed.state;
  const { outline } = feed;
  const steps = useMemo(() => outlineToSteps(outline), [outline, outline.version]);
  if (!trace) return null;
  const { rows, row, view, folding, panes } = reading;
  const missing = row ? undefined : view.chosen;
  return (
    <div class={`tr-page ${panes.outline ? 'tr-has-outline' : ''} ${panes.inspector ? 'tr-has-inspector' : ''}`}>
      <TraceHeader
        trace={trace}
        steps={isComplete ? steps.length : undefined}
        isLive={isLive && trace.status === 'running'}
        onSaved={(saved) => feed.setTrace(saved)}
      />
      <SearchBar {...reading.search} panes={panes} />
      <IgnoredParams names={unusable} />
      <LiveBanner state={feed.state} missing={missing} loaded={outline.size} onRetry={() => feed.retry()} />
      <div class="tr-main">
        {panes.outline && (
          <OutlinePane
            {...{ rows, hits: reading.hitIds, chosen: row, isClosed: folding.isClosed }}
            onGo={reading.goFromOutline}
            onStep={reading.stepRow}
            onToggle={folding.toggle}
            onAll={folding.all}
            onClose={() => panes.toggle('outline')}
          />
        )}
        {outline.size === 0 && isComplete ? (
          <EmptyTrace trace={trace} />
        ) : (
          <Transcript
            {...{
              rows,
              payloads,
              chosen: row,
              jump: view.jump,
              hits: reading.hitIds,
              marked: reading.marked,
              arrived: newBlockCount,
            }}
            rowOf={(blockId) => outline.rowOf(blockId)}
            start={trace.created_at}
            highlight={reading.search.text}
            isClosed={folding.isClosed}
            isWhole={reading.isWhole}
            isGrowing={isLive}
            onChoose={reading.chooseRow}
            onToggle={folding.toggle}
            onWhole={reading.showWhole}
            onStand={view.saveScroll}
          />
        )}
        {panes.inspector && (
          <Inspector
            {...{ trace, outline, payloads, chosen: view.chosen }}
            row={row ?? rows[0]}
            highlight={reading.search.text}
            onClose={() => panes.toggle('inspector')}
            onGo={reading.go}
          />
        )}
      </div>
      {steps.length > 0 && (
        <RewardStrip steps={steps} chosen={row} total={trace.reward_sum} onGo={({ block }) => reading.go(block.id)} />
      )}
    </div>
  );
}
