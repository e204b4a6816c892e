import type { Block, Trace } from '../../../generated/trace.ts';
import {
  type Batches,
  type BlockPosition,
  buildLayout,
  createBatchedTraceReader,
  createMemoryTraceReader,
  forEachBatch,
  type StoredBlock,
  type TraceReader,
} from '../model/index.ts';
import { isComplete, restoreTrace } from './whole-trace.ts';
import type { ReadBlob } from './whole-values.ts';

/** The blocks of a trace where they are kept: as many as it had when it was read. */
export interface BlockSource {
  /** In the order in which they were written, and so are places. */
  readonly blocks: () => Batches<Block>;
  readonly positions: () => Batches<BlockPosition>;
  /** Those at these places, which ascend. */
  readonly blocksAt: (ords: readonly number[]) => Promise<readonly StoredBlock[]>;
  readonly blob: ReadBlob;
}

/** So much of a trace may be in memory: blocks may be megabytes each. */
const SLICE = { blocks: 200, bytes: 1024 * 1024 };
/** A trace that is read as a whole; its blocks take several times their bytes. */
const SMALL = { blocks: 1000, bytes: 1024 * 1024 };

/** A trace with everything in its place. Of a large one no more than a slice is in memory, or one block with its blobs. */
export async function readRestoredTrace({ block_count, bytes }: Trace, shelf: BlockSource): Promise<TraceReader> {
  const isSmall = block_count <= SMALL.blocks && bytes <= SMALL.bytes;
  if (isSmall) return hold(shelf);
  const layout = await buildLayout(shelf.positions(), block_count);
  return restoreTrace(createBatchedTraceReader(layout, SLICE, shelf.blocksAt), shelf.blob);
}

async function hold({ blocks, blob }: BlockSource): Promise<TraceReader> {
  const held: Block[] = [];
  await forEachBatch(blocks(), (block) => {
    held.push(block);
  });
  const reader = createMemoryTraceReader(held);
  return held.every(isComplete) ? reader : restoreTrace(reader, blob);
}
