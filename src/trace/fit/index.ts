export type { SerializedContent, StoredBlob } from './content.ts';
export {
  type BlockWithId,
  fitsLimits,
  offloadBlock,
  splitBlock,
} from './fit-block.ts';
export { splitAndOffloadBlock } from './fit-blocks.ts';
export { readRestoredTrace } from './read-trace.ts';
export { restoreBlocks } from './whole-blocks.ts';
export { restoreTrace } from './whole-trace.ts';
export { type ReadBlob, restoreContent, restoreValue } from './whole-values.ts';
