import type { ToolResultBlock } from '../../../generated/trace.ts';
import { assemble, type BlockBatchLimits, type StitchedTree } from '../model/index.ts';
import type { BlockText, TreeNode } from '../store/index.ts';

type HasOrdinal = Pick<TreeNode, 'ord'>;
type TreeCallNode<B> = StitchedTree<B>['orphans']['tool_calls'][number];

/** Part of the JSON of a tree: text, the members of a block, or the assembled value of results. */
export type JsonTreePart<B> = string | B | ResultList<B>;

interface ResultList<B> {
  readonly results: readonly B[];
}

/**
 * Yields the members `messages` and `orphans` of a stitched trace as JSON.
 *
 * @param isAssembled adds `assembled` to each call.
 */
export function* treeJsonParts<B extends HasOrdinal>(
  { messages, orphans }: StitchedTree<B>,
  isAssembled: boolean,
): Generator<JsonTreePart<B>> {
  yield '"messages":[';
  for (const [index, message] of messages.entries()) {
    yield index > 0 ? ',{' : '{';
    yield message;
    yield ',"thinks":[';
    yield* listParts(message.thinks);
    yield '],"tool_calls":[';
    yield* callsParts(message.tool_calls, isAssembled);
    yield `],"child_order":${JSON.stringify(message.child_order)}}`;
  }
  yield '],"orphans":{"tool_calls":[';
  yield* callsParts(orphans.tool_calls, isAssembled);
  yield '],"tool_results":[';
  yield* listParts(orphans.tool_results);
  yield '],"thinks":[';
  yield* listParts(orphans.thinks);
  yield ']}';
}

function* callsParts<B extends HasOrdinal>(
  calls: readonly TreeCallNode<B>[],
  isAssembled: boolean,
): Generator<JsonTreePart<B>> {
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

function* listParts<B extends HasOrdinal>(blocks: readonly B[]): Generator<JsonTreePart<B>> {
  for (const [index, block] of blocks.entries()) {
    yield index > 0 ? ',{' : '{';
    yield block;
    yield '}';
  }
}

/** Approximate length of a piece. */
const PIECE_LENGTH = 64 * 1024;

/** Writes parts whose blocks are in memory, in pieces. */
export function* writeParts(parts: Iterable<JsonTreePart<BlockText>>): Generator<string> {
  let text = '';
  for (const part of parts) {
    text += textOf(part, ({ members }) => members);
    if (text.length < PIECE_LENGTH) continue;
    yield text;
    text = '';
  }
  yield text;
}

/**
 * Writes parts whose blocks are read in batches.
 *
 * @param sizeOf returns the bytes of a block.
 * @param read returns the texts of blocks, in any order.
 */
export async function* writePartsInBatches(
  parts: Iterable<JsonTreePart<TreeNode>>,
  limits: BlockBatchLimits,
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
    if (requested.size < limits.blocks && bytes < limits.bytes) continue;
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
  const results = part.results.map((result) => JSON.parse(`{${membersOf(result)}}`) as ToolResultBlock);
  return JSON.stringify(assemble(results));
}
