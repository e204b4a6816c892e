export { endingOf, killGroup, tailOf } from './child-processes.ts';
export { createFile, makeFolder, replaceFile, unlessMissing } from './files.ts';
export { lockFile } from './lock-file.ts';
export { startPackageWorker } from './package-worker.ts';
export {
  identityFromText,
  identityToText,
  processIdentity,
  processState,
} from './process-identity.ts';
export { sha256OfJson, sourceHash } from './sha256.ts';
