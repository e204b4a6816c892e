import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Trace } from '../../../generated/trace.ts';
import { JsonPieces, JsonText, Reply } from '../../http/index.ts';
import { stitchOutlines } from '../model/index.ts';
import type { BlockText, Fields, TraceStore } from '../store/index.ts';
import { PAGE_BYTES } from './list-page.ts';
import { OUTLINE_BYTES, readTreePage } from './tree-page.ts';
import { treePieces } from './tree-text.ts';

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
): Promise<Reply<JsonText | JsonPieces>> {
  const trace = await store.trace(org, traceId);
  // Whoever writes meanwhile is seen by the next reader.
  const before = trace.block_count + 1;
  const bytes = fields === 'all' ? trace.bytes : trace.block_count * OUTLINE_BYTES;
  const isWhole = cursor === undefined && trace.block_count <= limit && bytes <= PAGE_BYTES;
  const { blocks, next_cursor } = isWhole
    ? { blocks: await store.texts(org, traceId, { before }, fields), next_cursor: null }
    : await readTreePage(store, { org, traceId, before, fields }, { cursor, limit });
  const tree = stitchOutlines(blocks);
  await nextTurn();
  const pieces = pageOf(trace, treePieces(tree, assemble && fields === 'all'), next_cursor);
  const content = isLarge(blocks) ? new JsonPieces(pieces) : new JsonText([...pieces].join(''));
  return new Reply(content, { ETag: `"${trace.id}.${trace.block_count}"` });
}

function* pageOf(trace: Trace, members: Iterable<string>, next_cursor: string | null): Generator<string> {
  yield `{"trace":${JSON.stringify(trace)},`;
  yield* members;
  yield `,"page":${JSON.stringify({ next_cursor })}}`;
}

/** To write more than this takes longer than others should wait, and a copy of it as long as it is sent. */
const AT_ONCE = 256 * 1024;

const isLarge = (blocks: readonly BlockText[]): boolean =>
  blocks.reduce((sum, { members }) => sum + members.length, 0) > AT_ONCE;
