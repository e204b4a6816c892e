import type { RemoteEnvironment, Session, TaskHandle } from '../../client/index.ts';
import { abortable, deadlineSignal, delayedSignal } from '../../core/index.ts';
import type { Block } from '../../protocol/index.ts';
import { recordEpisode, type TraceHandle } from '../../trace/client/index.ts';
import { type Agent, type AgentLimits, type AgentReport, parseAgentReport, type StopReason } from '../agent.ts';
import { type Reducer, reduceRewards } from '../rewards.ts';
import type { EpisodeRecord } from './episode-record.ts';
import { cachePrompt, secondsSince, trackSession } from './track-session.ts';
import { captureUnhandledErrors } from './unhandled-errors.ts';

export interface PlayRolloutEpisodeOptions {
  readonly environment: RemoteEnvironment;
  readonly task: TaskHandle;
  readonly sample: number;
  readonly agent: Agent;
  readonly secrets: Readonly<Record<string, string>>;
  readonly limits: EpisodeLimits;
  readonly reducer: Reducer;
  /** Trace in which the episode is recorded, if at all. */
  readonly trace: TraceHandle | undefined;
  /** Interrupts the episode, which then rejects with the reason. */
  readonly signal: AbortSignal;
}

export interface EpisodeLimits extends AgentLimits {
  /** Time for the agent, in milliseconds; `Infinity` without a limit. */
  readonly ms: number;
}

/** Result of an episode. The caller adds the number of the attempt and the hash of the task. */
export type EpisodeResult = Omit<EpisodeRecord, 'attempt' | 'task_hash'>;

/**
 * Plays one episode and deletes it. The episode ends when the environment finishes it, the agent stops, or a limit is
 * reached. The time limit starts after setup. When the promise resolves, the whole episode is stored in the trace.
 *
 * @throws every other error: of the client, the agent or the trace; the signal's reason.
 */
export async function playRolloutEpisode(request: PlayRolloutEpisodeOptions): Promise<EpisodeResult> {
  const { environment, task, sample, reducer, secrets, trace, signal } = request;
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const opened = await environment.session(task, { secrets, signal });
  const session = cachePrompt(opened, await promptAfterSetup(opened, signal));
  await using played = trace ? recordEpisode(session, trace) : session;
  const { report, steps } = await runAgent(played, request);
  signal.throwIfAborted();
  const stop = played.finished ? 'finished' : (report.stop ?? 'stopped');
  await abortable(signal, () => finishTrace(trace, stop));
  const rewards = steps.map((step) => step.reward);
  const reward = reduceRewards(rewards, reducer);
  return {
    task: task.index,
    sample,
    reward,
    score: reward ?? 0,
    stop,
    steps,
    turns: report.turns ?? null,
    input_tokens: report.usage?.inputTokens ?? null,
    output_tokens: report.usage?.outputTokens ?? null,
    started_at: startedAt,
    seconds: secondsSince(began),
    trace_id: trace?.id ?? null,
  };
}

/** Returns the prompt, which the server sends after setup. If setup fails, the episode is deleted. */
async function promptAfterSetup(session: Session, signal: AbortSignal): Promise<Block[]> {
  try {
    return await session.prompt({ signal });
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }
}

/** Time for the agent to return its report after the time limit. */
const REPORT_TIMEOUT_MS = 2_000;

/** Runs the agent until it returns or its time is over. Errors that it throws after that are not failures. */
async function runAgent(session: Session, request: PlayRolloutEpisodeOptions) {
  const { task, sample, agent, limits, trace, signal } = request;
  const { ms } = limits;
  const timeoutError = () => new DOMException(`the episode took longer than ${ms / 1000} s`, 'TimeoutError');
  const deadline = deadlineSignal(ms, timeoutError, signal);
  const reportDeadline = delayedSignal(REPORT_TIMEOUT_MS, deadline.signal);
  const unhandledErrors = captureUnhandledErrors();
  const tracked = trackSession(session, deadline.signal, unhandledErrors.recordRejection);
  const seed = episodeSeed(task.index, sample);
  const context = Object.freeze({ task, sample, seed, limits, signal: deadline.signal, trace });
  try {
    const play = async () => {
      const report = parseAgentReport(await unhandledErrors.run(() => agent(tracked.session, context)));
      // Calls that are still running may return a reward.
      await tracked.waitForCalls();
      return report;
    };
    const report = await abortable(reportDeadline.signal, () => Promise.race([play(), unhandledErrors.first])).catch(
      (error): AgentReport => {
        if (deadline.isTimedOut) return { stop: 'time_limit' };
        throw error;
      },
    );
    return { report, steps: tracked.steps() };
  } finally {
    reportDeadline.release();
    deadline.release();
    unhandledErrors.close();
    tracked.abandon();
  }
}

/** Marks the trace as finished, and waits until all of its blocks are stored. */
async function finishTrace(trace: TraceHandle | undefined, stop: StopReason): Promise<void> {
  if (!trace) return;
  await trace.finish({ tags: [`stop:${stop}`] });
  const { failed } = await trace.flush();
  if (failed[0]) throw failed[0].error;
}

/** Returns a hash of 32 bits. Recorded runs depend on its values. */
function episodeSeed(index: number, sample: number): number {
  let hash = Math.imul(index ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(sample + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f);
  return (hash ^ (hash >>> 13)) >>> 0;
}
