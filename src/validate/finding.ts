import type { Evidence } from './evidence.ts';

/** An error is wrong for everybody, a warning for some trainers or models; a note is no fault. */
export type Level = 'error' | 'warning' | 'note';

/** What is wrong with an environment, or worth knowing of it. */
export interface Finding {
  readonly level: Level;
  /** The name of the rule. */
  readonly rule: string;
  readonly environment: string;
  readonly split?: string;
  readonly index?: number;
  /** What was seen, with which value, and what to do next. */
  readonly message: string;
}

/** What a rule says; the level is the rule's first unless it says so. */
export type Found = Omit<Finding, 'rule' | 'environment' | 'level'> & { readonly level?: Level };

/** One thing that holds for a good environment. */
export interface Rule {
  readonly name: string;
  /** The levels that its findings have, the usual one first. */
  readonly levels: readonly [Level, ...Level[]];
  /** What holds, as a sentence without a full stop. */
  readonly sentence: string;
  readonly check: (evidence: Evidence) => Iterable<Found>;
}

/** The findings of one rule. */
export function findingsOf({ name, levels, check }: Rule, evidence: Evidence): Finding[] {
  const { environment } = evidence;
  return Array.from(check(evidence), ({ level = levels[0], ...found }) => ({
    level,
    rule: name,
    environment,
    ...found,
  }));
}
