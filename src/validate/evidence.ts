import { groupBy, type JsonDifference, sum } from '../core/index.ts';
import type { Durability } from '../environment/index.ts';
import type { JSONObject, Message, ToolSpec } from '../protocol/index.ts';
import type { TrialCallOutcome } from '../trial/index.ts';

/** Observations of one environment, on which the rules decide. */
export interface Evidence {
  readonly environment: string;
  /** True if the code of the environment is available, and with it full tasks, `solve` and cleanup. */
  readonly hasSource: boolean;
  readonly hasSolve: boolean;
  /** Undefined without the code of the environment, or if its episodes cannot come back from a journal. */
  readonly durability: Durability | undefined;
  readonly maxReward: number | undefined;
  /** All known tools by name, including task tools. */
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** Secrets that the environment needs and the run does not have. */
  missingSecrets: readonly string[];
  readonly untriedTools: readonly { readonly tool: string; readonly reason: string }[];
  readonly splits: readonly SplitEvidence[];
  readonly lifecycles: readonly LifecycleEvidence[];
  /** Reason why the second copy of the module could not be loaded. */
  readonly secondCopyFailure: string | undefined;
  /** Uncaught errors. */
  readonly uncaught: readonly string[];
}

export interface SplitEvidence {
  readonly name: string;
  /** Undefined if the environment could not count its tasks. */
  count: number | undefined;
  /** Reason why the tasks could not be listed. */
  failure: string | undefined;
  /** Indexes of the tasks to play. */
  sampled: readonly number[];
  /** Listings of the same tasks, requested in different ways. */
  listings: readonly TaskListing[];
  /** Requests for an index beyond the last. */
  outOfRange: readonly { readonly description: string; readonly index: number; readonly refused: boolean }[];
  readonly tasks: TaskEvidence[];
}

export interface TaskListing {
  /** Manner of the request, such as `in one page again`. */
  readonly description: string;
  /** True for a listing of all tasks, false for one of the sampled tasks by index. */
  readonly isPaged: boolean;
  readonly count: number;
  /** Canonical JSON by index. */
  readonly tasks: ReadonlyMap<number, string>;
}

export interface TaskEvidence {
  readonly index: number;
  readonly publicTask: JSONObject;
  /** Undefined without the code of the environment. */
  readonly fullTask: JSONObject | undefined;
  readonly runs: readonly EpisodeRun[];
  /** Comparison of the runs, if the environment compares rollouts. */
  readonly group?: GroupEvidence | undefined;
  /** Continued episodes, if the environment is durable. */
  readonly returns?: readonly ReturnEvidence[] | undefined;
}

/** An episode that came back from a journal. */
export interface ReturnEvidence {
  readonly kind: 'solve' | 'random';
  /** Number of calls before the return. */
  readonly at: number;
  /**
   * - `played again` repeats the whole episode, without a state to restore.
   * - `alone` and `beside another` continue it, the latter while a second copy of it is continued too.
   * - `not stored` did not come back: the journal could not keep a call.
   */
  readonly how: 'not stored' | 'played again' | 'alone' | 'beside another';
  /** The first call with another result than before; undefined if there is none. */
  readonly problem?: ReturnProblem;
}

export interface ReturnProblem {
  /** Undefined if the episode could not be continued at all. */
  readonly call?: { readonly number: number } & Pick<CallEvidence, 'tool' | 'input'>;
  /** Difference between the result before and after the return. */
  readonly difference?: JsonDifference | undefined;
  /** Message of the error, if there is no result to compare. */
  readonly message?: string;
}

/** Comparative rewards of runs of one task. */
export interface GroupEvidence {
  /** Reason why there are none. */
  readonly failure?: string;
  readonly rewards: readonly number[];
  /** Rewards of the same runs in reverse order, put back in the order of `rewards`. */
  readonly reversed: readonly number[];
}

