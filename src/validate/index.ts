export type { FindingLevel, ValidationFinding, ValidationRule } from './finding.ts';
export type { ValidateOptions, ValidationReport } from './options.ts';
export { validationRules } from './rules/index.ts';
export { loadTarget, type ValidationTarget } from './target.ts';
export { validate } from './validate.ts';
