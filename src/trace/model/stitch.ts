import type {
  AssembledResult,
  Block,
  BlockId,
  BlockSkeleton,
  JSONValue,
  StitchedTrace,
  SubType,
  ToolResultBlock,
} from '../../../generated/trace.ts';
import { groupBy, parseExactJson } from '../../core/index.ts';
import { isSeq } from './block-rules.ts';

interface StitchOptions {
  /** Adds `assembled` to each call, which doubles the bytes of results. @default false */
  readonly assemble?: boolean;
}

type ResultPayload = ToolResultBlock['payload'];

type BlockTree = Pick<StitchedTrace, 'messages' | 'orphans'>;

/**
 * Builds the tree of a trace from its blocks in any order: messages, their thoughts and calls, and the results of each
 * call. Every list is in the order of `compareBlocks`. Blocks with a missing parent, or one of the wrong sub type, are
 * orphans; the results of an orphaned call stay under it. Source: trace data model, stitched view.
 */
export function stitch(blocks: readonly Block[], { assemble: isAssembled = false }: StitchOptions = {}): BlockTree {
  const joined = (results: readonly Block[]) =>
    isAssembled ? { assembled: assemble(results as readonly ToolResultBlock[]) } : {};
  // Each list holds blocks of one sub_type.
  return buildTree(blocks, compareBlocks, joined) as BlockTree;
}

/** Like `stitch`, for positions instead of blocks. */
export const stitchPositions = <B extends TreeLeaf & SiblingPosition>(blocks: readonly B[]): StitchedTree<B> =>
  buildTree(blocks, comparePositions, () => ({}));

type TreeLeaf = Pick<BlockSkeleton, 'id' | 'sub_type' | 'parent_block_id'>;
type CallNode<B> = B & { tool_results: B[]; assembled?: AssembledResult };
type MessageNode<B> = B & { thinks: B[]; tool_calls: CallNode<B>[]; child_order: BlockId[] };

export interface StitchedTree<B> {
  readonly messages: MessageNode<B>[];
  readonly orphans: { readonly tool_calls: CallNode<B>[]; readonly tool_results: B[]; readonly thinks: B[] };
}

function buildTree<B extends TreeLeaf>(
  blocks: readonly B[],
  compare: (one: B, other: B) => number,
  joined: (results: readonly B[]) => { assembled?: AssembledResult },
): StitchedTree<B> {
  const sorted = [...blocks].sort(compare);
  const of = (subType: SubType) => sorted.filter((block) => block.sub_type === subType);
  const results = childrenOf(of('TOOL_RESULT'));
  const calls = childrenOf(
    of('TOOL_CALL').map((call): CallNode<B> => {
      const tool_results = take(results, call.id);
      return { ...call, tool_results, ...joined(tool_results) };
    }),
  );
  const thinks = childrenOf(of('THINK'));
  const messages = of('MESSAGE').map((message): MessageNode<B> => {
    const own = { thinks: take(thinks, message.id), tool_calls: take(calls, message.id) };
    const child_order = [...own.thinks, ...own.tool_calls].sort(compare).map(({ id }) => id);
    return { ...message, ...own, child_order };
  });
  // Children that no parent has taken are orphans.
  const rest = <C extends B>(children: ChildLists<C>): C[] => [...children.values()].flat().sort(compare);
  return { messages, orphans: { tool_calls: rest(calls), tool_results: rest(results), thinks: rest(thinks) } };
}

type ChildLists<B> = Map<BlockId, B[]>;

const childrenOf = <B extends TreeLeaf>(blocks: readonly B[]): ChildLists<B> =>
  groupBy(blocks, (block) => block.parent_block_id ?? '');

function take<B>(children: ChildLists<B>, parent: BlockId): B[] {
  const taken = children.get(parent) ?? [];
  children.delete(parent);
  return taken;
}

/** Maximum number of listed gaps: a client can write any seq, so a large one must not fill the memory. */
const MAX_GAPS = 1000;

