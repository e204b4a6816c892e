import { compareSkeletons, PARENT_SUB_TYPES, type StoredBlock, toSkeleton } from '../model/index.ts';
import { blockBytes } from './derive.ts';
import type { MemoryState, MemoryTrace } from './memory-ledger.ts';
import type { BlockFields, BlockText, SizedPosition, TreeReader } from './tree-reader.ts';

export function createTreeReader(ledger: MemoryState): TreeReader {
  const outlines = (org: string, id: string, before: number) =>
    ledger
      .record(org, id)
      .blocks.filter(({ ord }) => ord < before)
      .map(toOutline);
  return {
    async messages(org, id, { after, before, limit }) {
      const messages = outlines(org, id, before).filter(({ sub_type }) => sub_type === 'MESSAGE');
      const from = messages.sort(compareSkeletons).findIndex((message) => message.id === after) + 1;
      return after !== undefined && from === 0 ? undefined : messages.slice(from, from + limit);
    },
    async children(org, id, parents, before) {
      const requested = new Set<string | null>(parents);
      return outlines(org, id, before).filter(({ parent_block_id }) => requested.has(parent_block_id));
    },
    async orphans(org, id, before) {
      const blocks = outlines(org, id, before);
      const kinds = new Map(blocks.map((block) => [block.id, block.sub_type]));
      return blocks.filter(
        ({ sub_type, parent_block_id }) =>
          sub_type !== 'MESSAGE' && kinds.get(parent_block_id ?? '') !== PARENT_SUB_TYPES[sub_type],
      );
    },
    async *positions(org, id, before) {
      const blocks = outlines(org, id, before);
      const ords = new Map(blocks.map((block) => [block.id, block.ord]));
      yield blocks.map((block) => ({ ...block, parent: ords.get(block.parent_block_id ?? '') ?? null }));
    },
    async textsAt(org, id, places, fields) {
      const record = ledger.record(org, id);
      return blocksAt(record, places).map((stored) => toText(stored, fields));
    },
  };
}

/** A block is at its place. */
const blocksAt = ({ blocks }: MemoryTrace, places: readonly SizedPosition[]): StoredBlock[] =>
  places
    .map(({ ord }) => ord)
    .sort((one, other) => one - other)
    .flatMap((ord) => blocks[ord - 1] ?? []);

const toOutline = ({ ord, block }: StoredBlock) => ({ ...toSkeleton(block, blockBytes(block)), ord });

export function toText(stored: StoredBlock, fields: BlockFields): BlockText {
  const { ord, ...outline } = toOutline(stored);
  const members = JSON.stringify(fields === 'all' ? stored.block : outline).slice(1, -1);
  return { ...outline, ord, members };
}
