import type { BlockList } from '../../../generated/trace.ts';
import type { BlockQuery, TraceStore } from '../store/index.ts';

/** A page ends when its blocks have so many bytes: payloads may be megabytes each. */
export const PAGE_BYTES = 8 * 1024 * 1024;

const STEP = 100;

interface Place {
  readonly org: string;
  readonly traceId: string;
}

type Query = BlockQuery & { readonly fields?: 'all' | 'skeleton' };

/** Blocks in the order of their writing; where the next page begins is the place of the last one. */
export async function listPage(store: TraceStore, { org, traceId }: Place, query: Query): Promise<BlockList> {
  const { fields = 'all', limit = STEP, ...filters } = query;
  const read = (options: BlockQuery) =>
    fields === 'skeleton' ? store.skeletons(org, traceId, options) : store.blocks(org, traceId, options);
  const blocks: BlockList['blocks'] = [];
  let after = filters.after ?? 0;
  let bytes = 0;
  while (true) {
    // One more than is wanted tells whether there is a next page.
    const wanted = Math.min(STEP, limit - blocks.length + 1);
    const found = await read({ ...filters, after, limit: wanted });
    for (const { ord, block } of found) {
      if (blocks.length === limit || (bytes > PAGE_BYTES && blocks.length > 0)) {
        return { blocks, page: { next_cursor: String(after) } };
      }
      blocks.push(block);
      bytes += fields === 'skeleton' ? 0 : JSON.stringify(block).length;
      after = ord;
    }
    if (found.length < wanted) return { blocks, page: { next_cursor: null } };
  }
}
