export type { FindingLevel as Level, ValidationFinding as Finding, ValidationRule as Rule } from './finding.ts';
export type { ValidationTarget as Target } from './gather/open-target.ts';
export type { ValidateOptions, ValidationReport as Validation } from './gather/options.ts';
export { loadTarget } from './load-target.ts';
export { validationRules as rules } from './rules/index.ts';
export { validate } from './validate.ts';
