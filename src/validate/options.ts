import type { createInputGenerator } from '../conformance/index.ts';
import type { ValidationFinding } from './finding.ts';

/** Generates inputs from the schemas of tools. */
export type TrialInputGenerator = ReturnType<typeof createInputGenerator>;

/**
 * Options for `validate`.
 *
 * @example
 * const options: ValidateOptions = { splits: ['train'], tasks: 20, ignore: ['step-time'] };
 */
export interface ValidateOptions {
  /** Maximum number of tasks per split that are played. @default 5 */
  readonly tasks?: number;
  /** Names of the splits to play. @default all */
  readonly splits?: readonly string[];
  /** Names of the environments to play. @default all */
  readonly environments?: readonly string[];
  /** Seed of the sample of tasks and of random inputs. @default 1 */
  readonly seed?: number;
  /** Timeout of one response, in milliseconds. @default 60_000 */
  readonly timeoutMs?: number;
  /** Secrets for episodes, redacted in findings. @default none */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Maximum sum of rewards of an episode, for environments that do not define it. @default unknown */
  readonly maxReward?: number;
  /** Names of rules to skip. @default none */
  readonly ignore?: readonly string[];
  /** Generator of inputs. @default a new one for the run */
  readonly inputs?: TrialInputGenerator;
  /** Ends the run early; the report has the findings so far. */
  readonly signal?: AbortSignal;
  /** Receives the number of tasks that have been played, and their total. */
  readonly onProgress?: (done: number, all: number) => void;
}

/**
 * Result of `validate`.
 *
 * @example
 * const report: ValidationReport = await validate(await loadTarget('environment.ts'));
 * if (report.findings.some(({ level }) => level === 'error')) process.exitCode = 1;
 */
export interface ValidationReport {
  readonly findings: readonly ValidationFinding[];
  readonly environments: readonly ValidatedEnvironmentReport[];
  readonly tasks: number;
  readonly episodes: number;
  readonly calls: number;
  readonly seed: number;
  readonly interrupted: boolean;
  readonly durationMs: number;
}

/**
 * What was tested in an environment.
 *
 * @example
 * const format = ({ name, held }: ValidatedEnvironmentReport) => `${name}: ${held.length} rules held`;
 */
export interface ValidatedEnvironmentReport {
  readonly name: string;
  /** Number of played tasks by split. */
  readonly splits: Readonly<Record<string, number>>;
  /** Names of the rules that were tested, and have no finding. */
  readonly held: readonly string[];
  /** Rules about which the played episodes say nothing. */
  readonly untested: readonly { readonly rule: string; readonly reason: string }[];
}

/** Options of a run with their defaults. */
export interface ValidationSettings
  extends Required<Pick<ValidateOptions, 'tasks' | 'seed' | 'timeoutMs' | 'secrets' | 'signal' | 'inputs'>> {
  readonly splits: readonly string[] | undefined;
}
