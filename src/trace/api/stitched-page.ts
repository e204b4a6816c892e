import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ToolResultBlock, Trace } from '../../../generated/trace.ts';
import { appendAll, parseExactJson, stringifyJson, sum } from '../../core/index.ts';
import { JsonPieces, JsonText, joinPieces, Reply } from '../../http/index.ts';
import { assemble, type StitchedTree, stitchPositions, TraceStoreError, validationError } from '../model/index.ts';
import {
  type BlockFields,
  type BlockQuery,
  type BlockText,
  decodeCursor,
  encodeCursor,
  type MessagePage,
  type TraceStore,
  type TreeNode,
} from '../store/index.ts';

interface TraceRef {
  readonly org: string;
  readonly traceId: string;
}

interface StitchedPageQuery {
  readonly assemble?: boolean;
  readonly fields?: BlockFields;
  readonly cursor?: string;
  readonly limit?: number;
}

/** Number of messages of a page if only a cursor asks for one. */
const PAGE_MESSAGES = 2000;

/**
 * Returns the whole stitched trace, or a page of it if the query has a limit or a cursor. A page contains complete
 * messages, at least one, with about 8 MB of blocks; orphans are on the last page. A large tree is written while it is
 * read, so that its size does not matter. Source: trace data model, stitched view.
 */
export async function stitchedPage(
  store: TraceStore,
  { org, traceId }: TraceRef,
  query: StitchedPageQuery,
): Promise<Reply<JsonText | JsonPieces>> {
  const { fields = 'all', cursor, limit = PAGE_MESSAGES } = query;
  const trace = await store.trace(org, traceId);
  // Ignores blocks that are written meanwhile.
  const before = trace.block_count + 1;
  const bytes = fields === 'all' ? trace.bytes : trace.block_count * SKELETON_BYTES;
  const isSmallTree = cursor === undefined && trace.block_count <= limit && bytes <= PAGE_BYTES;
  const isAssembled = query.assemble === true && fields === 'all';
  const headers = { ETag: `"${trace.id}.${trace.block_count}"` };
  if (isSmallTree) {
    const texts = await store.texts(org, traceId, { before }, fields);
    const parts = pageParts(trace, stitchPositions(texts), isAssembled, null);
    await nextTurn();
    const isSmall = sum(texts.map(({ members }) => members.length)) <= MAX_SYNC_BYTES;
    return new Reply(
      isSmall ? new JsonText([...writeParts(parts)].join('')) : new JsonPieces(writeParts(parts)),
      headers,
    );
  }
  const range = { org, traceId, before, fields };
  const weight = (node: TreeNode) => readSize(node, fields);
  const writeInBatches = (parts: Iterable<JsonTreePart<TreeNode>>) =>
    writePartsInBatches(parts, weight, (requested) => store.textsAt(org, traceId, requested, fields));
  if (cursor === undefined && query.limit === undefined) {
    return new Reply(new JsonPieces(writeWholeTree(store, range, { trace, isAssembled, writeInBatches })), headers);
  }
  const after = cursor === undefined ? undefined : String(decodeCursor('stitched', cursor)[0]);
  const { nodes, last } = await selectMessages(store, range, { after, limit });
  if (last === undefined) appendAll(nodes, await readOrphans(store, range));
  // The cursor is the id of the last message.
  const next_cursor = last === undefined ? null : encodeCursor('stitched', [last]);
  const pieces = writeInBatches(pageParts(trace, stitchPositions(nodes), isAssembled, next_cursor));
  const isSmall = sum(nodes.map(weight)) <= MAX_SYNC_BYTES;
  return new Reply(isSmall ? new JsonText(await joinPieces(pieces)) : new JsonPieces(pieces), headers);
}

function* pageParts<B>(
  trace: Trace,
  { messages, orphans }: StitchedTree<B>,
  isAssembled: boolean,
  next_cursor: string | null,
): Generator<JsonTreePart<B>> {
  yield treeStart(trace);
  yield* messagesParts(messages, isAssembled);
  yield* orphansParts(orphans, isAssembled);
  yield treeEnd(next_cursor);
}

