import type { TraceInput } from '../../../generated/trace.ts';
import { abortable, type Backoff, backoffMs, mapConcurrent, sleep } from '../../core/index.ts';
import type { TraceHandle } from '../../trace/client/index.ts';
import { AgentError } from '../agent.ts';
import type { EpisodeRecord, FailureKind, FailureRecord } from '../episode/episode-record.ts';
import { classifyFailure } from '../episode/failure.ts';
import { type PlayRolloutEpisodeOptions, playRolloutEpisode } from '../episode/play-episode.ts';
import type { PlannedEpisode } from './list-episodes.ts';
import type { RunTraces } from './run-traces.ts';

export interface PlayAllOptions
  extends Pick<PlayRolloutEpisodeOptions, 'environment' | 'agent' | 'secrets' | 'limits' | 'reducer'> {
  /** Episodes in the order in which they are to begin. */
  readonly episodes: AsyncIterable<PlannedEpisode>;
  /** Episodes at a time. */
  readonly concurrency: number;
  /** How often an episode is played at most where it fails. */
  readonly attempts: number;
  readonly traces: Pick<RunTraces, 'create' | 'ready' | 'remove'> | undefined;
  /** What every trace says of its run. */
  readonly labels: TraceInput;
  /** Takes secrets out of what is said of failures. */
  redact(text: string): string;
  onCompleted(record: EpisodeRecord): Promise<void>;
  onFailure(failure: FailureRecord): Promise<void>;
  /** Interrupts the episodes that are being played. */
  readonly signal: AbortSignal;
}

/** So many episodes that fail one after the other mean that nothing is to be had. */
const MIN_FAILURES = 10;
/** Delays between attempts of an episode. */
const EPISODE_BACKOFF: Backoff = { firstMs: 1_000, longestMs: 30_000 };

/**
 * Plays all episodes, so many at a time. Those that fail are played again, and left out in the end.
 *
 * @throws the signal's reason; Error where going on is of no use, because the provider refuses the agent or too many
 * episodes failed one after the other; whatever `onEnded` and `onFailure` reject with.
 */
export async function playAll(playing: PlayAllOptions): Promise<void> {
  const { episodes, concurrency } = playing;
  const outage = createOutage(Math.max(MIN_FAILURES, concurrency), playing.redact);
  const play = async (episode: PlannedEpisode, signal: AbortSignal) => {
    outage.note(await playUntilEnded({ ...playing, signal }, episode));
  };
  await mapConcurrent(episodes, concurrency, play, playing.signal);
}

/** @returns what the last attempt was thrown out of, where all failed. */
async function playUntilEnded(playing: PlayAllOptions, episode: PlannedEpisode): Promise<ThrownError | undefined> {
  const { traces, attempts, labels, signal } = playing;
  const { task, sample, taskHash: task_hash } = episode;
  for (let attempt = 1; ; attempt++) {
    await abortable(signal, () => traces?.ready());
    const trace = traces?.create({ ...labels, task_index: task.index, task_spec: task.task, rollout_index: sample });
    const played = await tryTo(() => playRolloutEpisode({ ...playing, task, sample, trace }));
    if ('value' in played) {
      await playing.onCompleted({ ...played.value, task_hash, attempt });
      return undefined;
    }
    signal.throwIfAborted();
    const failed = classifyFailure(played.error);
    const retried = failed.retryable && attempt < attempts;
    const { kind } = failed;
    const message = playing.redact(failed.message);
    const at = new Date().toISOString();
    await playing.onFailure({ task: task.index, sample, attempt, kind, message, retried, at });
    if (trace) await abortable(signal, () => (retried ? traces?.remove(trace) : markFailed(trace, kind)));
    if (!retried) return played;
    await sleep(backoffMs(attempt - 1, EPISODE_BACKOFF), signal);
  }
}

interface ThrownError {
  readonly error: unknown;
}

type Attempt<Value> = { readonly value: Value } | ThrownError;

async function tryTo<Value>(work: () => Promise<Value>): Promise<Attempt<Value>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}

/** As far as the store can be told: it may be what failed. */
async function markFailed(trace: TraceHandle, kind: FailureKind): Promise<void> {
  void trace.update({ status: 'error', tags: [`failed:${kind}`] });
  await trace.flush();
}

/**
 * Counts the episodes that failed since the last one that did not. A provider that refuses the first one refuses all; one
 * that has answered before may refuse one conversation alone.
 */
function createOutage(max: number, hide: PlayAllOptions['redact']) {
  let [inARow, hasEnded] = [0, false];
  return {
    note(failed: ThrownError | undefined): void {
      inARow = failed ? inARow + 1 : 0;
      hasEnded ||= !failed;
      if (!failed) return;
      const { error } = failed;
      if (!hasEnded && error instanceof AgentError && !error.retryable) throw error;
      if (inARow < max) return;
      const message = `${inARow} episodes failed one after the other, the last one thus: ${hide(classifyFailure(error).message)}`;
      throw new Error(message, { cause: error });
    },
  };
}
