export type { FindingLevel, ValidationFinding, ValidationRule } from './finding.ts';
export type { ValidationTarget } from './gather/open-target.ts';
export type { ValidateOptions, ValidationReport } from './gather/options.ts';
export { loadTarget } from './load-target.ts';
export { validationRules } from './rules/index.ts';
export { validate } from './validate.ts';
