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
  readonly untried: readonly { readonly tool: string; readonly reason: string }[];
  readonly splits: readonly SplitEvidence[];
  readonly lives: readonly Life[];
  /** Why no second copy of the module could be loaded. */
  readonly freshFailure: string | undefined;
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
  readonly listings: readonly Listing[];
  /** What came of asking for an index beyond the last. */
  readonly beyond: readonly { readonly asked: string; readonly index: number; readonly refused: boolean }[];
  readonly tasks: readonly TaskEvidence[];
}

export interface Listing {
  /** How they were asked for, such as `again`. */
  readonly asked: string;
  readonly count: number;
  /** Canonical JSON by index. */
  readonly tasks: ReadonlyMap<number, string>;
}

export interface TaskEvidence {
  readonly index: number;
  /** What clients see. */
  readonly shown: JSONObject;
  /** What the environment sees; undefined without its code. */
  readonly whole: JSONObject | undefined;
  readonly runs: readonly Run[];
}

/**
 * - `idle` opens an episode and calls nothing; `fresh` does in a second copy of the module.
 * - `least` calls one tool with its least valid input, `full` with one that has all parameters.
 * - `random` calls random tools with random valid inputs, `invalid` all tools with invalid ones.
 * - `solve` is the environment's own.
 */
export type RunKind = 'idle' | 'fresh' | 'least' | 'full' | 'random' | 'invalid' | 'solve';

/** One episode. */
export interface Run {
  readonly kind: RunKind;
  /** The run whose calls it makes again. */
  readonly repeats?: Run;
  prompt?: Prompt;
  failure?: { readonly stage: 'open' | 'solve'; readonly message: string };
  readonly steps: Step[];
}

export interface Prompt {
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
export type Outcome = 'output' | 'refused' | 'crashed' | 'late' | 'lost' | 'malformed';

/** One call. */
export interface Step {
  readonly tool: string;
  readonly input: JSONObject;
  /** How the input was made; empty for those of `solve`. */
  readonly what: string;
  readonly outcome: Outcome;
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
export interface Life {
  /** Such as `deleted during a call`. */
  readonly how: string;
  readonly split: string;
  readonly index: number;
  /** What teardown and onCleanup threw, or that they did not end. */
  readonly failures: readonly string[];
  /** What keeps the process alive and was not there before, by kind. */
  readonly left: readonly { readonly kind: string; readonly count: number }[];
  readonly episodes: number;
}

/** All rewards of a run. */
export const totalOf = ({ steps }: Run): number =>
  sum(steps.map(({ reward, isAfterEnd }) => (isAfterEnd ? 0 : (reward ?? 0))));

/** Runs of every task, with their places. */
export function* runsOf({ splits }: Evidence): Generator<{ split: string; index: number; run: Run }> {
  for (const { name, tasks } of splits) {
    for (const { index, runs } of tasks) for (const run of runs) yield { split: name, index, run };
  }
}

/** Calls of every run, with their places. */
export function* stepsOf(evidence: Evidence): Generator<{ split: string; index: number; run: Run; step: Step }> {
  for (const place of runsOf(evidence)) for (const step of place.run.steps) yield { ...place, step };
}
