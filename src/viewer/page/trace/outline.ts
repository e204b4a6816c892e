import type { BlockId, BlockSkeleton, Trace } from '../../../../generated/trace.ts';
import { compareSkeletons, threadName } from '../../../trace/model/index.ts';

type RowKind = 'message' | 'thought' | 'call' | 'results' | 'agent' | 'heading' | 'gap';

/** Line of the outline and item of the transcript: a block, all results of one call, or an agent with its messages. */
export interface TranscriptRow {
  readonly id: string;
  readonly kind: RowKind;
  readonly depth: number;
  /** In order. Only a row of results has more than one; an agent, a heading and a gap have none. */
  readonly blocks: BlockSkeleton[];
  /** Blocks of all rows below an agent, in the order in which they arrived. */
  readonly inner?: BlockSkeleton[];
  /** Label of a row without blocks. */
  readonly label?: string;
  readonly parent: TranscriptRow | undefined;
  readonly children: TranscriptRow[];
}

/** Consecutive messages that were loaded ahead of their page. */
interface MessageRun {
  /** Set if nothing follows them. */
  readonly isLast: boolean;
}

/** Kind of the parent row by sub type. */
const PARENT_KINDS = { THINK: 'message', TOOL_CALL: 'message', TOOL_RESULT: 'call', MESSAGE: undefined } as const;

/**
 * Growing tree of a trace; blocks may arrive in any order, and more than once. It is the stitched tree of the store,
 * with the results of a call joined to one row.
 */
export class Outline {
  /** Messages of the main agent, and the other agents. */
  readonly messages: TranscriptRow[] = [];
  /** Trace that names its agents. */
  trace: Pick<Trace, 'metadata'> = { metadata: {} };
  readonly #rows = new Map<BlockId, TranscriptRow>();
  readonly #agents = new Map<string, TranscriptRow>();
  /** Blocks with a missing parent, by the id of the parent. */
  readonly #byMissingParent = new Map<BlockId, BlockSkeleton[]>();
  /** Messages that were loaded ahead of their page, until those before them are loaded. */
  readonly #outOfOrder = new Map<BlockId, MessageRun>();
  /** By the message after the gap, so that a gap keeps its row. */
  readonly #gaps = new Map<BlockId | undefined, TranscriptRow>();
  #orphans: TranscriptRow | undefined;
  #version = 0;

  /** Number of blocks. */
  get size(): number {
    return this.#rows.size + this.#waitingCount();
  }

  /** Changes whenever something was added. */
  get version(): number {
    return this.#version;
  }

  /** Returns the row that contains a block, or that of an agent. */
  rowOf(id: BlockId): TranscriptRow | undefined {
    return (
      this.#rows.get(id) ??
      this.#agents.get(id) ??
      this.orphans?.children.flatMap(withChildren).find((row) => containsBlock(row, id))
    );
  }

  /**
   * Adds blocks in order of their pages.
   *
   * @returns the number of new blocks.
   */
  add(blocks: readonly BlockSkeleton[]): number {
    const before = this.size;
    let isNearer = false;
    for (const block of blocks) {
      this.#insertBlock(block);
      isNearer = this.#outOfOrder.delete(block.id) || isNearer;
    }
    const added = this.size - before;
    if (added > 0 || isNearer) {
      this.#version++;
      this.#orphans = undefined;
    }
    return added;
  }

