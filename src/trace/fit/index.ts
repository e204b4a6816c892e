export {
  type BlockWithId,
  fitsLimits,
  offloadBlock,
  offloadFields,
  type SerializedContent,
  type StoredBlob,
  splitAndOffloadBlock,
  splitBlock,
} from './offload.ts';
export {
  type ReadBlob,
  readRestoredTrace,
  restoreBlobs,
  restoreBlocks,
  restoreTrace,
  restoreValue,
} from './restore.ts';
