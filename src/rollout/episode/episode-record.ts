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
  /**
   * Estimated advantage: how much the mean score of the continued episode rises by the call, or by the calls between two
   * states that were continued. Absent unless the run has `branch`.
   */
  readonly advantage?: number;
}

/**
 * How an episode, or a continuation of one, ended.
 *
 * @example
 * const isUnrewarded = ({ reward }: EpisodeEnd) => reward === null;
 */
export interface EpisodeEnd {
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
}

/**
 * Continuation of an episode from one of its states. Its reward counts only its calls.
 *
 * @example
 * const callsOf = ({ steps }: Continuation) => steps.map(({ tool }) => tool);
 */
export interface Continuation extends EpisodeEnd {
  /** Null if the run is not recorded. */
  readonly trace_id: string | null;
}

/**
 * A state from which an episode was continued.
 *
 * @example
 * const best = (branches: readonly EpisodeBranch[]) => Math.max(...branches.map(({ value }) => value));
 */
export interface EpisodeBranch {
  /** Number of calls before the state. */
  readonly calls: number;
  /** Mean score of the episodes that begin with these calls and continue from the state. */
  readonly value: number;
  /** Standard error of the value; null for a single continuation. */
  readonly standard_error: number | null;
  /** Value of the next state, or score of the episode after the last one, minus the value of this state. */
  readonly advantage: number;
  readonly continuations: readonly Continuation[];
}

/**
 * Line of `rewards.jsonl`: an episode that ended without a failure.
 *
 * @example
 * const isSolved = ({ score }: EpisodeRecord) => score === 1;
 * const solved = folder.completed.filter(isSolved).map(({ task }) => task);
 */
export interface EpisodeRecord extends EpisodeEnd {
  /** Index of the task in its split. */
  readonly task: number;
  /** SHA-256 of the public task, as in the manifests of `ors tasks snapshot`. */
  readonly task_hash: string;
  /** Number of the sample among those of its task, from 0. */
  readonly sample: number;
  readonly started_at: string;
  /** Without the time of its continuations. */
  readonly seconds: number;
  /** Null if the episode is not recorded. */
  readonly trace_id: string | null;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** The states from which the episode was continued, in their order. Absent unless the run has `branch`. */
  readonly branches?: readonly EpisodeBranch[];
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