/**
 * Joins the results of one call, in any order: returns the last output, or else the deltas, or else null. Text deltas
 * are joined and lists concatenated; other deltas become a list of them in order. An output that was split into pieces is
 * complete when all of them exist. Lists the first 1,000 gaps; `more_gaps` counts the others. Source: trace data model,
 * output, delta and seq.
 */
export function assemble(results: readonly ToolResultBlock[]): AssembledResult {
  const { payloads, output } = sortResults(results);
  const gaps = gapsOf(results);
  if (output) return { state: 'complete', value: output.output ?? null, ...gaps };
  if (payloads.length === 0) return { state: 'pending', value: null, ...gaps };
  const value = join(payloads.map(({ delta = null }) => delta));
  const whole = wholeOutput(payloads, value, parseExactJson);
  return whole === undefined ? { state: 'partial', value, ...gaps } : { state: 'complete', value: whole, ...gaps };
}

/** Returns the payloads of the results of one call in order, and the last one that is not a delta. */
function sortResults(results: readonly ToolResultBlock[]) {
  const payloads = [...results].sort(compareBlocks).map(({ payload }) => payload);
  return { payloads, output: payloads.findLast((payload) => !hasDelta(payload)) };
}

/** Returns true if a valid result is a delta: a null `delta` counts as absent. */
export const hasDelta = ({ delta }: ResultPayload): boolean => delta !== undefined && delta !== null;

function join(deltas: readonly JSONValue[]): JSONValue {
  if (deltas.every((delta) => typeof delta === 'string')) return deltas.join('');
  return deltas.every(Array.isArray) ? deltas.flat(1) : [...deltas];
}

/**
 * Returns an output that was split into several blocks, if all of them exist: each has their number in `parts`, and
 * `media_type` if they are pieces of JSON.
 *
 * @param joined text of all pieces.
 * @param parse parses trusted JSON.
 */
