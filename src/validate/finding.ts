import type { Evidence } from './evidence.ts';

/**
 * `error`: wrong for everyone. `warning`: wrong for some trainers or models. `note`: not a defect.
 *
 * @example
 * const isDefect = (level: FindingLevel) => level !== 'note';
 */
export type FindingLevel = 'error' | 'warning' | 'note';

/**
 * Problem of an environment, or a fact worth knowing.
 *
 * @example
 * const format = ({ level, rule, message }: ValidationFinding) => `${level} ${rule}: ${message}`;
 */
export interface ValidationFinding {
  readonly level: FindingLevel;
  /** Name of the rule. */
  readonly rule: string;
  readonly environment: string;
  readonly split?: string;
  readonly index?: number;
  /** Describes the observation with its values, and what to do. */
  readonly message: string;
}

/** Finding of a rule. Its level defaults to the first level of the rule. */
export type RuleFinding = Omit<ValidationFinding, 'rule' | 'environment' | 'level'> & { readonly level?: FindingLevel };

/**
 * Requirement that a correct environment meets.
 *
 * @example
 * const format = ({ name, sentence }: ValidationRule) => `${name}: ${sentence}`;
 * const lines = validationRules.map(format);
 */
export interface ValidationRule {
  readonly name: string;
  /** Levels of its findings, the usual one first. */
  readonly levels: readonly [FindingLevel, ...FindingLevel[]];
  /** The requirement, as a sentence without a full stop. */
  readonly sentence: string;
  /** Returns what violates the rule, from the episodes that were played. */
  readonly check: (evidence: Evidence) => Iterable<RuleFinding>;
}
