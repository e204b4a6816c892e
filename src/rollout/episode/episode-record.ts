import type { StopReason } from '../agent.ts';
import type { RewardStep } from '../rewards.ts';

/**
 * Tool call of an episode.
 *
 * @example
 * const isRefused = ({ ok }: EpisodeStep) => !ok;
 * const refused = folder.completed.flatMap(({ steps }) => steps.filter(isRefused));
 */
export interface EpisodeStep extends RewardStep {
  /** False for a tool error. */
  readonly ok: boolean;
  readonly seconds: number;
}

/**
 * Line of `rewards.jsonl`: an episode that ended without a failure.
 *
 * @example
 * const isSolved = ({ score }: EpisodeRecord) => score === 1;
 * const solved = folder.completed.filter(isSolved).map(({ task }) => task);
 */
export interface EpisodeRecord {
  /** Index of the task in its split. */
  readonly task: number;
  /** SHA-256 of the public task, as in the manifests of `ors tasks snapshot`. */
  readonly task_hash: string;
  /** Number of the sample among those of its task, from 0. */
  readonly sample: number;
  /** Null if no call returned a reward, or the final message was not graded. */
  readonly reward: number | null;
  /** The reward, or 0 if there is none; used by the summary. */
  readonly score: number;
  /**
   * Why the environment, which grades the final message of the agent, did not grade it: there was none, or the environment
   * refused it. The reward is then null. Null if it was graded, or the environment does not grade final messages; absent
   * in runs of older versions.
   */
  readonly ungraded?: 'no_answer' | 'answer_refused' | null;
  readonly stop: StopReason;
  readonly steps: readonly EpisodeStep[];
  /** Number of responses of the model; null for agents without one. */
  readonly turns: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly started_at: string;
  readonly seconds: number;
  /** Null if the episode is not recorded. */
  readonly trace_id: string | null;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
}

/**
 * Line of `failures.jsonl`: an attempt that failed. It says nothing about the agent, and has no score.
 *
 * @example
 * const format = ({ task, kind, message }: FailureRecord) => `task ${task}: ${kind}: ${message}`;
 * const lines = folder.failures.map(format);
 */
export interface FailureRecord {
  readonly task: number;
  readonly sample: number;
  readonly attempt: number;
  readonly kind: FailureKind;
  readonly message: string;
  /** True if another attempt followed. */
  readonly retried: boolean;
  readonly at: string;
}

/**
 * Component in which an episode failed: the connection to the server, a request that the server rejected, an invalid
 * response, a lost session, a tool that crashed, a provider or other dependency of the agent, the agent's own code, or the
 * trace store.
 *
 * @example
 * const ofServer: FailureKind[] = ['connection', 'session_lost', 'tool_crashed'];
 * const failures = folder.failures.filter(({ kind }) => ofServer.includes(kind));
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
