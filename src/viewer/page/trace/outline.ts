import type { BlockId, BlockSkeleton } from '../../../../generated/trace.ts';
import { compareSkeletons } from '../../../trace/model/index.ts';

export type RowKind = 'message' | 'thought' | 'call' | 'results' | 'heading' | 'gap';

/** One line of the outline and one piece of the transcript: a block, or all results of one call. */
export interface TranscriptRow {
  readonly id: string;
  readonly kind: RowKind;
  readonly depth: number;
  /** In their order; only a row of results has more than one, only a heading and a gap none. */
  readonly blocks: BlockSkeleton[];
  readonly parent: TranscriptRow | undefined;
  readonly children: TranscriptRow[];
}

/** Messages that were read before their turn, one after the other. */
interface MessageRun {
  /** Whether nothing follows them. */
  readonly isLast: boolean;
}

/** The kind of row that each kind of block hangs under. */
const PARENT_KINDS = { THINK: 'message', TOOL_CALL: 'message', TOOL_RESULT: 'call', MESSAGE: undefined } as const;

/**
 * A trace as a tree that grows: blocks may come in any order, and more than once. It is the tree that the store makes
 * of the same blocks, with the results of a call joined to one row.
 */
export class Outline {
  readonly messages: TranscriptRow[] = [];
  readonly #rows = new Map<BlockId, TranscriptRow>();
  /** Blocks whose parent is not there, by its id. */
  readonly #byMissingParent = new Map<BlockId, BlockSkeleton[]>();
  /** Messages that were read before their turn, until those before them are there. */
  readonly #outOfOrder = new Map<BlockId, MessageRun>();
  /** By what they stand before: a gap is the same row for as long as it is there. */
  readonly #gaps = new Map<BlockId | undefined, TranscriptRow>();
  #orphans: TranscriptRow | undefined;
  #version = 0;

  /** How many blocks there are. */
  get size(): number {
    return this.#rows.size + this.#waitingCount();
  }

  /** Another number whenever something has come. */
  get version(): number {
    return this.#version;
  }

  /** The row in which a block is. */
  rowOf(id: BlockId): TranscriptRow | undefined {
    return this.#rows.get(id) ?? this.orphans?.children.flatMap(withChildren).find((row) => has(row, id));
  }

  /** Takes blocks whose turn it is. @returns how many of them are new. */
  add(blocks: readonly BlockSkeleton[]): number {
    const before = this.size;
    let isNearer = false;
    for (const block of blocks) {
      this.#place(block);
      isNearer = this.#outOfOrder.delete(block.id) || isNearer;
    }
    const added = this.size - before;
    if (added > 0 || isNearer) {
      this.#version++;
      this.#orphans = undefined;
    }
    return added;
  }

  /** Takes blocks before their turn, which follow each other; `isLast` says that nothing follows them. */
  addOutOfOrder(blocks: readonly BlockSkeleton[], run: MessageRun): void {
    const ahead = blocks.filter(
      ({ id, sub_type }) => sub_type === 'MESSAGE' && (this.#outOfOrder.has(id) || !this.#rows.has(id)),
    );
    this.add(blocks);
    for (const { id } of ahead) this.#outOfOrder.set(id, run);
  }

  /** The row for what is not read yet between two messages that follow each other here, or at an end. */
  gapBetween(one: TranscriptRow | undefined, other: TranscriptRow | undefined): TranscriptRow | undefined {
    const before = one && this.#outOfOrder.get(one.id);
    const after = other && this.#outOfOrder.get(other.id);
    if (before === after || (!other && before?.isLast)) return undefined;
    const known = this.#gaps.get(other?.id);
    const gap: TranscriptRow = known ?? { ...NOTHING, id: `gap-${other?.id ?? 'end'}`, kind: 'gap' };
    this.#gaps.set(other?.id, gap);
    return gap;
  }

  /** The blocks that hang under nothing, with those under them; undefined where there are none. */
  get orphans(): TranscriptRow | undefined {
    if (this.#byMissingParent.size === 0) return undefined;
    this.#orphans ??= orphanRows([...this.#byMissingParent.values()].flat());
    return this.#orphans;
  }

  #place(block: BlockSkeleton): void {
    if (this.#rows.has(block.id)) return;
    const kind = PARENT_KINDS[block.sub_type];
    if (kind === undefined) {
      this.#insert(this.messages, newRow('message', 0, block, undefined));
    } else {
      const parent = this.#rows.get(block.parent_block_id ?? '');
      if (parent?.kind !== kind) {
        this.#wait(block);
        return;
      }
      this.#rows.set(block.id, hangUnder(parent, block));
    }
    const waiting = this.#byMissingParent.get(block.id);
    this.#byMissingParent.delete(block.id);
    for (const child of waiting ?? []) this.#place(child);
  }

  #insert(siblings: TranscriptRow[], row: TranscriptRow): void {
    insertRow(siblings, row);
    this.#rows.set(row.id, row);
  }

  #wait(block: BlockSkeleton): void {
    const parent = block.parent_block_id ?? '';
    const others = this.#byMissingParent.get(parent);
    if (!others) this.#byMissingParent.set(parent, [block]);
    else if (!others.some(({ id }) => id === block.id)) others.push(block);
  }

