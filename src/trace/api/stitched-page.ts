import type { BlockSkeleton, StitchedSkeleton } from '../../../generated/trace.ts';
import { JsonText, Reply } from '../../http/index.ts';
import { Refusal, stitchOutlines, type TreeOf, validationFailure } from '../model/index.ts';
import type { BlockText, TraceStore } from '../store/index.ts';
import { decodeCursor, encodeCursor } from '../store/index.ts';
import { PAGE_BYTES } from './list-page.ts';
import { treeText } from './tree-text.ts';

interface Place {
  readonly org: string;
  readonly traceId: string;
}

interface Query {
  readonly assemble?: boolean;
  readonly fields?: 'all' | 'skeleton';
  readonly cursor?: string;
  readonly limit?: number;
}

const STEP = 500;

/**
 * One page of a trace as a tree. A page holds whole messages, so many that their blocks have about 8 MB, at least one;
 * what hangs under nothing is on the last page. Source: trace data model, stitched view.
 */
export async function stitchedPage(
  store: TraceStore,
  { org, traceId }: Place,
  { assemble = false, fields = 'all', cursor, limit = 2000 }: Query,
): Promise<Reply<JsonText | StitchedSkeleton>> {
  const trace = await store.trace(org, traceId);
  // Whoever writes meanwhile is seen by the next reader.
  const before = trace.block_count + 1;
  const headers = { ETag: `"${trace.id}.${trace.block_count}"` };
  const reply = (tree: TreeOf<BlockText>, next_cursor: string | null) => {
    const page = JSON.stringify({ next_cursor });
    const text = `{"trace":${JSON.stringify(trace)},${treeText(tree, assemble)},"page":${page}}`;
    return new Reply(new JsonText(text), headers);
  };
  if (fields === 'all' && cursor === undefined && trace.block_count <= limit && trace.bytes <= PAGE_BYTES) {
    return reply(stitchOutlines(await store.texts(org, traceId, { before })), null);
  }
  const skeletons = await store.skeletons(org, traceId, { before });
  const outline = stitchOutlines(skeletons.map(({ block }) => block));
  const from = cursor === undefined ? 0 : indexAfter(outline.messages, decodeCursor('stitched', cursor)[0]);
  const messages = pageOf(outline.messages.slice(from), limit, fields);
  const last = messages.at(-1);
  const isLast = from + messages.length >= outline.messages.length;
  const orphans = isLast ? outline.orphans : { tool_calls: [], tool_results: [], thinks: [] };
  const next = isLast || !last ? null : encodeCursor('stitched', [last.id]);
  if (fields === 'skeleton') return new Reply({ trace, messages, orphans, page: { next_cursor: next } }, headers);
  const ids = new Set([...messages, orphans].flatMap(idsUnder));
  const ords = skeletons.flatMap(({ ord, block }) => (ids.has(block.id) ? [ord] : []));
  return reply(stitchOutlines(await readTexts(store, { org, traceId }, ids, ords)), next);
}

type Outline = TreeOf<BlockSkeleton>;
type Message = Outline['messages'][number];

function indexAfter(messages: readonly Message[], id: unknown): number {
  const index = messages.findIndex((message) => message.id === id);
  if (index >= 0) return index + 1;
  const expected = 'a next_cursor of the same trace';
  throw new Refusal(validationFailure([{ path: '/cursor', rule: 'cursor', expected, got: 'another text' }]));
}

function pageOf(messages: readonly Message[], limit: number, fields: 'all' | 'skeleton'): Message[] {
  const found: Message[] = [];
  let bytes = 0;
  for (const message of messages) {
    if (found.length === limit || (bytes > PAGE_BYTES && fields === 'all')) break;
    found.push(message);
    bytes += bytesUnder(message);
  }
  return found;
}

const blocksUnder = (under: Pick<Message, 'thinks' | 'tool_calls'>): BlockSkeleton[] => [
  ...under.thinks,
  ...under.tool_calls.flatMap((call) => [call, ...call.tool_results]),
];

const bytesUnder = (message: Message): number =>
  blocksUnder(message).reduce((sum, { bytes }) => sum + bytes, message.bytes);

function idsUnder(under: Message | Outline['orphans']): string[] {
  const own = 'id' in under ? [under.id] : under.tool_results.map(({ id }) => id);
  return [...own, ...blocksUnder(under).map(({ id }) => id)];
}

/** Those with these ids, which stand at these places, in ascending order; what lies between them is read and left. */
async function readTexts(
  store: TraceStore,
  { org, traceId }: Place,
  ids: ReadonlySet<string>,
  ords: readonly number[],
): Promise<BlockText[]> {
  const blocks: BlockText[] = [];
  const before = (ords.at(-1) ?? 0) + 1;
  let after = (ords[0] ?? 1) - 1;
  while (blocks.length < ids.size) {
    const found = await store.texts(org, traceId, { after, before, limit: STEP });
    blocks.push(...found.filter(({ id }) => ids.has(id)));
    after = found.at(-1)?.ord ?? after;
    if (found.length < STEP) break;
  }
  return blocks;
}