const treeStart = (trace: Trace): string => `{"trace":${stringifyJson(trace)},"messages":[`;
const treeEnd = (next_cursor: string | null): string => `,"page":${JSON.stringify({ next_cursor })}}`;

interface WholeTree {
  readonly trace: Trace;
  readonly isAssembled: boolean;
  readonly writeInBatches: (parts: Iterable<JsonTreePart<TreeNode>>) => AsyncIterable<string>;
}

/** Writes all messages, a page at a time: only the positions of one page, and the texts of one batch, are in memory. */
async function* writeWholeTree(
  store: TraceStore,
  range: TreeRange,
  { trace, isAssembled, writeInBatches }: WholeTree,
): AsyncGenerator<string> {
  yield treeStart(trace);
  let after: string | undefined;
  do {
    const { nodes, last } = await selectMessages(store, range, { after, limit: STEP });
    const { messages } = stitchPositions(nodes);
    if (after !== undefined && messages.length > 0) yield ',';
    yield* writeInBatches(messagesParts(messages, isAssembled));
    after = last;
  } while (after !== undefined);
  yield* writeInBatches(orphansParts(stitchPositions(await readOrphans(store, range)).orphans, isAssembled));
  yield treeEnd(null);
}

/** Larger pages are written in pieces, so that other requests do not wait. */
const MAX_SYNC_BYTES = 256 * 1024;
/** The blocks of a trace before an ordinal. */
interface TreeRange extends TraceRef {
  readonly before: number;
  readonly fields: BlockFields;
}

/** Approximate size of a skeleton. */
const SKELETON_BYTES = 400;

/** Returns the approximate number of bytes read of a block. */
const readSize = ({ bytes }: TreeNode, fields: BlockFields): number => (fields === 'all' ? bytes : SKELETON_BYTES);

/** Number of messages that are read at a time. */
const STEP = 500;

/**
 * Reads messages with all their descendants.
 *
 * @param page starts behind the message with the id `after`.
 * @returns the nodes, and the id of the last message if others follow.
 */
