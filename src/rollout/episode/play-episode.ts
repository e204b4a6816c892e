import type { RemoteEnvironment, Session, TaskHandle, ToolFormat } from '../../client/index.ts';
import { abortable, deadlineSignal, definedFields, delayedSignal, overrideMethods } from '../../core/index.ts';
import { type Message, plainPrompt, type TerminalTool } from '../../protocol/index.ts';
import { recordEpisode, type TraceHandle } from '../../trace/client/index.ts';
import { type Agent, type AgentLimits, type AgentReport, parseAgentReport, type StopReason } from '../agent.ts';
import { type Reducer, reduceRewards } from '../rewards.ts';
import type { EpisodeRecord, EpisodeStep } from './episode-record.ts';
import { secondsSince, trackSession } from './track-session.ts';
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
 * Plays one episode and deletes it. The episode ends when the environment finishes it, the agent stops, or a limit is
 * reached. The time limit starts after setup. When the promise resolves, the whole episode is stored in the trace.
 *
 * @throws every other error: of the client, the agent or the trace; the signal's reason.
 */
export async function playRolloutEpisode(request: PlayRolloutEpisodeOptions): Promise<EpisodeResult> {
  const { environment, task, sample, secrets, toolset, trace, signal } = request;
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const opened = await environment.session(task, { secrets, signal, ...definedFields({ toolset }) });
  const session = await readEpisode(opened, signal);
  await using played = trace ? recordEpisode(session, trace) : session;
  const { report, steps, messages } = await runAgent(played, request);
  signal.throwIfAborted();
  const stop = played.finished ? 'finished' : (report.stop ?? 'stopped');
  await abortable(signal, () => finishTrace(trace, stop, report));
  const ungraded = played.finished ? null : ungradedCause(await session.terminalTool({ signal }), steps);
  const rewards = steps.map((step) => step.reward);
  const reward = ungraded === null ? reduceRewards(rewards, request.reducer) : null;
  const record = {
    task: task.index,
    sample,
    reward,
    score: reward ?? 0,
    ungraded,
    stop,
    steps,
    turns: report.turns ?? null,
    input_tokens: report.usage?.inputTokens ?? null,
    output_tokens: report.usage?.outputTokens ?? null,
    started_at: startedAt,
    seconds: secondsSince(began),
    trace_id: trace?.id ?? null,
  };
  // The list of tools said this, so it needs no request.
  const isCompared = await session.supportsScoreGroup({ signal });
  return { record, messages: isCompared ? (report.messages ?? messages) : undefined };
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
    return { report, steps: tracked.steps(), messages: tracked.messages() };
  } finally {
    reportDeadline.release();
    deadline.release();
    unhandledErrors.close();
    tracked.abandon();
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

interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly format?: ToolFormat;
}

/**
 * Reads the conversation and the tools of a new episode, which the server sends after setup, and returns a session that
 * does not request them again: many environments in Python prepare the episode when its prompt is read.
 *
 * If setup fails, the episode is deleted.
 */
export async function readEpisode(session: Session, signal: AbortSignal): Promise<Session> {
  try {
    const messages = await session.messages({ signal });
    const tools = await session.tools({ signal });
    let prompt = plainPrompt(messages);
    const cached = {
      async messages({ format }: ReadOptions = {}) {
        return format ? (await loadFormats()).formatMessages(messages, format) : [...messages];
      },
      async prompt({ format, signal }: ReadOptions = {}) {
        // An environment may have a prompt that differs from its conversation.
        prompt ??= await session.prompt(signal && { signal });
        return format ? (await loadFormats()).formatPrompt(prompt, format) : [...prompt];
      },
      async tools({ format }: ReadOptions = {}) {
        return format ? (await loadFormats()).formatTools(tools, format) : [...tools];
      },
    };
    return overrideMethods(session, cached);
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }
}

const loadFormats = () => import('../../client/formats/index.ts');
