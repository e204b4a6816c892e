export type { SerializedContent as Content, StoredBlob } from './content.ts';
export {
  type BlockWithId as IdentifiedBlock,
  fitsLimits as isSmall,
  offloadBlock as fitBlock,
  splitBlock,
} from './fit-block.ts';
export { splitAndOffloadBlock as fitBlocks } from './fit-blocks.ts';
export { readRestoredTrace as readTrace } from './read-trace.ts';
export { restoreBlocks as wholeBlocks } from './whole-blocks.ts';
export { restoreTrace as wholeTrace } from './whole-trace.ts';
export { type ReadBlob, restoreContent as wholeContent, restoreValue as wholeValue } from './whole-values.ts';
