export type { Finding, Level, Rule } from './finding.ts';
export type { Target } from './gather/open-target.ts';
export type { ValidateOptions, Validation } from './gather/options.ts';
export { loadTarget } from './load-target.ts';
export { rules } from './rules/index.ts';
export { validate } from './validate.ts';
