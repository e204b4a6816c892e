import type { BlockId, BlockSkeleton } from '../../../generated/trace.ts';
import { type Batches, forEachBatch } from './items.ts';

/**
 * What stands where in a trace, in numbers: some forty bytes a block, so that all of it can be known where the blocks
 * cannot be held. A block is named by its place in the order of writing, from 1.
 */
export interface TraceLayout {
  /** The last place. */
  readonly count: number;
  /** The places where there is something, or something of a kind. */
  readonly ordinals: (kind?: LayoutKind) => Iterable<number>;
  readonly kindOf: (ord: number) => LayoutKind;
  readonly bytesOf: (ord: number) => number;
  /** `extra.reward`, where that is a number. */
  readonly rewardOf: (ord: number) => number | null;
  /** What it hangs under, 0 for nothing; parents that are not there have numbers after the last place. */
  readonly parentOf: (ord: number) => number;
  /** What hangs under a block or, for 0, under nothing, whatever it is, in the order of `compareBlocks`. */
  readonly childrenOf: (parent: number) => Uint32Array;
  /** The same of some kinds. */
  readonly childrenOfKind: (parent: number, kinds: readonly LayoutKind[]) => readonly number[];
  readonly childCount: (parent: number) => number;
  /** The same with nothing at these places. */
  readonly without: (ords: Iterable<number>) => TraceLayout;
}

const KINDS = ['NOTHING', 'MESSAGE', 'ANSWER', 'THINK', 'TOOL_CALL', 'TOOL_RESULT'] as const;

/** A `sub_type`; messages of the model are apart from those of system and user. */
export type LayoutKind = (typeof KINDS)[number];

/** As much of a block as its place in a tree depends on. */
export interface BlockPosition
  extends Pick<BlockSkeleton, 'sub_type' | 'role' | 'parent_block_id' | 'seq' | 'bytes' | 'reward'> {
  readonly ord: number;
  /** The place of the parent; null where it is not there. */
  readonly parent: number | null;
}

/**
 * The layout of a trace of so many blocks. The blocks of a trace are written one after the other, each at a later time, so
 * the order of their places is that of their times.
 */
export async function buildLayout(places: Batches<BlockPosition>, count: number): Promise<TraceLayout> {
  const draft = draftLayout(count);
  await forEachBatch(places, draft.add);
  return draft.finish();
}

/** The same for places that are there. */
export function buildLayoutSync(places: readonly BlockPosition[]): TraceLayout {
  const draft = draftLayout(places.length);
  places.forEach(draft.add);
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
    add(place: BlockPosition): void {
      const { ord, parent, parent_block_id } = place;
      kinds[ord] = KINDS.indexOf(kindOfPlace(place));
      bytes[ord] = place.bytes;
      if (place.seq !== null) seqs[ord] = place.seq;
      if (place.reward !== null) rewards[ord] = place.reward;
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

const kindOfPlace = ({ sub_type, role }: BlockPosition): LayoutKind =>
  sub_type === 'MESSAGE' && role === 'assistant' ? 'ANSWER' : sub_type;

interface LayoutLinks extends Pick<TraceLayout, 'childrenOf' | 'childCount'> {
  readonly bytes: Uint32Array;
  readonly parents: Uint32Array;
  /** NaN where there is none. */
  readonly rewards: Float64Array;
}

function layoutOf(kinds: Uint8Array, links: LayoutLinks): TraceLayout {
  const { bytes, parents, rewards, childrenOf, childCount } = links;
  const kindOf = (ord: number) => KINDS[kinds[ord] ?? 0] ?? 'NOTHING';
  return {
    count: kinds.length - 1,
    ordinals: (kind) => ({
      *[Symbol.iterator]() {
        for (let ord = 1; ord < kinds.length; ord++) {
          if (kind === undefined ? kindOf(ord) !== 'NOTHING' : kindOf(ord) === kind) yield ord;
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

/** All children in one list, those of one parent side by side, as they were written unless they have a seq. */
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

function add(list: Uint32Array, place: number, value = 0): void {
  list[place] = (list[place] ?? 0) + value;
}
