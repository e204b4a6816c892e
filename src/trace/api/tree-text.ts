import type { ToolResultBlock } from '../../../generated/trace.ts';
import { assemble, type StitchedTree } from '../model/index.ts';
import type { BlockText, TreeNode } from '../store/index.ts';

type HasOrdinal = Pick<TreeNode, 'ord'>;
type TreeCallNode<B> = StitchedTree<B>['orphans']['tool_calls'][number];

/** What stands in the text of a tree: text, the members of a block, or the value that results are together. */
export type JsonTreePart<B> = string | B | ResultList<B>;

interface ResultList<B> {
  readonly results: readonly B[];
}

/**
 * The members `messages` and `orphans` of a stitched trace as JSON.
 *
 * @param isAssembled whether each call has its results `assembled`.
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

/** A piece that is sent has about so many characters. */
const PIECE = 64 * 1024;

/** The text of parts whose blocks are there, in pieces. */
export function* writeParts(parts: Iterable<JsonTreePart<BlockText>>): Generator<string> {
  let text = '';
  for (const part of parts) {
    text += textOf(part, ({ members }) => members);
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** What is in memory of blocks that are read. */
export interface ReadSize {
  readonly blocks: number;
  readonly bytes: number;
}

/** The text of parts whose blocks are read slice by slice. @param read gives the texts of these blocks, in any order. */
export async function* writePartsInBatches(
  parts: Iterable<JsonTreePart<TreeNode>>,
  slice: ReadSize,
  weigh: (place: TreeNode) => number,
  read: (places: readonly TreeNode[]) => Promise<readonly BlockText[]>,
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
    for (const place of placesOf(part)) {
      if (!requested.has(place.ord)) bytes += weigh(place);
      requested.set(place.ord, place);
    }
    if (requested.size < slice.blocks && bytes < slice.bytes) continue;
    yield await piece();
    [waiting, requested, bytes] = [[], new Map(), 0];
  }
  yield await piece();
}

function placesOf(part: JsonTreePart<TreeNode>): readonly TreeNode[] {
  if (typeof part === 'string') return [];
  return 'results' in part ? part.results : [part];
}

function membersAt(texts: ReadonlyMap<number, string>, ord: number): string {
  const members = texts.get(ord);
  if (members === undefined) throw new Error(`the block at the place ${ord} is missing`);
  return members;
}

/** Parsing blocks to write them again would take longer; of results that are joined there is no other way. */
function textOf<B extends object>(part: JsonTreePart<B>, membersOf: (block: B) => string): string {
  if (typeof part === 'string') return part;
  if (!('results' in part)) return membersOf(part);
  const results = part.results.map((result) => JSON.parse(`{${membersOf(result)}}`) as ToolResultBlock);
  return JSON.stringify(assemble(results));
}
