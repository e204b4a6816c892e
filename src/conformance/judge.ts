import { requirements } from '../../generated/requirements.ts';
import type { Check } from './check.ts';
import type { State } from './result.ts';
import { NotApplicable, Untestable, Violation } from './verdict.ts';

export interface Judgement {
  readonly state: State;
  readonly message?: string;
}

/** The row of a check's requirement. */
export function requirementOf({ requirement }: Pick<Check, 'requirement'>) {
  const row = requirements[requirement];
  return { ...row, contested: 'contested' in row };
}

/** What an error that ended a check means, by the level of the requirement. */
export function judge(check: Pick<Check, 'requirement'>, error: unknown): Judgement {
  if (error instanceof NotApplicable) return { state: 'n/a', message: error.message };
  if (error instanceof Untestable) return { state: 'not-testable', message: error.message };
  if (!(error instanceof Violation)) {
    return { state: 'harness-error', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  const { level, contested } = requirementOf(check);
  if (contested) return { state: 'n/a', message: `the documents can be read both ways; seen: ${error.message}` };
  if (level === 'may') return { state: 'n/a', message: `optional, and not so here: ${error.message}` };
  return { state: level === 'must' ? 'fail' : 'warn', message: error.message };
}
