import type { StopReason } from '../agent.ts';
import type { RewardStep } from '../rewards/index.ts';

/** A call of an episode. */
export interface EpisodeStep extends RewardStep {
  /** Whether the tool gave an output; it refused the call otherwise. */
  readonly ok: boolean;
  readonly seconds: number;
}

/** An episode that ended and counts: a line of `rewards.jsonl`. */
export interface EpisodeRecord {
  /** The index of the task in its split. */
  readonly task: number;
  /** SHA-256 of the task as the server shows it, as in the manifests of `ors tasks snapshot`. */
  readonly task_hash: string;
  /** Which of the episodes of its task, from 0. */
  readonly sample: number;
  /** Null where no call gave a reward. */
  readonly reward: number | null;
  /** What counts for the summary: the reward, and 0 where there is none. */
  readonly score: number;
  readonly stop: StopReason;
  readonly steps: readonly EpisodeStep[];
  /** Answers of the model; null for agents without one. */
  readonly turns: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly started_at: string;
  readonly seconds: number;
  /** Null where nothing is recorded. */
  readonly trace_id: string | null;
  /** From 1; more where earlier ones failed. */
  readonly attempt: number;
}

/** An attempt that failed: a line of `failures.jsonl`. It says nothing about the agent, and has no score. */
export interface FailureRecord {
  readonly task: number;
  readonly sample: number;
  readonly attempt: number;
  readonly kind: FailureKind;
  readonly message: string;
  /** Whether it was played again. */
  readonly retried: boolean;
  readonly at: string;
}

/**
 * Where an episode failed: no connection to the server, an answer that says no or is none, an episode that got lost, a
 * tool that crashed, what the agent needs, the agent's own code, or the store of the traces.
 */
export type FailureKind =
  | 'connection'
  | 'refused'
  | 'protocol'
  | 'session_lost'
  | 'tool_crashed'
  | 'provider'
  | 'agent'
  | 'traces';
