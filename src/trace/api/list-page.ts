import { JsonText } from '../../http/index.ts';
import type { BlockQuery, Fields, TraceStore } from '../store/index.ts';

/** A page ends when its blocks have so many bytes: payloads may be megabytes each. */
export const PAGE_BYTES = 8 * 1024 * 1024;

/** Blocks that are read at a time; outlines are small. */
const STEPS = { all: 100, skeleton: 1001 } as const;
const LIMIT = 100;

interface Place {
  readonly org: string;
  readonly traceId: string;
}

type Query = BlockQuery & { readonly fields?: Fields };

/** Blocks in the order of their writing; where the next page begins is the place of the last one. */
export async function listPage(store: TraceStore, { org, traceId }: Place, query: Query): Promise<JsonText> {
  const { fields = 'all', limit = LIMIT, ...filters } = query;
  const blocks: string[] = [];
  const page = (next_cursor: string | null) =>
    new JsonText(`{"blocks":[${blocks.join(',')}],"page":${JSON.stringify({ next_cursor })}}`);
  let after = filters.after ?? 0;
  let bytes = 0;
  while (true) {
    // One more than is wanted tells whether there is a next page.
    const wanted = Math.min(STEPS[fields], limit - blocks.length + 1);
    const found = await store.texts(org, traceId, { ...filters, after, limit: wanted }, fields);
    for (const { ord, members } of found) {
      if (blocks.length === limit || (bytes > PAGE_BYTES && blocks.length > 0)) {
        return page(String(after));
      }
      blocks.push(`{${members}}`);
      bytes += fields === 'skeleton' ? 0 : members.length;
      after = ord;
    }
    if (found.length < wanted) return page(null);
  }
}
