import { requirements } from '../../generated/requirements.ts';
import { errorStack } from '../core/index.ts';
import type { Check } from './check.ts';
import type { State } from './result.ts';
import { NotApplicable, Untestable, understood, Violation } from './verdict.ts';

export interface Judgement {
  readonly state: State;
  readonly message?: string;
  /** The requirement is not met, whatever its level makes of that. */
  readonly violated: boolean;
}

/** A row of spec/requirements.yaml. */
export interface Requirement {
  readonly level: 'must' | 'should' | 'may';
  readonly sentence: string;
  readonly source: { readonly document: string; readonly heading: string };
  /** The documents can be read both ways. */
  readonly contested: boolean;
}

/** The row of a check's requirement. */
export function requirementOf({ requirement }: Pick<Check, 'requirement'>): Requirement {
  const row = requirements[requirement];
  return { ...row, contested: 'contested' in row };
}

/** What an error that ended a check means, by the level of the requirement. */
export function judge(check: Pick<Check, 'requirement'>, thrown: unknown): Judgement {
  const error = understood(thrown);
  if (error instanceof NotApplicable) return { state: 'n/a', message: error.message, violated: false };
  if (error instanceof Untestable) return { state: 'not-testable', message: error.message, violated: false };
  if (!(error instanceof Violation)) {
    const message = errorStack(error);
    return { state: 'harness-error', message, violated: false };
  }
  const { level, contested } = requirementOf(check);
  const { message } = error;
  if (contested) {
    return { state: 'n/a', message: `the documents can be read both ways; seen: ${message}`, violated: true };
  }
  if (level === 'may') return { state: 'n/a', message: `optional, and not so here: ${message}`, violated: true };
  return { state: level === 'must' ? 'fail' : 'warn', message, violated: true };
}
