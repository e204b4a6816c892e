import { JsonText } from '../../http/index.ts';
import type { BlockFields, BlockQuery, TraceStore } from '../store/index.ts';

/** A page has no more bytes of blocks, unless it has one block: payloads may be megabytes each. */
export const PAGE_BYTES = 8 * 1024 * 1024;

const LIMIT = 100;

interface TraceRef {
  readonly org: string;
  readonly traceId: string;
}

type ListPageQuery = BlockQuery & { readonly fields?: BlockFields };

/** Blocks in the order of their writing; where the next page begins is the place of the last one. */
export async function listPage(store: TraceStore, { org, traceId }: TraceRef, query: ListPageQuery): Promise<JsonText> {
  const { fields = 'all', limit = LIMIT, ...filters } = query;
  const max = fields === 'all' ? { limit, bytes: PAGE_BYTES } : { limit };
  const texts = await store.texts(org, traceId, { ...filters, ...max }, fields);
  const last = texts.at(-1);
  const more = last ? await store.texts(org, traceId, { ...filters, after: last.ord, limit: 1 }, 'skeleton') : [];
  const page = { next_cursor: last && more.length > 0 ? String(last.ord) : null };
  return new JsonText(
    `{"blocks":[${texts.map(({ members }) => `{${members}}`).join(',')}],"page":${JSON.stringify(page)}}`,
  );
}
