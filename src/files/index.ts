export { type LineFile, openLineFile } from './line-file.ts';
export { lockFile } from './lock-file.ts';
