import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Trace } from '../../../generated/trace.ts';
import { sum } from '../../core/index.ts';
import { JsonPieces, JsonText, joinPieces, Reply } from '../../http/index.ts';
import { stitchPositions, TraceStoreError, validationError } from '../model/index.ts';
import {
  type BlockFields,
  type BlockQuery,
  decodeCursor,
  encodeCursor,
  type TraceStore,
  type TreeNode,
} from '../store/index.ts';
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
 * Returns one page of the stitched trace. A page contains complete messages, at least one, with about 8 MB of blocks;
 * orphans are on the last page. Source: trace data model, stitched view.
 */
export async function stitchedPage(
  store: TraceStore,
  { org, traceId }: StitchedTraceRef,
  { assemble = false, fields = 'all', cursor, limit = 2000 }: StitchedPageQuery,
): Promise<Reply<JsonText | JsonPieces>> {
  const trace = await store.trace(org, traceId);
  // Ignores blocks that are written meanwhile.
  const before = trace.block_count + 1;
  const bytes = fields === 'all' ? trace.bytes : trace.block_count * SKELETON_BYTES;
  const isWhole = cursor === undefined && trace.block_count <= limit && bytes <= PAGE_BYTES;
  const isAssembled = assemble && fields === 'all';
  const headers = { ETag: `"${trace.id}.${trace.block_count}"` };
  if (isWhole) {
    const texts = await store.texts(org, traceId, { before }, fields);
    const parts = pageParts(trace, treeJsonParts(stitchPositions(texts), isAssembled), null);
    await nextTurn();
    const isSmall = sum(texts.map(({ members }) => members.length)) <= MAX_SYNC_BYTES;
    return new Reply(
      isSmall ? new JsonText([...writeParts(parts)].join('')) : new JsonPieces(writeParts(parts)),
      headers,
    );
  }
  const { nodes, next_cursor } = await readTreePage(store, { org, traceId, before, fields }, { cursor, limit });
  const parts = pageParts(trace, treeJsonParts(stitchPositions(nodes), isAssembled), next_cursor);
  const weight = (node: TreeNode) => readSize(node, fields);
  const pieces = writePartsInBatches(parts, BATCH_LIMITS, weight, (requested) =>
    store.textsAt(org, traceId, requested, fields),
  );
  const isSmall = sum(nodes.map(weight)) <= MAX_SYNC_BYTES;
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

/** Larger pages are written in pieces, so that other requests do not wait. */
const MAX_SYNC_BYTES = 256 * 1024;
/** Maximum size of a batch in memory of a larger page; single blocks can have megabytes. */
const BATCH_LIMITS = { blocks: 200, bytes: 256 * 1024 };

/** The blocks of a trace before an ordinal. */
interface TreeRange {
  readonly org: string;
  readonly traceId: string;
  readonly before: number;
  readonly fields: BlockFields;
}

interface TreePageQuery {
  readonly cursor: string | undefined;
  /** Maximum number of messages. */
  readonly limit: number;
}

/** Approximate size of a skeleton. */
const SKELETON_BYTES = 400;

/** Returns the approximate number of bytes read of a block. */
const readSize = ({ bytes }: TreeNode, fields: BlockFields): number => (fields === 'all' ? bytes : SKELETON_BYTES);

/** Returns the nodes of one page. If others follow, the cursor contains the id of the last message. */
async function readTreePage(
  store: TraceStore,
  range: TreeRange,
  { cursor, limit }: TreePageQuery,
): Promise<{ readonly nodes: readonly TreeNode[]; readonly next_cursor: string | null }> {
  const after = cursor === undefined ? undefined : String(decodeCursor('stitched', cursor)[0]);
  const { nodes, last } = await selectMessages(store, range, { after, limit });
  if (last !== undefined) return { nodes, next_cursor: encodeCursor('stitched', [last]) };
  return { nodes: [...nodes, ...(await readOrphans(store, range))], next_cursor: null };
}

/** Number of messages that are read at a time. */
const STEP = 500;

interface MessageSelection {
  /** Messages with all their descendants. */
  readonly nodes: readonly TreeNode[];
  /** Id of the last message if others follow. */
  readonly last: string | undefined;
}

async function selectMessages(
  store: TraceStore,
  range: TreeRange,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<MessageSelection> {
  const { org, traceId, before, fields } = range;
  const nodes: TreeNode[] = [];
  let last = after;
  let count = 0;
  let bytes = 0;
  for (;;) {
    const step = Math.min(STEP, limit - count + 1);
    const messages = await store.messages(org, traceId, { after: last, before, limit: step });
    if (!messages) throw invalidCursor();
    const branches = await readBranches(store, range, messages);
    for (const message of messages) {
      if (count === limit || bytes > PAGE_BYTES) return { nodes, last };
      for (const node of branches.get(message.id) ?? []) {
        nodes.push(node);
        bytes += readSize(node, fields);
      }
      count++;
      last = message.id;
    }
    if (messages.length < step) return { nodes, last: undefined };
  }
}

const invalidCursor = (): TraceStoreError => {
  const expected = 'a next_cursor of the same trace';
  return new TraceStoreError(validationError([{ path: '/cursor', rule: 'cursor', expected, got: 'another text' }]));
};

/** Returns each message with all its descendants, by the id of the message. */
async function readBranches(
  store: TraceStore,
  { org, traceId, before }: TreeRange,
  messages: readonly TreeNode[],
): Promise<ReadonlyMap<string, TreeNode[]>> {
  const branches = new Map(messages.map((message) => [message.id, [message]]));
  const under = await store.children(org, traceId, idsOf(messages), before);
  const calls = under.filter(({ sub_type }) => sub_type === 'TOOL_CALL');
  const results = await store.children(org, traceId, idsOf(calls), before);
  const messageOf = new Map(calls.map(({ id, parent_block_id }) => [id, parent_block_id]));
  for (const node of under) {
    if (isUnderMessage(node)) branches.get(node.parent_block_id ?? '')?.push(node);
  }
  for (const node of results.filter(isResult)) {
    branches.get(messageOf.get(node.parent_block_id ?? '') ?? '')?.push(node);
  }
  return branches;
}

/** Returns orphans, with the results of orphaned calls. */
async function readOrphans(store: TraceStore, { org, traceId, before }: TreeRange): Promise<TreeNode[]> {
  const orphans = await store.orphans(org, traceId, before);
  const calls = orphans.filter(({ sub_type }) => sub_type === 'TOOL_CALL');
  const results = await store.children(org, traceId, idsOf(calls), before);
  return [...orphans, ...results.filter(isResult)];
}

const idsOf = (nodes: readonly TreeNode[]): string[] => nodes.map(({ id }) => id);

/** In a damaged database, a block can have a parent of any kind; such blocks are orphans. */
const isUnderMessage = ({ sub_type }: TreeNode): boolean => sub_type === 'THINK' || sub_type === 'TOOL_CALL';
const isResult = ({ sub_type }: TreeNode): boolean => sub_type === 'TOOL_RESULT';

/** Maximum bytes of blocks in a page, unless it has only one. */
const PAGE_BYTES = 8 * 1024 * 1024;

const DEFAULT_LIMIT = 100;

interface TraceRef {
  readonly org: string;
  readonly traceId: string;
}

type ListPageQuery = BlockQuery & { readonly fields?: BlockFields };

/** Returns one page of blocks in the order of writing. The cursor is the ordinal of the last block. */
export async function listPage(store: TraceStore, { org, traceId }: TraceRef, query: ListPageQuery): Promise<JsonText> {
  const { fields = 'all', limit = DEFAULT_LIMIT, ...filters } = query;
  const max = fields === 'all' ? { limit, bytes: PAGE_BYTES } : { limit };
  const texts = await store.texts(org, traceId, { ...filters, ...max }, fields);
  const last = texts.at(-1);
  const more = last ? await store.texts(org, traceId, { ...filters, after: last.ord, limit: 1 }, 'skeleton') : [];
  const page = { next_cursor: last && more.length > 0 ? String(last.ord) : null };
  return new JsonText(
    `{"blocks":[${texts.map(({ members }) => `{${members}}`).join(',')}],"page":${JSON.stringify(page)}}`,
  );
}
