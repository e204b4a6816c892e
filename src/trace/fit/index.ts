export {
  type BlockWithId,
  fitsLimits,
  offloadBlock,
  type SerializedContent,
  type StoredBlob,
  splitAndOffloadBlock,
  splitBlock,
} from './offload.ts';
export {
  type ReadBlob,
  readRestoredTrace,
  restoreBlocks,
  restoreContent,
  restoreTrace,
  restoreValue,
} from './restore.ts';