function wholeOutput(
  payloads: readonly ResultPayload[],
  joined: JSONValue | undefined,
  parse: (text: string) => unknown,
): JSONValue | undefined {
  if (typeof joined !== 'string' || !payloads.every(({ parts }) => parts === payloads.length)) return undefined;
  const isJson = payloads.every(({ media_type }) => media_type === 'application/json');
  if (!isJson) return payloads.every(({ media_type }) => media_type === undefined) ? joined : undefined;
  try {
    return parse(joined) as JSONValue;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Finds the missing values of seq below the highest one of a delta. */
function gapsOf(results: readonly ToolResultBlock[]): Pick<AssembledResult, 'gaps' | 'more_gaps'> {
  const seqs = results.map(({ payload }) => payload.seq).filter(isSeq);
  const taken = [...new Set(seqs)].sort((one, other) => one - other);
  const deltas = results.filter(({ payload }) => hasDelta(payload));
  const highest = deltas.reduce((max, { payload }) => Math.max(max, payload.seq ?? -1), -1);
  const gaps: number[] = [];
  let next = 0;
  let missing = 0;
  for (const seq of taken) {
    if (seq > highest) break;
    missing += seq - next;
    for (; next < seq && gaps.length < MAX_GAPS; next++) gaps.push(next);
    next = seq + 1;
  }
  return missing > gaps.length ? { gaps, more_gaps: missing - gaps.length } : { gaps };
}

/** Part of a call's result: text, list items, or missing values of `seq` (`from` and `to` inclusive). */
export type ResultPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'items'; readonly items: readonly JSONValue[] }
  | { readonly kind: 'gap'; readonly from: number; readonly to: number };

/** The complete output of a call, or the deltas that exist so far. */
type JoinedResult =
  | { readonly kind: 'output'; readonly value: JSONValue; readonly replaced: number }
  | { readonly kind: 'pieces'; readonly pieces: readonly ResultPiece[] };

/**
 * Joins the results of one call, in any order, for display: returns the last output, or else the deltas. Numbers are
 * doubles, as in every other output that a page shows.
 */
export function joinResults(results: readonly ToolResultBlock[]): JoinedResult {
  const { payloads, output } = sortResults(results);
  if (output) return { kind: 'output', value: output.output ?? null, replaced: payloads.length - 1 };
  const pieces = joinDeltas(payloads);
  const [piece, ...others] = pieces;
  const isJson = payloads.some(({ media_type }) => media_type !== undefined);
  const text = piece?.kind === 'text' && others.length === 0 && isJson ? piece.text : undefined;
  const value = wholeOutput(payloads, text, JSON.parse);
  return value === undefined ? { kind: 'pieces', pieces } : { kind: 'output', value, replaced: 0 };
}

function joinDeltas(payloads: readonly ResultPayload[]): ResultPiece[] {
  const pieces: ResultPiece[] = [];
  let next = 0;
  for (const { seq, delta } of payloads) {
    if (isSeq(seq)) {
      if (seq > next) pieces.push({ kind: 'gap', from: next, to: seq - 1 });
      next = seq + 1;
    }
    if (delta !== undefined && delta !== null) addDelta(pieces, delta);
  }
  return pieces;
}

function addDelta(pieces: ResultPiece[], delta: JSONValue): void {
  const last = pieces.at(-1);
  if (typeof delta === 'string') {
    if (last?.kind === 'text') pieces[pieces.length - 1] = { kind: 'text', text: last.text + delta };
    else pieces.push({ kind: 'text', text: delta });
    return;
  }
  const items = Array.isArray(delta) ? delta : [delta];
  if (last?.kind === 'items') pieces[pieces.length - 1] = { kind: 'items', items: last.items.concat(items) };
  else pieces.push({ kind: 'items', items });
}

/** Fields that determine the order of siblings. */
type OrderedBlock = Pick<Block, 'id' | 'created_at'> & { readonly payload: object };

/**
 * Orders siblings by `payload.seq` (blocks without one last), then created_at, then id. A total order, because ids are
 * unique. Source: trace data model, "Results are sorted by".
 */
export const compareBlocks = (one: OrderedBlock, other: OrderedBlock): number =>
  compare(seqOrLast(one), seqOrLast(other)) || compareTimes(one, other);

const seqOrLast = (block: OrderedBlock): number => siblingSeq(block) ?? Number.POSITIVE_INFINITY;

/** Like `compareBlocks`, for skeletons. */
export const compareSkeletons = (one: SkeletonOrderKey, other: SkeletonOrderKey): number =>
  compare(one.seq ?? Number.POSITIVE_INFINITY, other.seq ?? Number.POSITIVE_INFINITY) || compareTimes(one, other);

/** Like `compareBlocks`, for positions: within a trace, ordinals have the order of times. */
const comparePositions = (one: SiblingPosition, other: SiblingPosition): number =>
  compare(one.seq ?? Number.POSITIVE_INFINITY, other.seq ?? Number.POSITIVE_INFINITY) || one.ord - other.ord;

/** Position of a block among its siblings and in its trace. */
type SiblingPosition = Pick<BlockSkeleton, 'seq'> & { readonly ord: number };

type SkeletonOrderKey = Pick<BlockSkeleton, 'id' | 'created_at' | 'seq'>;

const compareTimes = (
  one: Pick<OrderedBlock, 'id' | 'created_at'>,
  other: Pick<OrderedBlock, 'id' | 'created_at'>,
): number => compare(one.created_at, other.created_at) || compare(one.id, other.id);

/** Returns `payload.seq` if it is valid, else null: only results are checked, other blocks can have any value there. */
export function siblingSeq({ payload }: Pick<OrderedBlock, 'payload'>): number | null {
  const { seq } = payload as { readonly seq?: unknown };
  return isSeq(seq) ? seq : null;
}

/** Compares by code units; ids and times are ASCII. */
const compare = <T extends string | number>(one: T, other: T): number => (one < other ? -1 : one > other ? 1 : 0);
