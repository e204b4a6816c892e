import { type RequirementId, requirements } from '../../generated/requirements.ts';
import { errorStack } from '../core/index.ts';
import { NotApplicableError, normalizeSuiteError, UntestableError, ViolationError } from './assertions.ts';
import type { ConformanceCheck } from './check.ts';
import type { Profile } from './options.ts';
import type { BudgetLimits, Exchange } from './probe/index.ts';

/**
 * Outcome of a check.
 * - `pass`: the requirement is met.
 * - `fail`: a MUST is not met.
 * - `warn`: a SHOULD is not met.
 * - `n/a`: the requirement does not apply, or a MAY is not implemented, or the server follows another reading of a
 *   contested requirement.
 * - `not-testable`: a prerequisite of the check is missing. Never a pass.
 * - `harness-error`: a bug in the suite.
 */
export type CheckState = 'pass' | 'fail' | 'warn' | 'n/a' | 'not-testable' | 'harness-error';

/** Result of one check. */
export interface CheckRunResult {
  readonly check: string;
  readonly title: string;
  readonly requirement: RequirementId;
  readonly level: 'must' | 'should' | 'may';
  /** Text of the requirement. */
  readonly sentence: string;
  readonly contested: boolean;
  readonly state: CheckState;
  /** The behavior of the server, or the missing prerequisite; absent for a pass. */
  readonly message?: string;
  /** The requirement is not met, whatever its level. */
  readonly violated: boolean;
  /** Observations about behaviour that the documents leave open. */
  readonly notes: readonly string[];
  readonly durationMs: number;
  readonly exchanges: readonly Exchange[];
}

/** Result of a run of a server or client. */
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
export interface RequirementRow {
  readonly level: 'must' | 'should' | 'may';
  readonly sentence: string;
  readonly source: { readonly document: string; readonly heading: string };
  /** The documents allow two readings. */
  readonly contested: boolean;
}

/** Returns the requirement of a check. */
export function getRequirement({ requirement }: Pick<ConformanceCheck, 'requirement'>): RequirementRow {
  const row = requirements[requirement];
  return { ...row, contested: 'contested' in row };
}

/** Converts the error that ended a check to its state, by the level of the requirement. */
export function judge(
  check: Pick<ConformanceCheck, 'requirement'>,
  thrown: unknown,
): Pick<CheckRunResult, 'state' | 'message' | 'violated'> {
  const error = normalizeSuiteError(thrown);
  if (error instanceof NotApplicableError) return { state: 'n/a', message: error.message, violated: false };
  if (error instanceof UntestableError) return { state: 'not-testable', message: error.message, violated: false };
  if (!(error instanceof ViolationError)) {
    return { state: 'harness-error', message: errorStack(error), violated: false };
  }
  const { level, contested } = getRequirement(check);
  const { message } = error;
  if (contested) {
    return { state: 'n/a', message: `the documents allow two readings; observed: ${message}`, violated: true };
  }
  if (level === 'may') return { state: 'n/a', message: `optional, and not implemented: ${message}`, violated: true };
  return { state: level === 'must' ? 'fail' : 'warn', message, violated: true };
}
