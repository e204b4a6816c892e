import { ForkUnsupportedError, type RemoteEnvironment, type Session, type TaskHandle } from '../../client/index.ts';
import { abortable, deadlineSignal, definedFields, delayedSignal, isInstance } from '../../core/index.ts';
import type { Message, TerminalTool } from '../../protocol/index.ts';
import { recordEpisode, type TraceHandle } from '../../trace/client/index.ts';
import {
  type Agent,
  AgentError,
  type AgentLimits,
  type AgentReport,
  parseAgentReport,
  type StopReason,
} from '../agent.ts';
import { type Reducer, reduceRewards } from '../rewards.ts';
import { type BranchOptions, branchEpisode, withAdvantages } from './branch-episode.ts';
import type { EpisodeEnd, EpisodeRecord, EpisodeStep } from './episode-record.ts';
import { readEpisode, secondsSince, trackSession } from './episode-session.ts';
import { captureUnhandledErrors } from './unhandled-errors.ts';

export interface PlayRolloutEpisodeOptions {
  readonly environment: RemoteEnvironment;
  readonly task: TaskHandle;
  readonly sample: number;
  readonly agent: Agent;
  readonly secrets: Readonly<Record<string, string>>;
  /** Toolset of the environment to add to the tools; none if undefined. */
  readonly toolset: string | undefined;
  readonly limits: EpisodeLimits;
  readonly reducer: Reducer;
  /** Trace in which the episode is recorded, if at all. */
  readonly trace: TraceHandle | undefined;
  /** How the episode is continued from its states, if at all. */
  readonly branch?: BranchOptions | undefined;
  /** Interrupts the episode, which then rejects with the reason. */
  readonly signal: AbortSignal;
}

interface EpisodeLimits extends AgentLimits {
  /** Time for the agent, in milliseconds; `Infinity` without a limit. */
  readonly ms: number;
}

/** Result of an episode. The caller adds the number of the attempt and the hash of the task. */
interface EpisodeResult {
  readonly record: Omit<EpisodeRecord, 'attempt' | 'task_hash'>;
  /** Messages after the prompt, if the environment can compare rollouts; else undefined. */
  readonly messages: readonly Message[] | undefined;
}

/**
 * Plays one episode, continues it from its states if it has branches, and deletes it. The episode ends when the
 * environment finishes it, the agent stops, or a limit is reached. The time limit starts after setup. When the promise
 * resolves, the whole episode is stored in the trace.
 *
 * @throws every other error: of the client, the agent or the trace; the signal's reason.
 */
export async function playRolloutEpisode(request: PlayRolloutEpisodeOptions): Promise<EpisodeResult> {
  const { environment, task, sample, secrets, toolset, trace, signal, branch } = request;
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const opened = await environment.session(task, { secrets, signal, ...definedFields({ toolset }) });
  const session = await readEpisode(opened, signal);
  await using played = trace ? recordEpisode(session, trace) : session;
  await using start = branch ? await forkStart(session, request) : undefined;
  const seed = episodeSeed(task.index, sample);
  const { end, calls, states, messages } = await playSession(played, { ...request, seed });
  const seconds = secondsSince(began);
  // The list of tools said this, so it needs no request.
  const isCompared = await session.supportsScoreGroup({ signal });
  const record = { task: task.index, sample, ...end, started_at: startedAt, seconds, trace_id: trace?.id ?? null };
  const compared = isCompared ? messages : undefined;
  if (!branch || !start) return { record, messages: compared };
  const ended = { session, start, end, calls, states, messages };
  const branches = await branchEpisode(ended, branch, request, async (continuation, signal) => {
    const turns = Math.max(1, request.limits.turns - continuation.turns);
    const limits = Object.freeze({ ...request.limits, turns });
    const { session, trace } = continuation;
    await using played = trace ? recordEpisode(session, trace) : session;
    const seed = episodeSeed(episodeSeed(task.index, sample), continuation.seed);
    return (await playSession(played, { ...request, limits, trace, signal, seed })).end;
  });
  return { record: { ...record, branches, steps: withAdvantages(end.steps, branches) }, messages: compared };
}