async function selectMessages(
  store: TraceStore,
  range: TreeRange,
  { after, limit }: Pick<MessagePage, 'after' | 'limit'>,
): Promise<{ readonly nodes: TreeNode[]; readonly last: string | undefined }> {
  const { org, traceId, before, fields } = range;
  const nodes: TreeNode[] = [];
  let last = after;
  let count = 0;
  let bytes = 0;
  for (;;) {
    const step = Math.min(STEP, limit - count + 1);
    const messages = await store.messages(org, traceId, { after: last, before, limit: step });
    if (!messages) {
      const expected = 'a next_cursor of the same trace';
      const issue = { path: '/cursor', rule: 'cursor', expected, got: 'another text' };
      throw new TraceStoreError(validationError([issue]));
    }
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

type TreeCallNode<B> = StitchedTree<B>['orphans']['tool_calls'][number];

/** Part of the JSON of a tree: text, the members of a block, or the assembled value of results. */
type JsonTreePart<B> = string | B | ResultList<B>;

interface ResultList<B> {
  readonly results: readonly B[];
}

/**
 * Yields messages with their children as JSON, without the brackets around them.
 *
 * @param isAssembled adds `assembled` to each call.
 */
function* messagesParts<B>(messages: StitchedTree<B>['messages'], isAssembled: boolean): Generator<JsonTreePart<B>> {
  for (const [index, message] of messages.entries()) {
    yield index > 0 ? ',{' : '{';
    yield message;
    yield ',"thinks":[';
    yield* listParts(message.thinks);
    yield '],"tool_calls":[';
    yield* callsParts(message.tool_calls, isAssembled);
    yield `],"child_order":${JSON.stringify(message.child_order)}}`;
  }
}

/** Yields the end of the messages, and the member `orphans`. */
function* orphansParts<B>(orphans: StitchedTree<B>['orphans'], isAssembled: boolean): Generator<JsonTreePart<B>> {
  yield '],"orphans":{"tool_calls":[';
  yield* callsParts(orphans.tool_calls, isAssembled);
  yield '],"tool_results":[';
  yield* listParts(orphans.tool_results);
  yield '],"thinks":[';
  yield* listParts(orphans.thinks);
  yield ']}';
}

function* callsParts<B>(calls: readonly TreeCallNode<B>[], isAssembled: boolean): Generator<JsonTreePart<B>> {
  for (const [index, call] of calls.entries()) {
    yield index > 0 ? ',{' : '{';
    yield call;
    yield ',"tool_results":[';
    yield* listParts(call.tool_results);
    if (isAssembled) {
      yield '],"assembled":';
      yield { results: call.tool_results };
      yield '}';
    } else yield ']}';
  }
}

function* listParts<B>(blocks: readonly B[]): Generator<JsonTreePart<B>> {
  for (const [index, block] of blocks.entries()) {
    yield index > 0 ? ',{' : '{';
    yield block;
    yield '}';
  }
}

/** Approximate length of a piece. */
const PIECE_LENGTH = 64 * 1024;

/** Writes parts whose blocks are in memory, in pieces. */
function* writeParts(parts: Iterable<JsonTreePart<BlockText>>): Generator<string> {
  let text = '';
  for (const part of parts) {
    text += textOf(part, ({ members }) => members);
    if (text.length < PIECE_LENGTH) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** Maximum size of a batch in memory of a larger page; single blocks can have megabytes. */
const MAX_BATCH = { blocks: 200, bytes: 256 * 1024 };

/**
 * Writes parts whose blocks are read in batches.
 *
 * @param sizeOf returns the bytes of a block.
 * @param read returns the texts of blocks, in any order.
 */
async function* writePartsInBatches(
  parts: Iterable<JsonTreePart<TreeNode>>,
  sizeOf: (node: TreeNode) => number,
  read: (nodes: readonly TreeNode[]) => Promise<readonly BlockText[]>,
): AsyncGenerator<string> {
  let waiting: JsonTreePart<TreeNode>[] = [];
  let requested = new Map<number, TreeNode>();
  let bytes = 0;
  const piece = async () => {
    const texts = new Map((await read([...requested.values()])).map(({ ord, members }) => [ord, members]));
    return waiting.map((part) => textOf(part, ({ ord }) => membersAt(texts, ord))).join('');
  };
  for (const part of parts) {
    waiting.push(part);
    for (const node of nodesOf(part)) {
      if (!requested.has(node.ord)) bytes += sizeOf(node);
      requested.set(node.ord, node);
    }
    if (requested.size < MAX_BATCH.blocks && bytes < MAX_BATCH.bytes) continue;
    yield await piece();
    waiting = [];
    requested = new Map();
    bytes = 0;
  }
  yield await piece();
}

function nodesOf(part: JsonTreePart<TreeNode>): readonly TreeNode[] {
  if (typeof part === 'string') return [];
  return 'results' in part ? part.results : [part];
}

function membersAt(texts: ReadonlyMap<number, string>, ord: number): string {
  const members = texts.get(ord);
  if (members === undefined) throw new Error(`the block with ordinal ${ord} is missing`);
  return members;
}

/** Uses the stored text of blocks, which is faster than parsing them; only assembled results must be parsed. */
function textOf<B extends object>(part: JsonTreePart<B>, membersOf: (block: B) => string): string {
  if (typeof part === 'string') return part;
  if (!('results' in part)) return membersOf(part);
  const results = part.results.map((result) => parseExactJson(`{${membersOf(result)}}`) as ToolResultBlock);
  return stringifyJson(assemble(results));
}

const DEFAULT_LIMIT = 100;

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
