import type { Block } from '../../../generated/trace.ts';
import { type Layout, layOut, type Place } from './layout.ts';
import { placeAmongSiblings } from './order.ts';
import { rewardOf } from './outline.ts';

/** A block and its place in its trace: 1, 2, 3... */
export interface StoredBlock {
  readonly ord: number;
  readonly block: Block;
}

/** The most that is in memory at a time; one block even if it has more bytes. */
export interface SliceSize {
  readonly blocks: number;
  readonly bytes: number;
}

/** The blocks of a trace whose layout is known. */
export interface TraceReader {
  readonly layout: Layout;
  /** The most that it reads at a time, and that `prepare` does. */
  readonly slice: SliceSize;
  /** Those at these places, in this order; few are in memory at a time. */
  readonly read: (ords: Iterable<number>) => Iterable<StoredBlock> | AsyncIterable<StoredBlock>;
  /** Reads these at once, unless they are more than a slice; they are at hand until others are. */
  readonly prepare: (ords: readonly number[]) => Promise<void>;
}

/** A trace that is in memory: all of its blocks, in the order in which they were written. */
export async function holdTrace(blocks: readonly Block[]): Promise<TraceReader> {
  const ords = new Map(blocks.map(({ id }, index) => [id, index + 1]));
  const places = blocks.map((block, index): Place => {
    const { sub_type, parent_block_id } = block;
    const role = block.sub_type === 'MESSAGE' ? block.payload.role : null;
    const parent = ords.get(parent_block_id ?? '') ?? null;
    const [seq, reward] = [placeAmongSiblings(block), rewardOf(block)];
    return { ord: index + 1, sub_type, role, parent_block_id, parent, seq, reward, bytes: 0 };
  });
  return {
    layout: await layOut(places, blocks.length),
    slice: { blocks: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY },
    *read(wanted) {
      for (const ord of wanted) {
        const block = blocks[ord - 1];
        if (block) yield { ord, block };
      }
    },
    async prepare() {},
  };
}

type Slice = ReadonlyMap<number, StoredBlock>;

/** A trace of which a slice is in memory at a time. @param fetch gives the blocks at these places, which ascend. */
export function sliceTrace(
  layout: Layout,
  slice: SliceSize,
  fetch: (ords: readonly number[]) => Promise<readonly StoredBlock[]>,
): TraceReader {
  let prepared: Slice = new Map();

  async function readSlice(ords: readonly number[]): Promise<Slice> {
    const known = ords.flatMap((ord) => prepared.get(ord) ?? []);
    if (known.length === ords.length) return prepared;
    const there = new Set(known.map(({ ord }) => ord));
    const missing = new Set(ords.filter((ord) => !there.has(ord)));
    const found = await fetch([...missing].sort((one, other) => one - other));
    return new Map([...known, ...found].map((stored) => [stored.ord, stored]));
  }

  return {
    layout,
    slice,
    async *read(ords) {
      for (const next of slicesOf(ords, layout, slice)) {
        const blocks = await readSlice(next);
        for (const ord of next) {
          const stored = blocks.get(ord);
          if (stored) yield stored;
        }
      }
    },
    async prepare(ords) {
      const [first, second] = slicesOf(ords, layout, slice);
      if (first && !second) prepared = await readSlice(first);
    },
  };
}

function* slicesOf(ords: Iterable<number>, { bytesOf }: Layout, most: SliceSize): Generator<readonly number[]> {
  let slice: number[] = [];
  let bytes = 0;
  for (const ord of ords) {
    if (slice.length > 0 && (slice.length === most.blocks || bytes + bytesOf(ord) > most.bytes)) {
      yield slice;
      slice = [];
      bytes = 0;
    }
    slice.push(ord);
    bytes += bytesOf(ord);
  }
  if (slice.length > 0) yield slice;
}