  #waitingCount(): number {
    let count = 0;
    for (const blocks of this.#byMissingParent.values()) count += blocks.length;
    return count;
  }
}

const NOTHING = { depth: 0, blocks: [], parent: undefined, children: [] } as const satisfies Partial<TranscriptRow>;

const newRow = (
  kind: RowKind,
  depth: number,
  block: BlockSkeleton,
  parent: TranscriptRow | undefined,
): TranscriptRow => ({
  id: block.id,
  kind,
  depth,
  blocks: [block],
  parent,
  children: [],
});

/** Puts a thought, a call or a result in its place under its row. @returns the row that it is in. */
function hangUnder(parent: TranscriptRow, block: BlockSkeleton): TranscriptRow {
  const [results] = parent.children;
  if (block.sub_type === 'TOOL_RESULT' && results && parent.kind === 'call') {
    insertSorted(results.blocks, block, compareSkeletons);
    return results;
  }
  if (block.sub_type === 'TOOL_RESULT') {
    const row = { ...newRow('results', parent.depth, block, parent), id: `${parent.id}/results` };
    parent.children.push(row);
    return row;
  }
  const row = newRow(block.sub_type === 'THINK' ? 'thought' : 'call', parent.depth + 1, block, parent);
  insertRow(parent.children, row);
  return row;
}

const insertRow = (siblings: TranscriptRow[], row: TranscriptRow): void =>
  insertSorted(siblings, row, (one, other) => compareSkeletons(rowBlock(one), rowBlock(other)));

/** What comes is mostly the last. */
function insertSorted<T>(list: T[], item: T, compareItems: (one: T, other: T) => number): void {
  let low = 0;
  let high = list.length;
  const last = list.at(-1);
  if (last !== undefined && compareItems(last, item) <= 0) low = high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareItems(list[middle] as T, item) <= 0) low = middle + 1;
    else high = middle;
  }
  list.splice(low, 0, item);
}

function orphanRows(blocks: readonly BlockSkeleton[]): TranscriptRow {
  const heading: TranscriptRow = {
    id: 'orphans',
    kind: 'heading',
    depth: 0,
    blocks: [],
    parent: undefined,
    children: [],
  };
  const calls = new Map<BlockId, TranscriptRow>();
  const order = { TOOL_CALL: 0, TOOL_RESULT: 1, THINK: 2, MESSAGE: 3 };
  const sorted = [...blocks].sort(
    (one, other) => order[one.sub_type] - order[other.sub_type] || compareSkeletons(one, other),
  );
  for (const block of sorted) {
    const call = calls.get(block.parent_block_id ?? '');
    if (block.sub_type === 'TOOL_RESULT' && call) {
      hangUnder(call, block);
      continue;
    }
    const kind = block.sub_type === 'TOOL_RESULT' ? 'results' : block.sub_type === 'THINK' ? 'thought' : 'call';
    const row = newRow(kind, 1, block, heading);
    if (kind === 'call') calls.set(block.id, row);
    heading.children.push(row);
  }
  return heading;
}

/** The first block of a row that has one. */
export const rowBlock = (row: TranscriptRow): BlockSkeleton => row.blocks[0] as BlockSkeleton;

const has = (row: TranscriptRow, id: BlockId): boolean => row.blocks.some((block) => block.id === id);

function withChildren(row: TranscriptRow): TranscriptRow[] {
  return [row, ...row.children.flatMap(withChildren)];
}
