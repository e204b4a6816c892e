/** The most that is read at a time; one block even if it has more bytes. */
export interface ReadBatchLimits {
  readonly blocks: number;
  /** Of the blocks, whatever of them is read. */
  readonly bytes: number;
}

export const WHOLE_BLOCK_BATCH: ReadBatchLimits = { blocks: 200, bytes: 1024 * 1024 };
/** They are small, whatever their blocks are. */
export const SKELETON_BATCH: ReadBatchLimits = { blocks: 1000, bytes: Number.POSITIVE_INFINITY };