/** @throws AgentError that ends the run if sessions cannot be forked here. */
async function forkStart(session: Session, { secrets, signal }: PlayRolloutEpisodeOptions): Promise<Session> {
  try {
    return await session.fork({ secrets, signal });
  } catch (cause) {
    if (!isInstance(cause, ForkUnsupportedError)) throw cause;
    throw new AgentError(`branches need a server that forks sessions: ${cause.message}`, { cause });
  }
}

interface PlaySessionOptions
  extends Pick<PlayRolloutEpisodeOptions, 'agent' | 'task' | 'sample' | 'limits' | 'trace' | 'secrets' | 'reducer'> {
  readonly signal: AbortSignal;
  readonly seed: number;
}

/** Lets the agent play a session to its end, and waits until its trace is stored. */
async function playSession(played: Session, request: PlaySessionOptions) {
  const { trace, signal } = request;
  const { report, log } = await runAgent(played, request);
  signal.throwIfAborted();
  const stop = played.finished ? 'finished' : (report.stop ?? 'stopped');
  await abortable(signal, () => finishTrace(trace, stop, report));
  const calls = log.ended();
  const steps = calls.map(({ step }) => step);
  const ungraded = played.finished ? null : ungradedCause(await played.terminalTool({ signal }), steps);
  const rewards = steps.map((step) => step.reward);
  const reward = ungraded === null ? reduceRewards(rewards, request.reducer) : null;
  const { turns = null, usage } = report;
  const tokens = { input_tokens: usage?.inputTokens ?? null, output_tokens: usage?.outputTokens ?? null };
  const end: EpisodeEnd = { reward, score: reward ?? 0, ungraded, stop, steps, turns, ...tokens };
  return { end, calls, states: log.states, messages: report.messages ?? log.messages() };
}

/** Returns why the final message of an unfinished episode was not graded; null if it was, or if nothing grades it. */
function ungradedCause(
  terminal: TerminalTool | null,
  steps: readonly EpisodeStep[],
): NonNullable<EpisodeRecord['ungraded']> | null {
  if (!terminal) return null;
  const answers = steps.filter(({ tool }) => tool === terminal.name);
  if (answers.some(({ ok }) => ok)) return null;
  return answers.length > 0 ? 'answer_refused' : 'no_answer';
}

/** Time for the agent to return its report after the time limit. */
const REPORT_TIMEOUT_MS = 2_000;

/** Runs the agent until it returns or its time is over. Errors that it throws after that are not failures. */
async function runAgent(session: Session, request: PlaySessionOptions) {
  const { task, sample, agent, limits, trace, secrets, seed, signal } = request;
  const { ms } = limits;
  const timeoutError = () => new DOMException(`the episode took longer than ${ms / 1000} s`, 'TimeoutError');
  const deadline = deadlineSignal(ms, timeoutError, signal);
  const reportDeadline = delayedSignal(REPORT_TIMEOUT_MS, deadline.signal);
  const unhandledErrors = captureUnhandledErrors();
  const tracked = trackSession(session, {
    secrets,
    signal: deadline.signal,
    onRejected: unhandledErrors.recordRejection,
  });
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
    return { report, log: tracked.log };
  } finally {
    reportDeadline.release();
    deadline.release();
    unhandledErrors.close();
    await tracked.close();
  }
}

/** Marks the trace as finished, and waits until all of its blocks are stored. */
async function finishTrace(trace: TraceHandle | undefined, stop: StopReason, report: AgentReport): Promise<void> {
  if (!trace) return;
  const { metadata } = await trace.finish({ tags: [`stop:${stop}`] });
  const { turns, usage } = report;
  const { inputTokens, outputTokens } = usage ?? { inputTokens: null, outputTokens: null };
  const isCounted = inputTokens !== null || outputTokens !== null;
  const tokens = isCounted ? { input_tokens: inputTokens, output_tokens: outputTokens } : undefined;
  const figures = definedFields({ turns, usage: tokens });
  // The agent may have logged its own.
  if (Object.keys(figures).length > 0) await trace.update({ metadata: { ...figures, ...metadata } });
  const { failed } = await trace.flush();
  if (failed[0]) throw failed[0].error;
}

/** Returns a hash of 32 bits. Recorded runs depend on its values. */
function episodeSeed(index: number, sample: number): number {
  let hash = Math.imul(index ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(sample + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f);
  return (hash ^ (hash >>> 13)) >>> 0;
}
