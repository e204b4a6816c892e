import type { Block } from '../../../generated/trace.ts';
import type { Awaitable } from '../../core/index.ts';
import type { Batches } from './items.ts';
import { type BlockPosition, buildLayoutSync, type TraceLayout } from './layout.ts';
import { siblingSeq } from './order.ts';
import { blockReward } from './outline.ts';

/** A block and its place in its trace: 1, 2, 3... */
export interface StoredBlock {
  readonly ord: number;
  readonly block: Block;
}

/** The most that is in memory at a time; one block even if it has more bytes. */
export interface BatchLimits {
  readonly blocks: number;
  readonly bytes: number;
}

/** The blocks of a trace whose layout is known. */
export interface TraceReader {
  readonly layout: TraceLayout;
  /** The most that it reads at a time, and that `prepare` does; undefined where all of it is in memory. */
  readonly batchLimits: BatchLimits | undefined;
  /** Those at these places, in this order; a slice at a time where they are not at hand. */
  readonly read: (ords: Iterable<number>) => Batches<StoredBlock>;
  /** Reads these at once, unless they are more than a slice; they are at hand until others are. */
  readonly prefetch: (ords: Iterable<number>) => Awaitable<void>;
}

/** A trace that is in memory: all of its blocks, in the order in which they were written. */
export function createMemoryTraceReader(blocks: readonly Block[]): TraceReader {
  const stored = blocks.map((block, index): StoredBlock => ({ ord: index + 1, block }));
  const ords = new Map(stored.map(({ ord, block }) => [block.id, ord]));
  const places = stored.map(({ ord, block }): BlockPosition => {
    const { sub_type, parent_block_id } = block;
    const role = block.sub_type === 'MESSAGE' ? block.payload.role : null;
    const parent = ords.get(parent_block_id ?? '') ?? null;
    return {
      ord,
      sub_type,
      role,
      parent_block_id,
      parent,
      seq: siblingSeq(block),
      reward: blockReward(block),
      bytes: 0,
    };
  });
  return {
    layout: buildLayoutSync(places),
    batchLimits: undefined,
    read(requested) {
      const found: StoredBlock[] = [];
      for (const ord of requested) {
        const at = stored[ord - 1];
        if (at) found.push(at);
      }
      return found;
    },
    prefetch() {},
  };
}

type BlockBatchMap = ReadonlyMap<number, StoredBlock>;

/** A trace of which a slice is in memory at a time. @param fetch gives the blocks at these places, which ascend. */
export function createBatchedTraceReader(
  layout: TraceLayout,
  slice: BatchLimits,
  fetch: (ords: readonly number[]) => Promise<readonly StoredBlock[]>,
): TraceReader {
  let prepared: BlockBatchMap = new Map();

  async function readSlice(ords: readonly number[]): Promise<BlockBatchMap> {
    const known = ords.flatMap((ord) => prepared.get(ord) ?? []);
    if (known.length === ords.length) return prepared;
    const there = new Set(known.map(({ ord }) => ord));
    const missing = new Set(ords.filter((ord) => !there.has(ord)));
    const found = await fetch([...missing].sort((one, other) => one - other));
    return new Map([...known, ...found].map((stored) => [stored.ord, stored]));
  }

  function atHand(ords: Iterable<number>): StoredBlock[] | undefined {
    const found: StoredBlock[] = [];
    for (const ord of ords) {
      const stored = prepared.get(ord);
      if (!stored) return undefined;
      found.push(stored);
    }
    return found;
  }

  async function* readSlices(ords: Iterable<number>): AsyncGenerator<readonly StoredBlock[]> {
    for (const next of slicesOf(ords, layout, slice)) {
      const blocks = await readSlice(next);
      yield next.flatMap((ord) => blocks.get(ord) ?? []);
    }
  }

  return {
    layout,
    batchLimits: slice,
    read: (ords) => atHand(ords) ?? readSlices(ords),
    async prefetch(ords) {
      const [first, second] = slicesOf(ords, layout, slice);
      if (first && !second) prepared = await readSlice(first);
    },
  };
}

function* slicesOf(ords: Iterable<number>, { bytesOf }: TraceLayout, max: BatchLimits): Generator<readonly number[]> {
  let slice: number[] = [];
  let bytes = 0;
  for (const ord of ords) {
    if (slice.length > 0 && (slice.length === max.blocks || bytes + bytesOf(ord) > max.bytes)) {
      yield slice;
      slice = [];
      bytes = 0;
    }
    slice.push(ord);
    bytes += bytesOf(ord);
  }
  if (slice.length > 0) yield slice;
}
