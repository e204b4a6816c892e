import type { BlockHit, BlockSkeleton } from '../../../../generated/trace.ts';
import { stringifyJson } from '../../../core/index.ts';
import {
  compareSkeletons,
  isErrorResult,
  PARENT_SUB_TYPES,
  type StoredBlock,
  toJsonTexts,
  toSkeleton,
} from '../../model/index.ts';
import { findBlocks, type SearchedTrace, type SearchSource, type TraceSearchPosition } from '../search.ts';
import { blockBytes, toMicroseconds } from '../trace-changes.ts';
import type { BlockFields, BlockSearchQuery, BlockText, SizedPosition, StorePage, TreeReader } from '../trace-store.ts';
import { hasFields } from './memory-lists.ts';
import type { MemoryState, MemoryTrace } from './memory-state.ts';

interface SearchedMemoryTrace extends SearchedTrace {
  readonly blocks: readonly StoredBlock[];
}

/** Searches blocks in the records of a memory store. */
export function searchMemory(records: readonly MemoryTrace[], query: BlockSearchQuery): Promise<StorePage<BlockHit>> {
  const traces = records.map((record) => toSearched(record, query)).sort(newestFirst);
  const blocks = new Map(traces.flatMap((trace) => trace.blocks.map(({ block }) => [block.id, block] as const)));
  const readEach = <T>(ids: readonly string[], read: (block: StoredBlock['block']) => T) =>
    new Map(
      ids.flatMap((id) => {
        const block = blocks.get(id);
        return block ? [[id, read(block)] as const] : [];
      }),
    );
  const nameOf = (id: string | null) => {
    const call = id === null ? undefined : blocks.get(id);
    return call?.sub_type === 'TOOL_CALL' ? call.payload.name : undefined;
  };
  const source: SearchSource<SearchedMemoryTrace> = {
    traces: async (position, limit) => traces.filter((trace) => !position || isAfter(trace, position)).slice(0, limit),
    candidates: async (ranges) =>
      ranges.flatMap(({ trace, after, before }) =>
        trace.blocks
          .filter(({ ord, block }) => ord > after && ord < before && isCandidate(block, query, nameOf))
          .map(({ ord, block }) => ({ trace_id: trace.id, ord, id: block.id, bytes: blockBytes(block) })),
      ),
    payloads: async (ids) => readEach(ids, (block) => toJsonTexts(block).payload),
    skeletons: async (ids) => readEach(ids, (block) => toSkeleton(block, blockBytes(block))),
  };
  return findBlocks(source, query);
}

function toSearched({ trace, blocks }: MemoryTrace, query: BlockSearchQuery): SearchedMemoryTrace {
  const { id, created_at, block_count } = trace;
  const mayMatch = hasFields(trace, query, ['run', 'environment', 'group_id']);
  const bytes = query.q === undefined ? 0 : trace.bytes;
  return { id, created_us: toMicroseconds(created_at), block_count, bytes, mayMatch, blocks };
}

const newestFirst = (one: SearchedTrace, other: SearchedTrace): number =>
  other.created_us - one.created_us || (one.id < other.id ? 1 : -1);

const isAfter = ({ created_us, id }: SearchedTrace, position: TraceSearchPosition): boolean =>
  created_us === position.created_us
    ? id < position.id || (id === position.id && !position.isSearched)
    : created_us < position.created_us;

function isCandidate(
  block: StoredBlock['block'],
  { sub_type, name, has_error }: BlockSearchQuery,
  nameOf: (id: string | null) => string | undefined,
): boolean {
  const tool = block.sub_type === 'TOOL_RESULT' ? nameOf(block.parent_block_id) : nameOf(block.id);
  return (
    (sub_type === undefined || block.sub_type === sub_type) &&
    (name === undefined || tool === name) &&
    (has_error === undefined || (block.sub_type === 'TOOL_RESULT' && isErrorResult(block) === has_error))
  );
}

export function createTreeReader(state: MemoryState): TreeReader {
  const nodes = (org: string, id: string, before: number) =>
    state
      .record(org, id)
      .blocks.filter(({ ord }) => ord < before)
      .map(toNode);
  return {
    async messages(org, id, { after, before, limit }) {
      const messages = nodes(org, id, before).filter(({ sub_type }) => sub_type === 'MESSAGE');
      const from = messages.sort(compareSkeletons).findIndex((message) => message.id === after) + 1;
      return after !== undefined && from === 0 ? undefined : messages.slice(from, from + limit);
    },
    async children(org, id, parents, before) {
      const requested = new Set<string | null>(parents);
      return nodes(org, id, before).filter(({ parent_block_id }) => requested.has(parent_block_id));
    },
    async orphans(org, id, before) {
      const blocks = nodes(org, id, before);
      const kinds = new Map(blocks.map((block) => [block.id, block.sub_type]));
      return blocks.filter(
        ({ sub_type, parent_block_id }) =>
          sub_type !== 'MESSAGE' && kinds.get(parent_block_id ?? '') !== PARENT_SUB_TYPES[sub_type],
      );
    },
    async *positions(org, id, before) {
      const blocks = nodes(org, id, before);
      const ords = new Map(blocks.map((block) => [block.id, block.ord]));
      yield blocks.map((block) => ({ ...block, parent: ords.get(block.parent_block_id ?? '') ?? null }));
    },
    async textsAt(org, id, positions, fields) {
      const record = state.record(org, id);
      return blocksAt(record, positions).map((stored) => toText(stored, fields));
    },
  };
}

/** The ordinal of a block is its index plus one. */
const blocksAt = ({ blocks }: MemoryTrace, positions: readonly SizedPosition[]): StoredBlock[] =>
  positions
    .map(({ ord }) => ord)
    .sort((one, other) => one - other)
    .flatMap((ord) => blocks[ord - 1] ?? []);

type MemoryNode = BlockSkeleton & { readonly ord: number };

/** Nodes of stored blocks, which never change: a tree is read a page at a time, and each page looks at all nodes. */
const knownNodes = new WeakMap<StoredBlock, MemoryNode>();

function toNode(stored: StoredBlock): MemoryNode {
  const known = knownNodes.get(stored);
  if (known) return known;
  const { ord, block } = stored;
  const node = { ...toSkeleton(block, blockBytes(block)), ord };
  knownNodes.set(stored, node);
  return node;
}

export function toText(stored: StoredBlock, fields: BlockFields): BlockText {
  const { ord, ...skeleton } = toNode(stored);
  const members = stringifyJson(fields === 'all' ? stored.block : skeleton).slice(1, -1);
  return { ...skeleton, ord, members };
}
