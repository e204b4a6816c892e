import type { JSONObject, JSONValue } from '../protocol/index.ts';
import type { TrialCallOutcome } from '../trial/index.ts';

/** Name of the session whose rewards count. */
export const MAIN = 'main';

/**
 * One call of a transcript.
 *
 * @example
 * const step: CallStep = { do: 'call', tool: 'submit', input: { answer: '7' } };
 */
export interface CallStep {
  readonly do: 'call';
  readonly tool: string;
  readonly input: JSONObject;
  /** Session of the call; it is opened before its first step. @default 'main' */
  readonly session?: string;
  /** Value of the input that an earlier output of this transcript contains. */
  readonly read?: OutputReference;
  /** Value of the input that is the time of the call. */
  readonly clock?: ClockReference;
  /**
   * Requests the call a second time under its `task_id`: while it runs, or after its result. The second result counts only
   * if it differs, which means that the tool has run twice. @default once
   */
  readonly again?: 'during' | 'after';
  /** True for a call of `solve`: the honest part of the transcript, which earns nothing that counts. */
  readonly isHonest?: true;
}

/**
 * Value that is read from outputs and refusals of earlier steps, the latest first.
 *
 * @example
 * const read: OutputReference = { at: '/answer', pattern: 'the answer is (\\w+)' };
 */
export interface OutputReference {
  /** JSON pointer of the value in the input. */
  readonly at: string;
  /** Regular expression whose first group is the value. */
  readonly pattern: string;
  /** True if the input has a number there. */
  readonly isNumber?: true;
}

/**
 * Part of the time, in UTC.
 *
 * @example
 * const unit: ClockUnit = 'minute';
 */
export type ClockUnit = 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year' | 'date' | 'timestamp';

/**
 * Value that is computed from the clock when the call is made.
 *
 * @example
 * const clock: ClockReference = { at: '/answer', unit: 'minute', isNumber: true };
 */
export interface ClockReference {
  /** JSON pointer of the value in the input. */
  readonly at: string;
  readonly unit: ClockUnit;
  /** Values of which the time selects one, in turn. @default the time itself */
  readonly choices?: readonly JSONValue[];
  /** True if the input has a number there. */
  readonly isNumber?: true;
}

/**
 * Step of a transcript. Sessions have names: the rewards of `main` count, and others prepare it.
 *
 * @example
 * const steps: TranscriptStep[] = [{ do: 'call', tool: 'submit', input: { answer: '' } }];
 */
export type TranscriptStep =
  | CallStep
  /** Makes calls at the same time. */
  | { readonly do: 'together'; readonly calls: readonly CallStep[] }
  /** Opens a session, by default of the task of the transcript. */
  | { readonly do: 'open'; readonly session?: string; readonly index?: number }
  | { readonly do: 'close'; readonly session: string }
  | { readonly do: 'wait'; readonly ms: number }
  /** Sends pings, one after the other. */
  | { readonly do: 'ping'; readonly count: number };

/**
 * Call that was made, with its result.
 *
 * @example
 * const paid = (calls: readonly PlayedCall[]) => calls.filter(({ reward }) => (reward ?? 0) > 0);
 */
export interface PlayedCall {
  readonly session: string;
  readonly tool: string;
  readonly input: JSONObject;
  readonly outcome: TrialCallOutcome;
  /** Truncated text of the output, or the reason why there is none. */
  readonly text: string;
  readonly reward: number | null;
  readonly finished: boolean;
  /** True if an earlier call had finished the episode. */
  readonly isAfterEnd: boolean;
}

/** Result of playing a transcript. */
export interface TranscriptRun {
  /** Sum of the rewards of the session `main`. Infinite if it is too large for a number. */
  readonly reward: number;
  /** Part of the reward that was paid until the episode had finished, which is all that an agent earns. */
  readonly rewardBeforeEnd: number;
  /** Part of the reward that was paid after the episode had finished. */
  readonly rewardAfterEnd: number;
  readonly calls: readonly PlayedCall[];
  /** Whole texts of outputs, their metadata, and refusals before the last step, the latest first. */
  readonly earlierTexts: readonly string[];
  /** Reason why a session could not be opened. */
  readonly failure?: string;
}

/**
 * Removes steps from a list while `isGood` holds (delta debugging, ddmin). Returns the positions of the steps that remain.
 * Removing any single one of them breaks `isGood`, unless `maxTests` is reached.
 *
 * @param isGood tests a list with fewer steps; it must hold for the whole list.
 */
export async function minimizeSteps(
  count: number,
  maxTests: number,
  isGood: (positions: readonly number[]) => Promise<boolean>,
): Promise<readonly number[]> {
  let kept: readonly number[] = Array.from({ length: count }, (_, at) => at);
  let tests = 0;
  let parts = 2;
  while (kept.length >= 2 && tests < maxTests) {
    const size = Math.ceil(kept.length / parts);
    let smaller: readonly number[] | undefined;
    for (let start = 0; start < kept.length && tests < maxTests && !smaller; start += size) {
      const others = [...kept.slice(0, start), ...kept.slice(start + size)];
      tests++;
      if (others.length > 0 && (await isGood(others))) smaller = others;
    }
    if (!smaller && size === 1) break;
    kept = smaller ?? kept;
    parts = smaller ? Math.max(2, parts - 1) : Math.min(kept.length, parts * 2);
  }
  return kept;
}
