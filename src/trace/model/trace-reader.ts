import type { Block } from '../../../generated/trace.ts';
import { type Awaitable, batchesOf } from '../../core/index.ts';
import type { Batches } from './batches.ts';
import { type BlockPosition, buildLayoutSync, type TraceLayout } from './layout.ts';
import { blockReward } from './outline.ts';
import { siblingSeq } from './stitch.ts';

/** A block and its ordinal in the trace, from 1. */
export interface StoredBlock {
  readonly ord: number;
  readonly block: Block;
}

/** Maximum size of a batch of blocks in memory; a larger block is read alone. */
export interface BlockBatchLimits {
  readonly blocks: number;
  /** Sum of the sizes of the blocks, whichever of their fields are read. */
  readonly bytes: number;
}

/** Reads the blocks of a trace whose layout is known. */
export interface TraceReader {
  readonly layout: TraceLayout;
  /** Maximum size of a batch for `read` and `prefetch`; undefined if the whole trace is in memory. */
  readonly batchLimits: BlockBatchLimits | undefined;
  /** Returns the blocks with these ordinals in this order; in batches unless they are in memory. */
  readonly read: (ords: Iterable<number>) => Batches<StoredBlock>;
  /** Loads these blocks if they fit in one batch; they stay in memory until the next prefetch. */
  readonly prefetch: (ords: Iterable<number>) => Awaitable<void>;
}

/** Creates a reader of a trace in memory. @param blocks all blocks in the order of writing. */
export function createMemoryTraceReader(blocks: readonly Block[]): TraceReader {
  const stored = blocks.map((block, index): StoredBlock => ({ ord: index + 1, block }));
  const ords = new Map(stored.map(({ ord, block }) => [block.id, ord]));
  const positions = stored.map(({ ord, block }): BlockPosition => {
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
    layout: buildLayoutSync(positions),
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

/**
 * Creates a reader that has one batch in memory at a time.
 *
 * @param fetch returns the blocks with the given ordinals, which are ascending.
 */
export function createBatchedTraceReader(
  layout: TraceLayout,
  batchLimits: BlockBatchLimits,
  fetch: (ords: readonly number[]) => Promise<readonly StoredBlock[]>,
): TraceReader {
  const limits = { count: batchLimits.blocks, size: batchLimits.bytes, sizeOf: layout.bytesOf };
  let prefetched: BlockBatchMap = new Map();

  async function readBatch(ords: readonly number[]): Promise<BlockBatchMap> {
    const known = ords.flatMap((ord) => prefetched.get(ord) ?? []);
    if (known.length === ords.length) return prefetched;
    const knownOrds = new Set(known.map(({ ord }) => ord));
    const missing = new Set(ords.filter((ord) => !knownOrds.has(ord)));
    const found = await fetch([...missing].sort((one, other) => one - other));
    return new Map([...known, ...found].map((stored) => [stored.ord, stored]));
  }

  function readPrefetched(ords: Iterable<number>): StoredBlock[] | undefined {
    const found: StoredBlock[] = [];
    for (const ord of ords) {
      const stored = prefetched.get(ord);
      if (!stored) return undefined;
      found.push(stored);
    }
    return found;
  }

  async function* readBatches(ords: Iterable<number>): AsyncGenerator<readonly StoredBlock[]> {
    for (const next of batchesOf(ords, limits)) {
      const blocks = await readBatch(next);
      yield next.flatMap((ord) => blocks.get(ord) ?? []);
    }
  }

  return {
    layout,
    batchLimits,
    read: (ords) => readPrefetched(ords) ?? readBatches(ords),
    async prefetch(ords) {
      const [first, second] = batchesOf(ords, limits);
      if (first && !second) prefetched = await readBatch(first);
    },
  };
}
