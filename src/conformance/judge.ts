import { requirements } from '../../generated/requirements.ts';
import { errorStack } from '../core/index.ts';
import type { ConformanceCheck } from './check.ts';
import type { CheckState } from './result.ts';
import { NotApplicableError, normalizeSuiteError, UntestableError, ViolationError } from './verdict.ts';

export interface Judgement {
  readonly state: CheckState;
  readonly message?: string;
  /** The requirement is not met, whatever its level makes of that. */
  readonly violated: boolean;
}

/** A row of spec/requirements.yaml. */
export interface RequirementRow {
  readonly level: 'must' | 'should' | 'may';
  readonly sentence: string;
  readonly source: { readonly document: string; readonly heading: string };
  /** The documents can be read both ways. */
  readonly contested: boolean;
}

/** The row of a check's requirement. */
export function getRequirement({ requirement }: Pick<ConformanceCheck, 'requirement'>): RequirementRow {
  const row = requirements[requirement];
  return { ...row, contested: 'contested' in row };
}

/** What an error that ended a check means, by the level of the requirement. */
export function judge(check: Pick<ConformanceCheck, 'requirement'>, thrown: unknown): Judgement {
  const error = normalizeSuiteError(thrown);
  if (error instanceof NotApplicableError) return { state: 'n/a', message: error.message, violated: false };
  if (error instanceof UntestableError) return { state: 'not-testable', message: error.message, violated: false };
  if (!(error instanceof ViolationError)) {
    const message = errorStack(error);
    return { state: 'harness-error', message, violated: false };
  }
  const { level, contested } = getRequirement(check);
  const { message } = error;
  if (contested) {
    return { state: 'n/a', message: `the documents can be read both ways; seen: ${message}`, violated: true };
  }
  if (level === 'may') return { state: 'n/a', message: `optional, and not so here: ${message}`, violated: true };
  return { state: level === 'must' ? 'fail' : 'warn', message, violated: true };
}
