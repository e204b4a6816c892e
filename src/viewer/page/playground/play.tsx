import { useEffect, useRef } from 'preact/hooks';
import { plural } from '../../../core/index.ts';
import { formatReward } from '../parts/amounts.ts';
import { ErrorCard } from '../parts/failure-card.tsx';
import { OrsBlocks } from '../payload/index.ts';
import { buildHref, navigate } from '../shell/location.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import { CallCard } from './call-card.tsx';
import { rewardSum } from './demonstration.ts';
import type { PlaygroundTask } from './episode.ts';
import { SetupProgress } from './opening.tsx';
import { RecordingPanel } from './recording.tsx';
import { ToolPanel } from './tool-panel.tsx';
import { useConfirmLeave } from './use-ending.ts';
import { type EpisodeState, type PlaygroundEpisode, useEpisode } from './use-episode.ts';

interface Props {
  readonly played: PlaygroundTask;
  /** How many the split has. */
  readonly tasks: number;
}

/** One task, played. */
export function EpisodeView({ played, tasks }: Props) {
  const playing = useEpisode(played);
  const { stage, opened, calls, failure, isDisconnected, isCalling, call, startAgain: begin } = playing;
  const after = buildHref({ view: 'play', ...played, index: (played.index + 1) % tasks });
  const mayEnd = useConfirmLeave(played, stage === 'playing' && calls.length > 0);
  const startAgain = () => mayEnd() && begin();
  useShortcuts({
    a: { does: 'start again', run: startAgain },
    n: { does: 'play the next task', run: () => navigate(after) },
  });
  return (
    <>
      <PlayHeader {...{ played, state: playing, startAgain, after }} />
      {isDisconnected && (
        <p class="banner" role="alert">
          The server does not answer; the episode goes on where it was, if it is back in time.
        </p>
      )}
      {stage === 'failed' && failure && <ErrorCard failure={failure} retry={startAgain} />}
      {stage === 'opening' && <SetupProgress />}
      {opened && (
        <div class="play-columns">
          <section class="play-log" aria-label="Episode">
            <article class="card play-prompt">
              <small>Prompt</small>
              <OrsBlocks blocks={opened.prompt} />
            </article>
            <ol aria-live="polite">
              {calls.map((each, at) => (
                <CallCard key={each.id} call={each} place={at + 1} />
              ))}
            </ol>
            <End {...{ playing, after, played }} />
          </section>
          <aside class="card play-tools" aria-label="Tools">
            <ToolPanel tools={opened.tools} isDisabled={stage !== 'playing' || isCalling} onCall={call} />
          </aside>
        </div>
      )}
    </>
  );
}

const STAGES = { opening: 'setting up', playing: 'playing', finished: 'finished', lost: 'lost', failed: 'failed' };
const MARKS = { opening: 'running', playing: 'running', finished: 'finished', lost: 'error', failed: 'error' };

interface HeaderProps {
  readonly played: PlaygroundTask;
  readonly state: EpisodeState;
  readonly startAgain: () => void;
  readonly after: string;
}

function PlayHeader({
  played: { environment, split, index },
  state: { stage, calls },
  startAgain,
  after,
}: HeaderProps) {
  return (
    <header class="row play-header">
      <h1>
        <a href={buildHref({ view: 'environment', environment, split })}>{environment}</a> / {split} [{index}]
      </h1>
      <span class={`status status-${MARKS[stage]}`} role="status">
        {STAGES[stage]}
      </span>
      <span class="play-sum">
        reward <strong>{formatReward(rewardSum(calls))}</strong>
      </span>
      <small>{plural(calls.length, 'call')}</small>
      <span class="spring" />
      <button type="button" title="Start again: a" onClick={startAgain}>
        Start again
      </button>
      <a class="button" title="Next task: n" href={after}>
        Next task
      </a>
    </header>
  );
}

interface EndProps {
  readonly playing: PlaygroundEpisode;
  readonly played: PlaygroundTask;
  readonly after: string;
}

/** What stands below the last call: how it ended and what to do next. */
function End({ playing, played, after }: EndProps) {
  const { stage, calls, failure, startAgain } = playing;
  const place = useRef<HTMLDivElement>(null);
  const settled = calls.filter(({ ms }) => ms !== undefined).length;
  useEffect(() => {
    if (settled > 0) place.current?.scrollIntoView({ block: 'nearest' });
  }, [settled, stage]);
  return (
    <div class="play-end" ref={place}>
      {stage === 'finished' && (
        <section class="card play-over">
          <h2>
            Finished: reward {formatReward(rewardSum(calls))} in {plural(calls.length, 'call')}
          </h2>
          <div class="row">
            <a class="button" href={after}>
              Next task
            </a>
            <button type="button" onClick={startAgain}>
              Start again
            </button>
          </div>
        </section>
      )}
      {stage === 'lost' && (
        <section class="card play-over failure" role="alert">
          <h2>The server no longer has this episode</h2>
          <p>
            {failure?.message}. It was restarted, or the episode has expired; what is shown here is all that is left of
            it.
          </p>
          <button type="button" class="primary" onClick={startAgain}>
            Start again
          </button>
        </section>
      )}
      <RecordingPanel played={played} state={playing} />
    </div>
  );
}