  /** Adds consecutive blocks ahead of their page; `isLast` means that nothing follows them. */
  addOutOfOrder(blocks: readonly BlockSkeleton[], run: MessageRun): void {
    const ahead = blocks.filter(
      ({ id, sub_type }) => sub_type === 'MESSAGE' && (this.#outOfOrder.has(id) || !this.#rows.has(id)),
    );
    this.add(blocks);
    for (const { id } of ahead) this.#outOfOrder.set(id, run);
  }

  /** Returns the row for blocks that are not loaded yet between two adjacent messages, or at an end. */
  gapBetween(one: TranscriptRow | undefined, other: TranscriptRow | undefined): TranscriptRow | undefined {
    const before = one && this.#outOfOrder.get(one.id);
    const after = other && this.#outOfOrder.get(other.id);
    if (before === after || (!other && before?.isLast)) return undefined;
    const known = this.#gaps.get(other?.id);
    const gap = known ?? { ...noBlocks('gap', 'not read yet'), id: `gap-${other?.id ?? 'end'}` };
    this.#gaps.set(other?.id, gap);
    return gap;
  }

  /** Row of the orphan blocks with their children; undefined if there are none. */
  get orphans(): TranscriptRow | undefined {
    if (this.#byMissingParent.size === 0) return undefined;
    this.#orphans ??= orphanRows([...this.#byMissingParent.values()].flat());
    return this.#orphans;
  }

  #insertBlock(block: BlockSkeleton): void {
    if (this.#rows.has(block.id)) return;
    const kind = PARENT_KINDS[block.sub_type];
    if (kind === undefined) {
      this.#insertMessage(block);
    } else {
      const parent = this.#rows.get(block.parent_block_id ?? '');
      if (parent?.kind !== kind) {
        this.#wait(block);
        return;
      }
      this.#rows.set(block.id, insertBelow(parent, block));
    }
    topRow(this.#rows.get(block.id))?.inner?.push(block);
    const waiting = this.#byMissingParent.get(block.id);
    this.#byMissingParent.delete(block.id);
    for (const child of waiting ?? []) this.#insertBlock(child);
  }

  #insertMessage(block: BlockSkeleton): void {
    const agent = block.thread === undefined ? undefined : this.#agent(block.thread);
    const row = newRow('message', agent ? 1 : 0, block, agent);
    insertRow(agent?.children ?? this.messages, row);
    this.#rows.set(row.id, row);
    if (agent?.children[0] !== row) return;
    // An agent has the position of its first message.
    const at = this.messages.indexOf(agent);
    if (at >= 0) this.messages.splice(at, 1);
    insertRow(this.messages, agent);
  }

  #agent(thread: string): TranscriptRow {
    const id = `agent-${encodeURIComponent(thread)}`;
    const known = this.#agents.get(id);
    if (known) return known;
    const nameOf = () => threadName(this.trace, thread);
    const agent: TranscriptRow = {
      ...noBlocks('agent'),
      id,
      inner: [],
      // The name may arrive after the blocks.
      get label() {
        return nameOf();
      },
    };
    this.#agents.set(id, agent);
    return agent;
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

const noBlocks = (kind: RowKind, label = ''): Omit<TranscriptRow, 'id'> => ({
  kind,
  label,
  depth: 0,
  blocks: [],
  parent: undefined,
  children: [],
});

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

/**
 * Inserts a thought, a call or a result below its parent.
 *
 * @returns the row that contains it.
 */
function insertBelow(parent: TranscriptRow, block: BlockSkeleton): TranscriptRow {
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

/** Inserts an item; fast if it is the last. */
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
  const heading: TranscriptRow = { ...noBlocks('heading', 'Orphans'), id: 'orphans' };
  const calls = new Map<BlockId, TranscriptRow>();
  const order = { TOOL_CALL: 0, TOOL_RESULT: 1, THINK: 2, MESSAGE: 3 };
  const sorted = [...blocks].sort(
    (one, other) => order[one.sub_type] - order[other.sub_type] || compareSkeletons(one, other),
  );
  for (const block of sorted) {
    const call = calls.get(block.parent_block_id ?? '');
    if (block.sub_type === 'TOOL_RESULT' && call) {
      insertBelow(call, block);
      continue;
    }
    const kind = block.sub_type === 'TOOL_RESULT' ? 'results' : block.sub_type === 'THINK' ? 'thought' : 'call';
    const row = newRow(kind, 1, block, heading);
    if (kind === 'call') calls.set(block.id, row);
    heading.children.push(row);
  }
  return heading;
}

/** Returns the first block of a row that has one; of an agent, its first message. */
export const rowBlock = ({ blocks, children }: TranscriptRow): BlockSkeleton =>
  blocks[0] ?? rowBlock(children[0] as TranscriptRow);

/** Returns the row that contains a row: its message or agent, or itself. */
export const topRow = (row: TranscriptRow | undefined): TranscriptRow | undefined =>
  row?.parent ? topRow(row.parent) : row;

/** Returns the id of a row in addresses: that of its last block, the final output if there were deltas; undefined for a gap. */
export const rowId = (row: TranscriptRow | undefined): BlockId | undefined =>
  row?.blocks.at(-1)?.id ?? (row?.inner && row.id);

const containsBlock = (row: TranscriptRow, id: BlockId): boolean => row.blocks.some((block) => block.id === id);

function withChildren(row: TranscriptRow): TranscriptRow[] {
  return [row, ...row.children.flatMap(withChildren)];
}
