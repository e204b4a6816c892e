import type { BlockInput } from '../../../generated/trace.ts';
import type { TraceLimits } from '../model/index.ts';
import type { StoredBlob } from './content.ts';
import { type BlockWithId, offloadBlock, splitBlock } from './fit-block.ts';

/** The blocks that a block is written as so that nothing in it is too large, and the blobs that they refer to. */
export async function splitAndOffloadBlock(
  block: BlockWithId,
  limits: TraceLimits,
): Promise<{ readonly blocks: BlockInput[]; readonly blobs: StoredBlob[] }> {
  const contents = await Promise.all(splitBlock(block, limits, true).map((piece) => offloadBlock(piece, limits)));
  return {
    blocks: contents.map(({ text }) => JSON.parse(text) as BlockInput),
    blobs: contents.flatMap(({ blobs }) => blobs),
  };
}
