export { GenerateError } from './errors.ts';
export { generate, staleFiles, writeFiles } from './generate.ts';
export type { GeneratedFile, GenerateOptions } from './generated-file.ts';
