import type { Session, TaskHandle } from '../client/index.ts';
import { isRecord, previewJson } from '../core/index.ts';
import type { Message } from '../protocol/index.ts';
import type { TraceHandle } from '../trace/client/index.ts';

/**
 * Plays one episode: reads the prompt and the tools, calls tools, and returns when the task is done or a limit is
 * reached. An error that it throws makes the episode a failure, which has no reward.
 *
 * @example
 * const agent: Agent = async (session, { signal }) => {
 *   await session.call('submit', { answer: '42' }, { signal });
 *   return { stop: 'stopped' };
 * };
 */
export type Agent = (session: AgentSession, context: AgentContext) => Promise<AgentReport | undefined>;

type SessionForAgents = Pick<
  Session,
  | 'environment'
  | 'sid'
  | 'prompt'
  | 'messages'
  | 'tools'
  | 'terminalTool'
  | 'supportsFork'
  | 'answer'
  | 'call'
  | 'finished'
>;

/**
 * Part of the client's session that agents use. Its calls are counted and recorded, and aborted at the time limit. `answer`
 * waits for the calls that are still running.
 *
 * @example
 * const submit = (session: AgentSession) => session.answer('The capital is Reykjavik.');
 */
export interface AgentSession extends SessionForAgents {
  /**
   * Creates a session with the present state of the episode, to try calls whose rewards do not count. Waits for the calls
   * that are running. Its `messages` are the conversation so far. Closed with the episode, or before by `await using`.
   *
   * @throws ForkUnsupportedError if the server or the environment cannot fork sessions; as `call`.
   * @example
   * await using trial = await session.fork();
   * const { reward } = await trial.call('move', { direction: 'north' });
   */
  fork(options?: { readonly signal?: AbortSignal }): Promise<AgentFork>;
}

/**
 * Fork of an episode, which an agent uses to try calls.
 *
 * @example
 * const isSolved = async (trial: AgentFork) => (await trial.call('submit', { answer: '42' })).reward === 1;
 */
export type AgentFork = AgentSession & AsyncDisposable;

/**
 * Context of an agent: the episode that it plays, its limits and its trace.
 *
 * @example
 * const nameOf = ({ task, sample }: AgentContext) => `${task.environment}-${task.index}-${sample}`;
 */
export interface AgentContext {
  /** Position of the task, and its public form. */
  readonly task: TaskHandle;
  /** Number of the sample among those of its task, from 0. */
  readonly sample: number;
  /** Seed of 32 bits, the same each time the same sample of the same task is played. */
  readonly seed: number;
  readonly limits: AgentLimits;
  /** Aborts at the time limit, and when the run is interrupted. */
  readonly signal: AbortSignal;
  /** Trace to which the agent logs the output of its model; the session logs its own calls. Undefined if not recorded. */
  readonly trace: TraceHandle | undefined;
}

/**
 * Limits of an episode.
 *
 * @example
 * const limits: AgentLimits = { turns: 20, tokens: Infinity };
 */
export interface AgentLimits {
  /** Maximum number of responses of a model, or of calls of an agent without one. */
  readonly turns: number;
  /** Maximum number of tokens that a model reads and writes in the episode; `Infinity` without a limit. */
  readonly tokens: number;
}

const STOP_REASONS = [
  'finished',
  'stopped',
  'turn_limit',
  'token_limit',
  'time_limit',
  'output_limit',
  'context_overflow',
  'refusal',
  'malformed_arguments',
] as const;

/**
 * Reason why an episode ended without a failure. `finished`: the environment completed it. `stopped`: the agent stopped,
 * for example because its model responded without a call. The others are limits, and conditions of the model.
 *
 * @example
 * const isCutOff = (stop: StopReason) => stop !== 'finished' && stop !== 'stopped';
 */
export type StopReason = (typeof STOP_REASONS)[number];

/**
 * Report that an agent may return at the end of an episode.
 *
 * @example
 * const report: AgentReport = { turns: 3, usage: { inputTokens: 900, outputTokens: 120 } };
 */
export interface AgentReport {
  /** Reason of the end. @default `finished` if the environment completed the episode, else `stopped` */
  readonly stop?: StopReason;
  /** Tokens of all requests to the model. @default not reported */
  readonly usage?: TokenUsage;
  /** Number of responses of the model. */
  readonly turns?: number;
  /**
   * Messages of the episode after its prompt, for environments that compare rollouts. @default the calls, their results
   * and the answer
   */
  readonly messages?: readonly Message[];
}

/**
 * Numbers of tokens as the provider counts them; null if it does not report them.
 *
 * @example
 * const total = ({ inputTokens, outputTokens }: TokenUsage) => (inputTokens ?? 0) + (outputTokens ?? 0);
 */
export interface TokenUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/**
 * Failure of something the agent depends on, such as its provider. It says nothing about the quality of the model.
 *
 * @example
 * throw new AgentError('the search index does not respond', { retryable: true });
 */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  /** True if the same episode may succeed when it is played again. */
  readonly retryable: boolean;
  /** Episodes that fail for the same reason: all of the run, which then ends, or only those of the task. */
  readonly scope: 'run' | 'task';

  /** @param options `retryable` is false by default, and `scope` is `run`. */
  constructor(
    message: string,
    options: { readonly retryable?: boolean; readonly scope?: 'run' | 'task'; readonly cause?: unknown } = {},
  ) {
    const { retryable = false, scope = 'run', cause } = options;
    super(message, { cause });
    this.retryable = retryable;
    this.scope = scope;
  }
}

/**
 * Validates the value that an agent returned. Agents may come from modules without type checks.
 *
 * @throws TypeError that names the invalid field.
 */
export function parseAgentReport(returned: unknown): AgentReport {
  if (returned === undefined || returned === null) return {};
  if (!isRecord(returned)) throw invalidReport('', returned, 'an object or nothing');
  const { stop, turns, usage, messages } = returned;
  if (stop !== undefined && !STOP_REASONS.some((reason) => reason === stop)) {
    throw invalidReport('stop', stop, `one of ${STOP_REASONS.join(', ')}`);
  }
  assertCount('turns', turns);
  if (messages !== undefined && !(Array.isArray(messages) && messages.every(isRecord))) {
    throw invalidReport('messages', messages, 'a list of messages');
  }
  if (usage !== undefined && usage !== null) {
    if (!isRecord(usage)) throw invalidReport('usage', usage, '{ inputTokens, outputTokens }');
    assertCount('usage.inputTokens', usage.inputTokens);
    assertCount('usage.outputTokens', usage.outputTokens);
  }
  // All fields are validated above.
  return returned as AgentReport;
}

function assertCount(name: string, value: unknown): void {
  if (value === undefined || value === null || (Number.isSafeInteger(value) && Number(value) >= 0)) return;
  throw invalidReport(name, value, 'an integer of at least 0');
}

function invalidReport(field: string, value: unknown, expected: string): TypeError {
  const subject = field === '' ? 'return value of the agent' : `'${field}' in the return value of the agent`;
  return new TypeError(`invalid ${subject}: expected ${expected}, got ${previewJson(value)}`);
}
