export { generate, staleFiles, writeFiles } from './generate.ts';
export type { GeneratedFile, GenerateOptions } from './generated-file.ts';
export { GenerateError } from './load-spec.ts';
