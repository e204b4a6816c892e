import type { Evidence } from './evidence.ts';

/** An error is wrong for everybody, a warning for some trainers or models; a note is no fault. */
export type FindingLevel = 'error' | 'warning' | 'note';

/** What is wrong with an environment, or worth knowing of it. */
export interface ValidationFinding {
  readonly level: FindingLevel;
  /** The name of the rule. */
  readonly rule: string;
  readonly environment: string;
  readonly split?: string;
  readonly index?: number;
  /** What was seen, with which value, and what to do next. */
  readonly message: string;
}

/** What a rule says; the level is the rule's first unless it says so. */
export type RuleFinding = Omit<ValidationFinding, 'rule' | 'environment' | 'level'> & { readonly level?: FindingLevel };

/** One thing that holds for a good environment. */
export interface ValidationRule {
  readonly name: string;
  /** The levels that its findings have, the usual one first. */
  readonly levels: readonly [FindingLevel, ...FindingLevel[]];
  /** What holds, as a sentence without a full stop. */
  readonly sentence: string;
  readonly check: (evidence: Evidence) => Iterable<RuleFinding>;
}

/** The findings of one rule. */
export function applyRule({ name, levels, check }: ValidationRule, evidence: Evidence): ValidationFinding[] {
  const { environment } = evidence;
  return Array.from(check(evidence), ({ level = levels[0], ...found }) => ({
    level,
    rule: name,
    environment,
    ...found,
  }));
}