/** One episode. */
export interface EpisodeRun {
  /**
   * - `idle` opens an episode and calls nothing; `fresh` does so in a second copy of the module.
   * - `minimal` calls one tool with its minimal valid input, `full` with all parameters.
   * - `random` calls random tools with random valid inputs, `invalid` all tools with invalid ones.
   * - `answer` submits a message without an answer to the terminal tool.
   * - `solve` plays with `solve` of the environment.
   */
  readonly kind: 'idle' | 'fresh' | 'minimal' | 'full' | 'random' | 'invalid' | 'answer' | 'solve';
  /** Earlier run with the same calls. */
  readonly repeats?: EpisodeRun;
  prompt?: PromptEvidence;
  /** Name of the tool that grades the final message. */
  terminalTool?: string;
  failure?: { readonly stage: 'open' | 'solve'; readonly message: string };
  readonly steps: CallEvidence[];
}

export interface PromptEvidence {
  readonly text: string;
  /** Hash of all blocks. */
  readonly digest: string;
  readonly isEmpty: boolean;
  /** The conversation; one message for an environment with a plain prompt. */
  readonly messages: readonly Message[];
}

/** One call. */
export interface CallEvidence {
  readonly tool: string;
  readonly input: JSONObject;
  /** Description of the input; empty for calls of `solve`. */
  readonly what: string;
  readonly outcome: TrialCallOutcome;
  /** Truncated text of the output, or the reason why there is none. */
  readonly text: string;
  /** Why the server refused the call, if it did. */
  readonly reason?: string | null | undefined;
  /** Hash of all blocks of the output. */
  readonly digest: string;
  readonly reward: number | null;
  readonly finished: boolean;
  readonly ms: number;
  /** True for calls after the episode had finished. */
  readonly isAfterEnd: boolean;
}

/** Several episodes of one task that ended in the same way, played without a server. */
export interface LifecycleEvidence {
  /** Manner of the end, such as `deleted during a call`. */
  readonly how: string;
  readonly split: string;
  readonly index: number;
  /** Errors and timeouts of teardown and onCleanup. */
  readonly failures: readonly string[];
  /** New resources that keep the process alive, by kind. */
  readonly leakedResources: readonly { readonly kind: string; readonly count: number }[];
  readonly episodes: number;
}

/** Returns the sum of the rewards of a run. */
export const totalReward = ({ steps }: EpisodeRun): number =>
  sum(steps.map(({ reward, isAfterEnd }) => (isAfterEnd ? 0 : (reward ?? 0))));

/** Returns whether a call failed because the standard does not allow its reward. */
export const hasInvalidReward = ({ outcome, text }: CallEvidence): boolean =>
  outcome === 'malformed' && text.includes('reward');

/** Returns the runs of all tasks with their positions. */
export const runsOf = ({ splits }: Evidence) =>
  splits.flatMap(({ name: split, tasks }) =>
    tasks.flatMap(({ index, runs }) => runs.map((run) => ({ split, index, run }))),
  );

/** Returns the calls of all runs with their positions. */
export const stepsOf = (evidence: Evidence) =>
  runsOf(evidence).flatMap((position) => position.run.steps.map((step) => ({ ...position, step })));

/** Returns why the evidence says nothing about a rule; undefined if it does. */
export type UntestedReason = (evidence: Evidence) => string | undefined;

export const noRuns: UntestedReason = (evidence) => (runsOf(evidence).length > 0 ? undefined : 'no task was played');

export const noPrompts: UntestedReason = (evidence) =>
  runsOf(evidence).some(({ run }) => run.prompt) ? undefined : 'no prompt was received';

export const noSteps: UntestedReason = (evidence) => (stepsOf(evidence).length > 0 ? undefined : 'no tool was called');

export const noTools: UntestedReason = ({ tools }) => (tools.size > 0 ? undefined : 'no tool is known');

export const noSource: UntestedReason = ({ hasSource }) =>
  hasSource ? undefined : 'the code of the environment is not available';

/** Returns the first item with each key. */
export const uniqueBy = <Item>(items: Iterable<Item>, keyOf: (item: Item) => unknown): Item[] =>
  Array.from(groupBy(items, keyOf).values(), ([first]) => first);
