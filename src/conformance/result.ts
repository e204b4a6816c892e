import type { RequirementId } from '../../generated/requirements.ts';
import type { BudgetLimits } from './probe/budget.ts';
import type { Exchange } from './probe/index.ts';
import type { Profile } from './profile.ts';

/**
 * - `pass`: the requirement is met.
 * - `fail`: a MUST is not met.
 * - `warn`: a SHOULD is not met.
 * - `n/a`: the server rightly has nothing that it is about, or does not have what is a MAY, or does it in another of the
 *   ways in which the documents can be read.
 * - `not-testable`: something that the check needs could not be had. Never a pass.
 * - `harness-error`: the suite is wrong.
 */
export type CheckState = 'pass' | 'fail' | 'warn' | 'n/a' | 'not-testable' | 'harness-error';

/** What came of one check. */
export interface CheckRunResult {
  readonly check: string;
  readonly title: string;
  readonly requirement: RequirementId;
  readonly level: 'must' | 'should' | 'may';
  /** The requirement in words. */
  readonly sentence: string;
  readonly contested: boolean;
  readonly state: CheckState;
  /** What the server did, or what could not be had; absent on a plain pass. */
  readonly message?: string;
  /** The requirement is not met, whatever its level makes of that. */
  readonly violated: boolean;
  /** What was seen where the documents leave it open. */
  readonly notes: readonly string[];
  readonly durationMs: number;
  readonly exchanges: readonly Exchange[];
}

/** A whole run. */
export interface ConformanceRun {
  readonly url: string;
  readonly suite: string;
  /** Of spec/requirements.yaml. */
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
