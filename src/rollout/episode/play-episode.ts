import type { RemoteEnvironment, Session } from '../../client/index.ts';
import { abortable, deadlineSignal, delayedSignal } from '../../core/index.ts';
import type { Block } from '../../protocol/index.ts';
import { recordEpisode, type TraceHandle } from '../../trace/client/index.ts';
import type { Agent, AgentLimits, AgentReport, StopReason, TaskInstance } from '../agent.ts';
import { type Reducer, reduceRewards } from '../rewards/index.ts';
import type { EpisodeRecord, EpisodeStep } from './episode-record.ts';
import { parseAgentReport } from './read-report.ts';
import { captureUnhandledErrors } from './stray-errors.ts';
import { cachePrompt, secondsSince, trackSession } from './watch-session.ts';

/** One episode that is to be played. */
export interface PlayRolloutEpisodeOptions {
  readonly environment: RemoteEnvironment;
  readonly task: TaskInstance;
  readonly sample: number;
  readonly agent: Agent;
  readonly secrets: Readonly<Record<string, string>>;
  readonly limits: EpisodeLimits;
  readonly reducer: Reducer;
  /** Where it is recorded. Undefined where it is not. */
  readonly trace: TraceHandle | undefined;
  /** Interrupts it; it rejects with the reason then. */
  readonly signal: AbortSignal;
}

export interface EpisodeLimits extends AgentLimits {
  /** For all that the agent does, in ms; infinite without a limit. */
  readonly ms: number;
}

/** What came of an episode; which attempt it was is for others to know. */
export type EpisodeResult = Omit<EpisodeRecord, 'attempt' | 'task_hash'>;

/**
 * Plays one episode to its end, and deletes it. It ends where the environment says so, the agent stops, or a limit is
 * reached: then it has a record, whatever its reward. Time counts from when the episode is set up. Everything it learned
 * is in the trace, on disk, before it resolves.
 *
 * @throws whatever else ends it: of the client, the agent, the trace; the signal's reason.
 */
export async function playRolloutEpisode(request: PlayRolloutEpisodeOptions): Promise<EpisodeResult> {
  const { environment, task, secrets, trace, signal } = request;
  const started_at = new Date().toISOString();
  const began = performance.now();
  const choice = { split: task.split, index: task.index };
  const opened = await environment.session(choice, { secrets, signal });
  const session = cachePrompt(opened, await whenSetUp(opened, signal));
  await using played = trace ? recordEpisode(session, trace) : session;
  const { report, steps } = await lead(played, request);
  signal.throwIfAborted();
  const stop = stopOf(report, played.finished);
  await abortable(signal, () => settle(trace, stop));
  return {
    ...recordOf(request, report, steps, stop),
    ...{ started_at, seconds: secondsSince(began), trace_id: trace?.id ?? null },
  };
}

/** The prompt waits for the setup. An episode that is not set up is deleted. */
async function whenSetUp(session: Session, signal: AbortSignal): Promise<Block[]> {
  try {
    return await session.prompt({ signal });
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }
}

/** How long agents have to return after their time. */
const FINAL_CALLS_TIMEOUT_MS = 2_000;
/** Whatever an agent throws when its time is over is no failure. */
const TIMED_OUT: AgentReport = { stop: 'time_limit' };

/** Lets the agent play until it is done or its time is over. */
async function lead(session: Session, request: PlayRolloutEpisodeOptions) {
  const { task, sample, agent, limits, trace, signal } = request;
  const { ms } = limits;
  const tooLong = () => new DOMException(`the episode took longer than ${ms / 1000} s`, 'TimeoutError');
  const deadline = deadlineSignal(ms, tooLong, signal);
  // Agents that listen to the signal can still report what they did.
  const lastWords = delayedSignal(FINAL_CALLS_TIMEOUT_MS, deadline.signal);
  const unhandledErrors = captureUnhandledErrors();
  const watched = trackSession(session, deadline.signal, unhandledErrors.recordRejection);
  const seed = seedOf(task.index, sample);
  const context = Object.freeze({ task, sample, seed, limits, signal: deadline.signal, trace });
  try {
    const play = async () => {
      const report = parseAgentReport(await unhandledErrors.run(() => agent(watched.session, context)));
      // What is under way may still give a reward.
      await watched.waitForCalls();
      return report;
    };
    const report = await abortable(lastWords.signal, () => Promise.race([play(), unhandledErrors.first])).catch(
      (error) => {
        if (deadline.isTimedOut) return TIMED_OUT;
        throw error;
      },
    );
    return { report, steps: watched.steps() };
  } finally {
    lastWords.release();
    deadline.release();
    unhandledErrors.close();
    watched.abandon();
  }
}

function recordOf(
  { task, sample, reducer }: PlayRolloutEpisodeOptions,
  { turns, usage }: AgentReport,
  steps: readonly EpisodeStep[],
  stop: StopReason,
) {
  const rewards = steps.map((step) => step.reward);
  const reward = reduceRewards(rewards, reducer);
  return {
    ...{ task: task.index, sample, reward, score: reward ?? 0, stop, steps, turns: turns ?? null },
    ...{ input_tokens: usage?.inputTokens ?? null, output_tokens: usage?.outputTokens ?? null },
  };
}

/** An environment that is finished is finished, whatever the agent says. */
const stopOf = ({ stop = 'stopped' }: AgentReport, isFinished: boolean): StopReason => (isFinished ? 'finished' : stop);

/** Says in the trace how the episode ended, and waits for the receipts of all that was logged. */
async function settle(trace: TraceHandle | undefined, stop: StopReason): Promise<void> {
  if (!trace) return;
  await trace.finish({ tags: [`stop:${stop}`] });
  const { failed } = await trace.flush();
  if (failed[0]) throw failed[0].error;
}

/** A number of 32 bits that other tasks and samples do not share by a pattern. */
function seedOf(index: number, sample: number): number {
  let hash = Math.imul(index ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(sample + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f);
  return (hash ^ (hash >>> 13)) >>> 0;
}
