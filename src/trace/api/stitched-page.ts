import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Trace } from '../../../generated/trace.ts';
import { sum } from '../../core/index.ts';
import { JsonPieces, JsonText, joinPieces, Reply } from '../../http/index.ts';
import { stitchPositions } from '../model/index.ts';
import type { BlockFields, TraceStore, TreeNode } from '../store/index.ts';
import { PAGE_BYTES } from './list-page.ts';
import { OUTLINE_BYTES, readSize, readTreePage } from './tree-page.ts';
import { type JsonTreePart, treeJsonParts, writeParts, writePartsInBatches } from './tree-text.ts';

interface StitchedTraceRef {
  readonly org: string;
  readonly traceId: string;
}

interface StitchedPageQuery {
  readonly assemble?: boolean;
  readonly fields?: BlockFields;
  readonly cursor?: string;
  readonly limit?: number;
}

/**
 * One page of a trace as a tree. A page holds whole messages, so many that their blocks have about 8 MB, at least one;
 * what hangs under nothing is on the last page. Source: trace data model, stitched view.
 */
export async function stitchedPage(
  store: TraceStore,
  { org, traceId }: StitchedTraceRef,
  { assemble = false, fields = 'all', cursor, limit = 2000 }: StitchedPageQuery,
): Promise<Reply<JsonText | JsonPieces>> {
  const trace = await store.trace(org, traceId);
  // Whoever writes meanwhile is seen by the next reader.
  const before = trace.block_count + 1;
  const bytes = fields === 'all' ? trace.bytes : trace.block_count * OUTLINE_BYTES;
  const isWhole = cursor === undefined && trace.block_count <= limit && bytes <= PAGE_BYTES;
  const isAssembled = assemble && fields === 'all';
  const headers = { ETag: `"${trace.id}.${trace.block_count}"` };
  if (isWhole) {
    const texts = await store.texts(org, traceId, { before }, fields);
    const parts = pageParts(trace, treeJsonParts(stitchPositions(texts), isAssembled), null);
    await nextTurn();
    const isSmall = sum(texts.map(({ members }) => members.length)) <= AT_ONCE;
    return new Reply(
      isSmall ? new JsonText([...writeParts(parts)].join('')) : new JsonPieces(writeParts(parts)),
      headers,
    );
  }
  const { places, next_cursor } = await readTreePage(store, { org, traceId, before, fields }, { cursor, limit });
  const parts = pageParts(trace, treeJsonParts(stitchPositions(places), isAssembled), next_cursor);
  const weight = (place: TreeNode) => readSize(place, fields);
  const pieces = writePartsInBatches(parts, SLICE, weight, (requested) =>
    store.textsAt(org, traceId, requested, fields),
  );
  const isSmall = sum(places.map(weight)) <= AT_ONCE;
  return new Reply(isSmall ? new JsonText(await joinPieces(pieces)) : new JsonPieces(pieces), headers);
}

function* pageParts<B>(
  trace: Trace,
  members: Iterable<JsonTreePart<B>>,
  next_cursor: string | null,
): Generator<JsonTreePart<B>> {
  yield `{"trace":${JSON.stringify(trace)},`;
  yield* members;
  yield `,"page":${JSON.stringify({ next_cursor })}}`;
}

/** To write more than this takes longer than others should wait. */
const AT_ONCE = 256 * 1024;
/** What of a larger page is in memory at a time; blocks may be megabytes each. */
const SLICE = { blocks: 200, bytes: 256 * 1024 };
