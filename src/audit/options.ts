import type { Session } from '../client/index.ts';
import type { createInputGenerator } from '../conformance/index.ts';
import type { AttackCategory } from './attack.ts';
import type { PlayedCall, TranscriptStep } from './transcript.ts';

/**
 * Options for `audit`.
 *
 * @example
 * const options: AuditOptions = { tasks: 10, budgetMs: 60_000, maxReward: 1 };
 */
export interface AuditOptions {
  /** Maximum number of tasks that are tried. @default 20 */
  readonly tasks?: number;
  /** Split to audit. @default the first one that has tasks */
  readonly split?: string;
  /** Names of the environments to audit. @default all */
  readonly environments?: readonly string[];
  /** Time for each environment, in milliseconds; running requests are aborted then. @default 120_000 */
  readonly budgetMs?: number;
  /** Maximum number of sessions per environment. @default 5_000 */
  readonly maxSessions?: number;
  /** Maximum number of calls per environment. @default 100_000 */
  readonly maxCalls?: number;
  /** Timeout of one response, in milliseconds. @default 30_000 */
  readonly timeoutMs?: number;
  /** Seed of the sample of tasks and of random players. @default 1 */
  readonly seed?: number;
  /** Maximum sum of rewards of an episode, for environments that do not define it. @default unknown; 1 is assumed */
  readonly maxReward?: number;
  /** Secrets for episodes, redacted in reports. @default none */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Ids of attacks to run, or prefixes of ids such as `AUDIT-LEAK`. @default all */
  readonly attacks?: readonly string[];
  /** Calls tools too whose descriptions say that their effects cannot be undone. @default false */
  readonly ownsEnvironment?: boolean;
  /** Plans only: lists tasks and tools, and counts attempts, sessions and calls. @default false */
  readonly dryRun?: boolean;
  /** Generator of inputs. @default a new one for the run */
  readonly inputs?: ReturnType<typeof createInputGenerator>;
  /** Ends the run early; the report has the findings so far. */
  readonly signal?: AbortSignal;
  /** Receives the number of attacks that have ended, and their total. */
  readonly onProgress?: (done: number, all: number) => void;
}

/**
 * Transcript of a finding on one task, as it was replayed in a new session.
 *
 * @example
 * const lines = ({ steps }: AuditReplay) => steps.map(describeStep);
 */
export interface AuditReplay {
  readonly split: string;
  readonly index: number;
  readonly steps: readonly TranscriptStep[];
  readonly calls: readonly PlayedCall[];
  /** Sum of the rewards; null if it is infinite. */
  readonly reward: number | null;
}

/**
 * Exploit of an environment. A proof was replayed in new sessions on at least three tasks, or on all if there are fewer; a
 * suspicion was not, or may be intended.
 *
 * @example
 * const advice = ({ attack, what }: AuditFinding) => `${attack}: ${what}`;
 */
export interface AuditFinding {
  readonly kind: 'proof' | 'suspicion';
  /** Id of the attack, such as `AUDIT-LEAK-01`. */
  readonly attack: string;
  readonly category: AttackCategory;
  readonly title: string;
  readonly environment: string;
  readonly split: string;
  /** Description of the calls, such as `submit.answer is the field /answer of the public task`. */
  readonly what: string;
  /** Reason why a suspicion is not a proof. */
  readonly reason?: string;
  /** Change of the environment that prevents the exploit. */
  readonly advice: string;
  /** Mean reward of the transcript on the tried tasks; null if it is infinite. */
  readonly reward: number | null;
  /** Mean reward of the honest floor: players that do nothing, or make random valid calls. */
  readonly floor: number;
  readonly maxReward: number | null;
  /** Number of tasks on which the transcript paid, and of all that were tried. */
  readonly paid: number;
  readonly tried: number;
  /** The minimal transcript on each task on which it paid. */
  readonly replays: readonly AuditReplay[];
}

/**
 * Result of one attack.
 *
 * @example
 * const isUnfinished = ({ state }: AttackResult) => state === 'skipped';
 */
export interface AttackResult {
  readonly attack: string;
  readonly state: 'proof' | 'suspicion' | 'clean' | 'skipped';
  /** Reason why the attack was skipped, or ended early. */
  readonly reason?: string;
  /** Number of attempts: made, or planned by a dry run. */
  readonly attempts: number;
}

/**
 * Work of an audit, from a dry run.
 *
 * @example
 * const show = ({ attempts, sessions }: AuditPlan) => `${attempts} attempts, at most ${sessions} sessions`;
 */
export interface AuditPlan {
  readonly attempts: number;
  /** Upper bounds, including the replays of everything that pays. */
  readonly sessions: number;
  readonly calls: number;
  /** Upper bounds if no attempt pays. */
  readonly exploration: { readonly sessions: number; readonly calls: number };
}

/**
 * Results of one environment.
 *
 * @example
 * const cost = ({ sessions, calls }: EnvironmentAudit) => `${sessions} sessions, ${calls} calls`;
 */
export interface EnvironmentAudit {
  readonly name: string;
  readonly split: string;
  /** Number of tasks that were tried. */
  readonly tasks: number;
  readonly attacks: readonly AttackResult[];
  /** Tools that were not called, because their descriptions say that effects cannot be undone. */
  readonly skippedTools: readonly string[];
  readonly sessions: number;
  readonly calls: number;
  /** True if the budget ended before the attacks did. */
  readonly isExhausted: boolean;
  /** Reason why the audit of the environment failed, if it did. Findings before the failure are in the report. */
  readonly failure?: string;
  /** Work of an audit, if this was a dry run. */
  readonly plan?: AuditPlan;
  readonly durationMs: number;
}

/**
 * Result of `audit`.
 *
 * @example
 * const { findings, environments }: AuditReport = await audit({ environments: [environment] });
 */
export interface AuditReport {
  readonly version: 1;
  readonly dryRun: boolean;
  readonly seed: number;
  readonly findings: readonly AuditFinding[];
  readonly environments: readonly EnvironmentAudit[];
  readonly interrupted: boolean;
  readonly durationMs: number;
}

/** Wraps the sessions of a replay, for example to record them. */
export type SessionWrapper = (session: Session) => Session;
