export type { SerializedContent, StoredBlob } from './offload.ts';
export {
  type BlockWithId,
  fitsLimits,
  offloadBlock,
  splitAndOffloadBlock,
  splitBlock,
} from './offload.ts';
export { readRestoredTrace, restoreBlocks, restoreTrace } from './restore.ts';
export { type ReadBlob, restoreContent, restoreValue } from './restore-values.ts';
