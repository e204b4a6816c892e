import { requirements } from '../../generated/requirements.ts';
import { errorStack, mapConcurrent } from '../core/index.ts';
import { NotApplicableError, normalizeSuiteError, UntestableError, ViolationError } from './assertions.ts';
import type { ConformanceCheck } from './check.ts';
import type { Profile } from './options.ts';
import type { BudgetLimits, Exchange } from './probe/index.ts';

/**
 * Outcome of a check.
 * - `pass`: the requirement is met.
 * - `fail`: a MUST is not met, or the implementation has an extension and does it otherwise.
 * - `warn`: a SHOULD is not met.
 * - `n/a`: the requirement does not apply, or a MAY is not implemented, or the server follows another reading of a
 *   contested requirement.
 * - `not-testable`: a prerequisite of the check is missing. Never a pass.
 * - `harness-error`: a bug in the suite.
 *
 * @example
 * const isProblem = (state: CheckState) => state === 'fail' || state === 'harness-error';
 */
export type CheckState = 'pass' | 'fail' | 'warn' | 'n/a' | 'not-testable' | 'harness-error';

/** The parts of a check that its result shows. */
type CheckIdentity = Pick<ConformanceCheck, 'id' | 'title' | 'requirement'>;

/** Result of one check. */
export interface CheckRunResult extends Omit<CheckIdentity, 'id'>, Omit<RequirementRow, 'source'> {
  readonly check: string;
  readonly state: CheckState;
  /** The behaviour of the server, or the missing prerequisite; absent for a pass. */
  readonly message?: string;
  /** The requirement is not met, whatever its level. */
  readonly violated: boolean;
  /** Observations about behaviour that the documents leave open. */
  readonly notes: readonly string[];
  readonly durationMs: number;
  readonly exchanges: readonly Exchange[];
}

/**
 * Result of a run of a server or client.
 *
 * @example
 * const violations = ({ results }: ConformanceRun) => results.filter(({ violated }) => violated);
 */
export interface ConformanceRun {
  readonly url: string;
  readonly suite: string;
  /** Revision of spec/requirements.yaml. */
  readonly requirements: string;
  readonly profiles: readonly Profile[];
  readonly seed: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly environment: string;
  readonly environments: readonly string[];
  readonly budget: BudgetLimits;
  readonly used: { readonly sessions: number; readonly calls: number };
  /** In the order of the checks. */
  readonly results: readonly CheckRunResult[];
}

/** A row of spec/requirements.yaml. */
interface RequirementRow {
  readonly level: 'must' | 'should' | 'may';
  /** Text of the requirement. */
  readonly sentence: string;
  readonly source: { readonly document: string; readonly heading: string };
  /** The documents allow two readings. */
  readonly contested: boolean;
}

/** A requirement with its flags. */
interface FlaggedRequirement extends RequirementRow {
  /** From openreward, not in the documents; only who has it can break it. */
  readonly isExtension: boolean;
}

/**
 * Returns the requirement of a check.
 *
 * @example
 * const required = serverChecks.filter((check) => getRequirement(check).level === 'must');
 */
export function getRequirement({ requirement }: Pick<CheckIdentity, 'requirement'>): FlaggedRequirement {
  const row = requirements[requirement];
  return { ...row, contested: 'contested' in row, isExtension: 'extension' in row };
}

/** How to run one check. */
export interface CheckExecution {
  /** Returns the milliseconds since the start of the run. */
  readonly now: () => number;
  readonly run: () => Promise<void>;
  readonly cleanUp: () => Promise<void>;
  /** Called after `cleanUp`. */
  readonly evidence: () => Pick<CheckRunResult, 'notes' | 'exchanges'>;
}

/** Runs a check. Everything that goes wrong in it is its result. */
export async function runCheck(
  check: CheckIdentity,
  { now, run, cleanUp, evidence }: CheckExecution,
): Promise<CheckRunResult> {
  const { id, title, requirement } = check;
  const { level, sentence, contested } = getRequirement(check);
  const startedAt = now();
  const outcome = await run().then(
    () => ({ state: 'pass', violated: false }) as const,
    (error: unknown) => judge(check, error),
  );
  await cleanUp();
  const durationMs = Math.round(now() - startedAt);
  return { check: id, title, requirement, level, sentence, contested, ...outcome, durationMs, ...evidence() };
}

/**
 * Runs batches of checks, one batch after the other. Returns the results in the order of `checks`.
 *
 * @param onProgress called before the first check and after each
 */
export async function runBatches<Check>(
  checks: readonly Check[],
  batches: readonly (readonly [checks: readonly Check[], concurrency: number])[],
  run: (check: Check) => Promise<CheckRunResult>,
  onProgress: (done: number, result?: CheckRunResult) => void,
): Promise<CheckRunResult[]> {
  const results = new Map<Check, CheckRunResult>();
  onProgress(0);
  for (const [batch, concurrency] of batches) {
    await mapConcurrent(batch, concurrency, async (check) => {
      const result = await run(check);
      results.set(check, result);
      onProgress(results.size, result);
    });
  }
  return checks.flatMap((check) => results.get(check) ?? []);
}

/** Converts the error that ended a check to its state, by the level of the requirement. */
function judge(check: CheckIdentity, thrown: unknown): Pick<CheckRunResult, 'state' | 'message' | 'violated'> {
  const error = normalizeSuiteError(thrown);
  if (error instanceof NotApplicableError) return { state: 'n/a', message: error.message, violated: false };
  if (error instanceof UntestableError) return { state: 'not-testable', message: error.message, violated: false };
  if (!(error instanceof ViolationError)) {
    return { state: 'harness-error', message: errorStack(error), violated: false };
  }
  const { level, contested, isExtension } = getRequirement(check);
  const { message } = error;
  if (contested) {
    return { state: 'n/a', message: `the documents allow two readings; observed: ${message}`, violated: true };
  }
  if (isExtension) {
    const reason = `${message} (an extension, which is optional, but this implementation has it)`;
    return { state: 'fail', message: reason, violated: true };
  }
  if (level === 'may') return { state: 'n/a', message: `optional, and not implemented: ${message}`, violated: true };
  return { state: level === 'must' ? 'fail' : 'warn', message, violated: true };
}
