import type { FindingLevel, ValidationFinding } from '../../src/validate/index.ts';

/** Fault, and the rule that reports it. `good` is the most similar environment without the fault. */
export interface Broken {
  readonly rule: string;
  readonly level: FindingLevel;
  readonly why: string;
  readonly change: () => object;
  /** Omitted if the unchanged twin is the good environment. */
  readonly good?: () => object;
  /** Timeout of a step in ms, and number of tasks. Default: longer than a busy machine needs, and 1. */
  readonly limits?: { readonly timeoutMs?: number; readonly tasks?: number };
  /** Text that the message must contain. */
  readonly says: string;
}

/** Returns the rules with findings above the level note, and `rule` itself if it has any finding. */
export const rulesAboveNotes = (findings: readonly ValidationFinding[], rule: string): string[] =>
  [...new Set(findings.filter((one) => one.level !== 'note' || one.rule === rule).map((one) => one.rule))].sort();
