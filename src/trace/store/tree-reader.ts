import type { BlockId, BlockSkeleton, TraceId } from '../../../generated/trace.ts';
import type { BlockPosition } from '../model/index.ts';

/**
 * How a trace is read as a tree, page by page: first what stands where, then the texts of what a page has. Each costs what
 * it gives, however long the trace is, but for `orphans`. Blocks at the place `before` and later are not there.
 */
export interface TreeReader {
  /**
   * Messages in the order of `compareBlocks`, after the one with the id `after`; undefined where that is no message of the
   * trace.
   */
  messages(org: string, id: TraceId, page: MessagePage): Promise<readonly TreeNode[] | undefined>;
  /** What hangs under these blocks, of whatever kind it is. */
  children(org: string, id: TraceId, parents: readonly BlockId[], before: number): Promise<readonly TreeNode[]>;
  /** What hangs under nothing that it may hang under. Looks at the whole trace. */
  orphans(org: string, id: TraceId, before: number): Promise<readonly TreeNode[]>;
  /** What stands where, in the order of its writing. Looks at the whole trace, a page at a time. */
  positions(org: string, id: TraceId, before: number): AsyncIterable<readonly BlockPosition[]>;
  /** The texts of blocks at these places, which differ, in the order of their writing. */
  textsAt(
    org: string,
    id: TraceId,
    places: readonly SizedPosition[],
    fields: BlockFields,
  ): Promise<readonly BlockText[]>;
}

export interface MessagePage {
  readonly after: BlockId | undefined;
  readonly before: number;
  readonly limit: number;
}

/** A place of which it is known how much stands there. */
export type SizedPosition = Pick<TreeNode, 'ord' | 'bytes'>;

/** Where a block stands in the order of writing and in the tree, and what it holds. */
export interface TreeNode extends Pick<BlockSkeleton, 'id' | 'sub_type' | 'parent_block_id' | 'seq' | 'bytes'> {
  readonly ord: number;
}

/** What of a block is read: everything, or its outline. */
export type BlockFields = 'all' | 'skeleton';

/** The members of a block as JSON text, and what its place in a tree depends on. */
export interface BlockText extends Pick<BlockSkeleton, 'id' | 'sub_type' | 'parent_block_id' | 'seq' | 'created_at'> {
  readonly ord: number;
  readonly members: string;
}
