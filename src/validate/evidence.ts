import { sum } from '../core/index.ts';
import type { JSONObject, ToolSpec } from '../protocol/index.ts';

/** What was seen of one environment; all that rules know. */
export interface Evidence {
  readonly environment: string;
  /** The environment's own code is there, so whole tasks, `solve` and cleanup can be seen. */
  readonly hasSource: boolean;
  readonly hasSolve: boolean;
  readonly maxReward: number | undefined;
  /** Every tool that was seen, by its name; those of tasks too. */
  readonly tools: ReadonlyMap<string, ToolSpec>;
  readonly untriedTools: readonly { readonly tool: string; readonly reason: string }[];
  readonly splits: readonly SplitEvidence[];
  readonly lifecycles: readonly LifecycleEvidence[];
  /** Why no second copy of the module could be loaded. */
  readonly secondCopyFailure: string | undefined;
  /** What was thrown where nobody caught it. */
  readonly uncaught: readonly string[];
}

export interface SplitEvidence {
  readonly name: string;
  /** Undefined if the environment could not say. */
  readonly count: number | undefined;
  /** Why the tasks could not be had. */
  readonly failure: string | undefined;
  /** The same tasks, as they came each time that they were asked for. */
  readonly listings: readonly TaskListing[];
  /** What came of asking for an index beyond the last. */
  readonly outOfRange: readonly { readonly description: string; readonly index: number; readonly refused: boolean }[];
  readonly tasks: readonly TaskEvidence[];
}

export interface TaskListing {
  /** How they were asked for, such as `again`. */
  readonly description: string;
  readonly count: number;
  /** Canonical JSON by index. */
  readonly tasks: ReadonlyMap<number, string>;
}

export interface TaskEvidence {
  readonly index: number;
  /** What clients see. */
  readonly publicTask: JSONObject;
  /** What the environment sees; undefined without its code. */
  readonly fullTask: JSONObject | undefined;
  readonly runs: readonly EpisodeRun[];
}

/**
 * - `idle` opens an episode and calls nothing; `fresh` does in a second copy of the module.
 * - `least` calls one tool with its least valid input, `full` with one that has all parameters.
 * - `random` calls random tools with random valid inputs, `invalid` all tools with invalid ones.
 * - `solve` is the environment's own.
 */
export type EpisodeRunKind = 'idle' | 'fresh' | 'least' | 'full' | 'random' | 'invalid' | 'solve';

/** One episode. */
export interface EpisodeRun {
  readonly kind: EpisodeRunKind;
  /** The run whose calls it makes again. */
  readonly repeats?: EpisodeRun;
  prompt?: PromptEvidence;
  failure?: { readonly stage: 'open' | 'solve'; readonly message: string };
  readonly steps: CallEvidence[];
}

export interface PromptEvidence {
  readonly text: string;
  /** Of all blocks. */
  readonly digest: string;
  readonly isEmpty: boolean;
}

/**
 * - `output`: the tool gave one. `refused`: `ok: false`.
 * - `crashed`: an `error` event, or a status of failure. `late`: no answer in time. `lost`: the session was gone.
 * - `malformed`: an answer that the standard does not allow.
 */
export type StepOutcome = 'output' | 'refused' | 'crashed' | 'late' | 'lost' | 'malformed';

/** One call. */
export interface CallEvidence {
  readonly tool: string;
  readonly input: JSONObject;
  /** How the input was made; empty for those of `solve`. */
  readonly what: string;
  readonly outcome: StepOutcome;
  /** The output's text, cut, or the reason why there is none. */
  readonly text: string;
  /** Of all blocks of an output. */
  readonly digest: string;
  readonly reward: number | null;
  readonly finished: boolean;
  readonly ms: number;
  /** Made after the episode had finished. */
  readonly isAfterEnd: boolean;
}

/** What became of some episodes of one task that ended in the same way, without a server around them. */
export interface LifecycleEvidence {
  /** Such as `deleted during a call`. */
  readonly how: string;
  readonly split: string;
  readonly index: number;
  /** What teardown and onCleanup threw, or that they did not end. */
  readonly failures: readonly string[];
  /** What keeps the process alive and was not there before, by kind. */
  readonly leakedResources: readonly { readonly kind: string; readonly count: number }[];
  readonly episodes: number;
}

/** All rewards of a run. */
export const totalReward = ({ steps }: EpisodeRun): number =>
  sum(steps.map(({ reward, isAfterEnd }) => (isAfterEnd ? 0 : (reward ?? 0))));

/** Runs of every task, with their places. */
export function* iterateRuns({ splits }: Evidence): Generator<{ split: string; index: number; run: EpisodeRun }> {
  for (const { name, tasks } of splits) {
    for (const { index, runs } of tasks) for (const run of runs) yield { split: name, index, run };
  }
}

/** Calls of every run, with their places. */
export function* iterateSteps(
  evidence: Evidence,
): Generator<{ split: string; index: number; run: EpisodeRun; step: CallEvidence }> {
  for (const place of iterateRuns(evidence)) for (const step of place.run.steps) yield { ...place, step };
}
