import type { createInputGenerator } from '../../conformance/index.ts';
import type { ValidationFinding } from '../finding.ts';

/** Makes inputs for tools of their schemas. */
export type TrialInputGenerator = ReturnType<typeof createInputGenerator>;

export interface ValidateOptions {
  /** The most tasks of a split that are played. Default: 5. */
  readonly tasks?: number;
  /** The only splits that are looked at. Default: all. */
  readonly splits?: readonly string[];
  /** The only environments that are looked at. Default: all. */
  readonly environments?: readonly string[];
  /** Of the sample and of random inputs. Default: 1. */
  readonly seed?: number;
  /** The longest wait for one answer, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
  /** What episodes are given. Default: none. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** The highest sum of rewards of an episode, where the environment does not say. Default: unknown. */
  readonly maxReward?: number;
  /** Rules that are not held. Default: none. */
  readonly ignore?: readonly string[];
  /** Where valid and invalid inputs come from. Default: made for the run. */
  readonly inputs?: TrialInputGenerator;
  /** Ends the run early; what was found until then is found. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, all: number) => void;
}

/** What came of a run. */
export interface ValidationReport {
  readonly findings: readonly ValidationFinding[];
  /** What was looked at. */
  readonly environments: readonly { readonly name: string; readonly splits: Readonly<Record<string, number>> }[];
  readonly tasks: number;
  readonly episodes: number;
  readonly calls: number;
  readonly seed: number;
  readonly interrupted: boolean;
  readonly durationMs: number;
}

/** The options with their defaults, for what plays. */
export interface ValidationSettings {
  readonly tasks: number;
  readonly splits: readonly string[] | undefined;
  readonly seed: number;
  readonly timeoutMs: number;
  readonly secrets: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly inputs: TrialInputGenerator;
}
