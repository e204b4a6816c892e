export { generate } from './generate.ts';
export { GenerateError } from './generate-error.ts';
export type { GeneratedFile, GenerateOptions } from './generated-file.ts';
export { staleFiles, writeFiles } from './write-files.ts';
