import type { BlockId, BlockSkeleton } from '../../../generated/trace.ts';
import { type Batches, forEachBatch } from './batches.ts';

/**
 * The structure of a trace in typed arrays, about 40 bytes per block, for traces that do not fit in memory. Blocks are
 * identified by their ordinal, from 1.
 */
export interface TraceLayout {
  /** The highest ordinal. */
  readonly count: number;
  /** Ordinals of all blocks, or of one kind. */
  readonly ordinals: (kind?: LayoutKind) => Iterable<number>;
  readonly kindOf: (ord: number) => LayoutKind;
  readonly bytesOf: (ord: number) => number;
  /** `extra.reward` if it is a number, else null. */
  readonly rewardOf: (ord: number) => number | null;
  /** Ordinal of the parent, or 0 for none; missing parents have numbers above `count`. */
  readonly parentOf: (ord: number) => number;
  /** Children of a block (for 0, blocks without a parent) in the order of `compareBlocks`. */
  readonly childrenOf: (parent: number) => Uint32Array;
  /** Children of the given kinds. */
  readonly childrenOfKind: (parent: number, kinds: readonly LayoutKind[]) => readonly number[];
  readonly childCount: (parent: number) => number;
  /** Returns a copy without the given blocks. */
  readonly without: (ords: Iterable<number>) => TraceLayout;
}

const KINDS = ['NONE', 'MESSAGE', 'ASSISTANT', 'THINK', 'TOOL_CALL', 'TOOL_RESULT'] as const;

/** A `sub_type`, or ASSISTANT for messages of the assistant. */
type LayoutKind = (typeof KINDS)[number];

/** Fields of a block that the layout is built from. */
export interface BlockPosition
  extends Pick<BlockSkeleton, 'sub_type' | 'role' | 'parent_block_id' | 'seq' | 'bytes' | 'reward'> {
  readonly ord: number;
  /** Ordinal of the parent; null if it does not exist. */
  readonly parent: number | null;
}

/**
 * Builds the layout of a trace. Blocks of a trace are written one at a time with increasing times, so ordinals have the
 * order of times.
 */
export async function buildLayout(positions: Batches<BlockPosition>, count: number): Promise<TraceLayout> {
  const draft = draftLayout(count);
  await forEachBatch(positions, draft.add);
  return draft.finish();
}

/** Like `buildLayout`, for positions that are in memory. */
export function buildLayoutSync(positions: readonly BlockPosition[]): TraceLayout {
  const draft = draftLayout(positions.length);
  positions.forEach(draft.add);
  return draft.finish();
}

function draftLayout(count: number) {
  const kinds = new Uint8Array(count + 1);
  const bytes = new Uint32Array(count + 1);
  const parents = new Uint32Array(count + 1);
  const seqs = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
  const rewards = new Float64Array(count + 1).fill(Number.NaN);
  const missing = new Map<BlockId, number>();
  return {
    add(position: BlockPosition): void {
      const { ord, parent, parent_block_id } = position;
      kinds[ord] = KINDS.indexOf(layoutKind(position));
      bytes[ord] = position.bytes;
      if (position.seq !== null) seqs[ord] = position.seq;
      if (position.reward !== null) rewards[ord] = position.reward;
      if (parent !== null) parents[ord] = parent;
      else if (parent_block_id !== null) {
        parents[ord] = missing.get(parent_block_id) ?? count + 1 + missing.size;
        missing.set(parent_block_id, parents[ord] ?? 0);
      }
    },
    finish: (): TraceLayout =>
      layoutOf(kinds, { bytes, parents, rewards, ...sortChildren(parents, seqs, count + missing.size) }),
  };
}

const layoutKind = ({ sub_type, role }: BlockPosition): LayoutKind =>
  sub_type === 'MESSAGE' && role === 'assistant' ? 'ASSISTANT' : sub_type;

interface LayoutLinks extends Pick<TraceLayout, 'childrenOf' | 'childCount'> {
  readonly bytes: Uint32Array;
  readonly parents: Uint32Array;
  /** NaN for blocks without a reward. */
  readonly rewards: Float64Array;
}

function layoutOf(kinds: Uint8Array, links: LayoutLinks): TraceLayout {
  const { bytes, parents, rewards, childrenOf, childCount } = links;
  const kindOf = (ord: number) => KINDS[kinds[ord] ?? 0] ?? 'NONE';
  return {
    count: kinds.length - 1,
    ordinals: (kind) => ({
      *[Symbol.iterator]() {
        for (let ord = 1; ord < kinds.length; ord++) {
          if (kind === undefined ? kindOf(ord) !== 'NONE' : kindOf(ord) === kind) yield ord;
        }
      },
    }),
    kindOf,
    bytesOf: (ord) => bytes[ord] ?? 0,
    rewardOf: (ord) => (Number.isNaN(rewards[ord]) ? null : (rewards[ord] ?? null)),
    parentOf: (ord) => parents[ord] ?? 0,
    childrenOf: childrenOf,
    childrenOfKind(parent, requested) {
      const found: number[] = [];
      for (const ord of childrenOf(parent)) if (requested.includes(kindOf(ord))) found.push(ord);
      return found;
    },
    childCount: childCount,
    without(ords) {
      const left = kinds.slice();
      for (const ord of ords) left[ord] = 0;
      return layoutOf(left, links);
    },
  };
}

/** Counting sort by parent; siblings keep the order of writing unless they have a seq. */
function sortChildren(
  parents: Uint32Array,
  seqs: Float64Array,
  last: number,
): Pick<TraceLayout, 'childrenOf' | 'childCount'> {
  const starts = new Uint32Array(last + 2);
  for (let ord = 1; ord < parents.length; ord++) add(starts, (parents[ord] ?? 0) + 1, 1);
  for (let parent = 1; parent <= last + 1; parent++) add(starts, parent, starts[parent - 1]);
  const ends = starts.slice();
  const all = new Uint32Array(parents.length - 1);
  for (let ord = 1; ord < parents.length; ord++) {
    const parent = parents[ord] ?? 0;
    all[ends[parent] ?? 0] = ord;
    add(ends, parent, 1);
  }
  const under = (parent: number) => all.subarray(starts[parent], starts[parent + 1]);
  const countUnder = (parent: number) => (starts[parent + 1] ?? 0) - (starts[parent] ?? 0);
  const seqOf = (ord: number) => seqs[ord] ?? Number.POSITIVE_INFINITY;
  const compare = (one: number, other: number) =>
    seqOf(one) === seqOf(other) ? one - other : seqOf(one) - seqOf(other);
  for (let parent = 0; parent <= last; parent++) {
    if (countUnder(parent) < 2) continue;
    const children = under(parent);
    if (children.some((ord) => Number.isFinite(seqOf(ord)))) children.sort(compare);
  }
  return { childrenOf: under, childCount: countUnder };
}

function add(list: Uint32Array, index: number, value = 0): void {
  list[index] = (list[index] ?? 0) + value;
}
