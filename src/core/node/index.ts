export { createFile, fileProblem, makeFolder, replaceFile, unlessMissing } from './files.ts';
export { lockFile } from './lock-file.ts';
export { PACKAGE, PACKAGE_FOLDER } from './package.ts';
export {
  endingOf,
  identityFromText,
  identityToText,
  killGroup,
  processIdentity,
  processState,
  startPackageWorker,
  tailOf,
} from './processes.ts';
export { sha256OfJson, sourceHash } from './sha256.ts';
