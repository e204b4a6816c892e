import { setImmediate as nextTurn } from 'node:timers/promises';
import { JsonText, Reply } from '../../http/index.ts';
import { stitchOutlines } from '../model/index.ts';
import type { Fields, TraceStore } from '../store/index.ts';
import { PAGE_BYTES } from './list-page.ts';
import { OUTLINE_BYTES, readTreePage } from './tree-page.ts';
import { treeText } from './tree-text.ts';

interface Place {
  readonly org: string;
  readonly traceId: string;
}

interface Query {
  readonly assemble?: boolean;
  readonly fields?: Fields;
  readonly cursor?: string;
  readonly limit?: number;
}

/**
 * One page of a trace as a tree. A page holds whole messages, so many that their blocks have about 8 MB, at least one;
 * what hangs under nothing is on the last page. Source: trace data model, stitched view.
 */
export async function stitchedPage(
  store: TraceStore,
  { org, traceId }: Place,
  { assemble = false, fields = 'all', cursor, limit = 2000 }: Query,
): Promise<Reply<JsonText>> {
  const trace = await store.trace(org, traceId);
  // Whoever writes meanwhile is seen by the next reader.
  const before = trace.block_count + 1;
  const bytes = fields === 'all' ? trace.bytes : trace.block_count * OUTLINE_BYTES;
  const isWhole = cursor === undefined && trace.block_count <= limit && bytes <= PAGE_BYTES;
  const { blocks, next_cursor } = isWhole
    ? { blocks: await store.texts(org, traceId, { before }, fields), next_cursor: null }
    : await readTreePage(store, { org, traceId, before, fields }, { cursor, limit });
  const tree = stitchOutlines(blocks);
  // A tree of 8 MB takes as long as its text, and both as long as others should wait.
  await nextTurn();
  const members = treeText(tree, assemble && fields === 'all');
  const text = `{"trace":${JSON.stringify(trace)},${members},"page":${JSON.stringify({ next_cursor })}}`;
  await nextTurn();
  return new Reply(new JsonText(text), { ETag: `"${trace.id}.${trace.block_count}"` });
}
