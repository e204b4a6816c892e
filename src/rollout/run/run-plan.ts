import type { Reducer } from '../rewards/index.ts';

/** What a run plays and how it counts: `run.json`, with which it can be gone on with. */
export interface RunPlan {
  /** The name of the run, also in the trace store. */
  readonly run: string;
  /** Tells its traces from those of other runs by the same name. Default: a new one, made with the folder. */
  readonly id?: string;
  /** The training step of all its traces, from 0: the steps of a training are runs of one name. Default: none. */
  readonly step?: number;
  readonly url: string;
  readonly environment: string;
  readonly split: string;
  /** The indexes of the tasks, in the order in which they are played. */
  readonly tasks: TaskRanges;
  /** How many tasks the split had when the run began: with another number the run does not go on. Default: any. */
  readonly task_count?: number;
  /** Episodes per task. */
  readonly samples: number;
  /** What it is called in results and traces, such as `openai/gpt-5`. */
  readonly agent: string;
  readonly limits: { readonly turns: number; readonly tokens: number | null; readonly seconds: number | null };
  readonly reducer: Reducer;
  /** The least score of an episode that has passed. */
  readonly pass: number;
  readonly started_at: string;
  /** Whatever else is needed to make the same agent again; never a secret. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Ranges of indexes, the end left out; the last may be open. */
export type TaskRanges = readonly { readonly start: number; readonly stop: number | null }[];
