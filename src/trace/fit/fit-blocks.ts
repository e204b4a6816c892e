import type { BlockInput } from '../../../generated/trace.ts';
import type { Limits } from '../model/index.ts';
import type { StoredBlob } from './content.ts';
import { fitBlock, type IdentifiedBlock, splitBlock } from './fit-block.ts';

/** The blocks that a block is written as so that nothing in it is too large, and the blobs that they refer to. */
export async function fitBlocks(
  block: IdentifiedBlock,
  limits: Limits,
): Promise<{ readonly blocks: BlockInput[]; readonly blobs: StoredBlob[] }> {
  const contents = await Promise.all(splitBlock(block, limits, true).map((piece) => fitBlock(piece, limits)));
  return {
    blocks: contents.map(({ text }) => JSON.parse(text) as BlockInput),
    blobs: contents.flatMap(({ blobs }) => blobs),
  };
}
