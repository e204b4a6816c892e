export { loadTarget, type TrialTarget as ValidationTarget } from '../trial/index.ts';
export type { FindingLevel, ValidationFinding, ValidationRule } from './finding.ts';
export type { ValidatedEnvironmentReport, ValidateOptions, ValidationReport } from './options.ts';
export { validationRules } from './rules/index.ts';
export { validate } from './validate.ts';
