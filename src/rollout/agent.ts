import type { Session } from '../client/index.ts';
import type { JSONObject } from '../protocol/index.ts';
import type { TraceHandle } from '../trace/client/index.ts';

/**
 * Plays one episode: asks for the prompt and the tools, calls tools, and returns when it is done or a limit is reached.
 * What it throws is a failure of the episode, which has no reward then.
 */
export type Agent = (session: AgentSession, context: AgentContext) => Promise<AgentReport | undefined>;

/** As much of the client's session as an agent needs. Its calls are counted and recorded, and end with the time. */
export type AgentSession = Pick<Session, 'environment' | 'sid' | 'prompt' | 'tools' | 'call' | 'finished'>;

export interface AgentContext {
  readonly task: TaskInstance;
  /** Which of the n episodes of its task it is, from 0. */
  readonly sample: number;
  /** The same for the same task and sample, whenever they are played. */
  readonly seed: number;
  readonly limits: AgentLimits;
  /** Aborts at the limit of time, and when the run is interrupted. */
  readonly signal: AbortSignal;
  /** Where the agent logs what its model said; what the session does is logged already. Undefined where nothing is. */
  readonly trace: TraceHandle | undefined;
}

/** The place of a task, and what the server shows of it. */
export interface TaskInstance {
  readonly environment: string;
  readonly split: string;
  readonly index: number;
  readonly task: JSONObject;
}

export interface AgentLimits {
  /** The most answers of a model, or calls of an agent without one. */
  readonly turns: number;
  /** The most tokens that a model reads and writes in the episode; infinite without a limit. */
  readonly tokens: number;
}

/**
 * Why an episode ended that did not fail. `finished`: the environment said so. `stopped`: the agent had enough, such as a
 * model that answered without a call. The rest are limits, and what models do.
 */
export type StopReason =
  | 'finished'
  | 'stopped'
  | 'turn_limit'
  | 'token_limit'
  | 'time_limit'
  | 'output_limit'
  | 'context_overflow'
  | 'refusal'
  | 'malformed_arguments';

export interface AgentReport {
  /** Default: `finished` where the environment said so, else `stopped`. */
  readonly stop?: StopReason;
  readonly usage?: TokenUsage;
  /** Answers of the model. */
  readonly turns?: number;
}

/** Tokens, as the provider counts them; null where it does not. */
export interface TokenUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** A failure of what the agent needs, such as a provider that does not answer: it tells nothing about the model. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  /** Whether the same episode may succeed when it is played again. */
  readonly retryable: boolean;

  constructor(message: string, { retryable, cause }: { readonly retryable: boolean; readonly cause?: unknown }) {
    super(message, { cause });
    this.retryable = retryable;
  }
}
