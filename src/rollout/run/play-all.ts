import type { TraceInput } from '../../../generated/trace.ts';
import {
  CallLostError,
  OrsClientError,
  OrsConnectionError,
  OrsHttpError,
  OrsProtocolError,
  SessionLostError,
  ToolCrashedError,
} from '../../client/index.ts';
import {
  abortable,
  type Backoff,
  backoffMs,
  errorMessage,
  isInstance,
  mapConcurrent,
  Semaphore,
  sleep,
} from '../../core/index.ts';
import type { Message } from '../../protocol/index.ts';
import { TraceError, type TraceHandle } from '../../trace/client/index.ts';
import { AgentError } from '../agent.ts';
import type { BranchPolicy } from '../episode/branch-episode.ts';
import type { EpisodeRecord, FailureKind, FailureRecord } from '../episode/episode-record.ts';
import { type PlayRolloutEpisodeOptions, playRolloutEpisode } from '../episode/play-episode.ts';
import type { PlannedEpisode } from './list-episodes.ts';
import type { RunTraces } from './run-traces.ts';

export interface PlayAllOptions
  extends Pick<PlayRolloutEpisodeOptions, 'environment' | 'agent' | 'secrets' | 'toolset' | 'limits' | 'reducer'> {
  /** Episodes in the order in which they start. */
  readonly episodes: AsyncIterable<PlannedEpisode>;
  /** Number of concurrent episodes. */
  readonly concurrency: number;
  /** Maximum number of attempts of an episode. */
  readonly attempts: number;
  readonly traces: Pick<RunTraces, 'create' | 'ready' | 'remove'> | undefined;
  /** How episodes are continued from their states, if at all. */
  readonly branch: BranchPolicy | undefined;
  /** Fields of each trace that describe the run. */
  readonly labels: TraceInput;
  /** Redacts secrets in messages of failures. */
  redact(text: string): string;
  /** Receives the messages after the prompt too, if the environment can compare rollouts. */
  onCompleted(record: EpisodeRecord, messages: readonly Message[] | undefined): Promise<void>;
  onFailure(failure: FailureRecord): Promise<void>;
  /** Interrupts the running episodes. */
  readonly signal: AbortSignal;
}

/** Minimum number of consecutive failures that end the run. */
const MIN_FAILURES = 10;
/** Number of tasks whose content is rejected before an episode has completed, and that end the run. */
const MAX_REJECTED_TASKS = 3;
/** Delays between attempts of an episode. */
const EPISODE_BACKOFF: Backoff = { firstMs: 1_000, longestMs: 30_000 };

/**
 * Plays all episodes, several at a time. Failed episodes are retried, and omitted if all attempts fail.
 *
 * @throws the signal's reason; Error if the provider rejects the agent or too many consecutive episodes fail; errors of
 * `onCompleted` and `onFailure`.
 */
export async function playAll(options: PlayAllOptions): Promise<void> {
  const { episodes, concurrency, redact } = options;
  const permits = new Semaphore(concurrency);
  const maxFailures = Math.max(MIN_FAILURES, concurrency);
  let consecutive = 0;
  let hasCompleted = false;
  const rejectedTasks = new Set<number>();
  const play = async (episode: PlannedEpisode, signal: AbortSignal) => {
    const failed = await playWithRetries({ ...options, permits, signal }, episode);
    consecutive = failed ? consecutive + 1 : 0;
    hasCompleted ||= !failed;
    if (!failed) return;
    const { error } = failed;
    if (!hasCompleted && error instanceof AgentError && !error.retryable) {
      // Whatever has rejected the key, or the content of several tasks, rejects every episode.
      rejectedTasks.add(episode.task.index);
      if (error.scope === 'run' || rejectedTasks.size >= MAX_REJECTED_TASKS) throw error;
    }
    if (consecutive < maxFailures) return;
    const message = `${consecutive} consecutive episodes failed, the last one with: ${redact(errorMessage(error))}`;
    throw new Error(message, { cause: error });
  };
  await mapConcurrent(episodes, concurrency, play, options.signal);
}

interface FailedAttempt {
  readonly error: unknown;
}

interface PlayOptions extends PlayAllOptions {
  /** Limits the number of continuations of all episodes that are played at once. */
  readonly permits: Semaphore;
}

/** @returns the error of the last attempt if all failed. */
async function playWithRetries(options: PlayOptions, episode: PlannedEpisode): Promise<FailedAttempt | undefined> {
  const { traces, attempts, labels, branch: policy, permits, signal } = options;
  const { task, sample, taskHash: task_hash } = episode;
  const fields = { ...labels, task_index: task.index, task_spec: task.task, rollout_index: sample };
  for (let attempt = 1; ; attempt++) {
    const recorded: TraceHandle[] = [];
    // Not asynchronous: to return a pending trace from such a function would wait until the store has created it.
    const createTrace = (parent: TraceInput) => {
      const created = traces?.create({ ...fields, ...parent });
      if (created) recorded.push(created);
      return created;
    };
    const ready = () => abortable(signal, () => traces?.ready());
    await ready();
    const trace = createTrace({});
    const createBranchTrace = (calls: number) =>
      createTrace({ ...(trace && { parent_trace_id: trace.id, parent_calls: calls }) });
    const branch = policy && { policy, permits, ready, createTrace: createBranchTrace };
    const played = await playRolloutEpisode({ ...options, task, sample, trace, branch }).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    if ('result' in played) {
      const { record, messages } = played.result;
      await options.onCompleted({ ...record, task_hash, attempt }, messages);
      return undefined;
    }
    signal.throwIfAborted();
    const { error } = played;
    const kind = failureKinds.find(([type]) => isInstance(error, type))?.[1] ?? 'agent';
    const retried = isRetryable(error, kind) && attempt < attempts;
    const message = options.redact(errorMessage(error));
    const at = new Date().toISOString();
    await options.onFailure({ task: task.index, sample, attempt, kind, message, retried, at });
    for (const each of recorded) {
      await abortable(signal, () => (retried ? traces?.remove(each) : markFailed(each, kind)));
    }
    if (!retried) return played;
    await sleep(backoffMs(attempt - 1, EPISODE_BACKOFF), signal);
  }
}

/** Does not wait for the update itself, since the trace store may be the cause of the failure. */
async function markFailed(trace: TraceHandle, kind: FailureKind): Promise<void> {
  void trace.update({ status: 'error', tags: [`failed:${kind}`] });
  await trace.flush();
}

/** Kinds of errors. An unknown error is a bug of the agent. */
const failureKinds: readonly (readonly [new (...args: never[]) => Error, FailureKind])[] = [
  [OrsConnectionError, 'connection'],
  [SessionLostError, 'session_lost'],
  [CallLostError, 'session_lost'],
  [ToolCrashedError, 'tool_crashed'],
  [OrsProtocolError, 'protocol'],
  [OrsHttpError, 'refused'],
  [AgentError, 'provider'],
  [TraceError, 'traces'],
];

/** Returns whether the same episode may succeed when it is played again. */
function isRetryable(error: unknown, kind: FailureKind): boolean {
  if (isInstance(error, AgentError)) return error.retryable;
  // A new attempt has a new session, and a crash of a tool may be random.
  if (kind === 'connection' || kind === 'session_lost' || kind === 'tool_crashed' || kind === 'traces') return true;
  return isInstance(error, OrsClientError) && (error.retryable || (error.status ?? 0) >= 500);
}
