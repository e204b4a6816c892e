export type { Content, StoredBlob } from './content.ts';
export { fitBlock, type IdentifiedBlock, isSmall, splitBlock } from './fit-block.ts';
export { fitBlocks } from './fit-blocks.ts';
export { readTrace } from './read-trace.ts';
export { wholeBlocks } from './whole-blocks.ts';
export { wholeTrace } from './whole-trace.ts';
export { type ReadBlob, wholeContent, wholeValue } from './whole-values.ts';
