import type { Block, BlockHit, BlockSkeleton, Score, SearchHit, Trace } from '../../../../generated/trace.ts';
import { groupBy, stringifyJson } from '../../../core/index.ts';
import {
  blockTerms,
  compareSkeletons,
  isErrorResult,
  matchesBlock,
  matchesBlocks,
  matchesTrace,
  PARENT_SUB_TYPES,
  type SearchedBlock,
  type SearchQuery,
  type StoredBlock,
  searchTexts,
  toJsonTexts,
  toSkeleton,
  traceTerms,
} from '../../model/index.ts';
import {
  findBlocks,
  type SearchedTrace,
  type SearchSource,
  searchBlocks,
  type TraceSearchPosition,
} from '../search.ts';
import { blockBytes, toMicroseconds } from '../trace-changes.ts';
import type {
  BlockFields,
  BlockSearchQuery,
  BlockText,
  QuerySearch,
  SizedPosition,
  StorePage,
  TreeReader,
} from '../trace-store.ts';
import { hasFields } from './memory-lists.ts';
import type { MemoryState, MemoryTrace } from './memory-state.ts';

interface SearchedMemoryTrace extends SearchedTrace {
  readonly blocks: readonly StoredBlock[];
}

/** Searches blocks in the records of a memory store. */
export function searchMemory(records: readonly MemoryTrace[], query: BlockSearchQuery): Promise<StorePage<BlockHit>> {
  const searched = records.map((record) => {
    const mayMatch = hasFields(record.trace, query, ['run', 'environment', 'group_id']);
    return toSearched(record, mayMatch, query.q !== undefined);
  });
  return findBlocks(
    createSource(searched, (block, tool) => isCandidate(block, query, tool)),
    query,
  );
}

/** Searches blocks by the query language. */
export function searchMemoryByQuery(
  records: readonly MemoryTrace[],
  scores: readonly Score[],
  search: QuerySearch,
): Promise<StorePage<SearchHit>> {
  const { query } = search;
  const terms = traceTerms(query);
  const ofBlocks = blockTerms(query);
  const readsText = searchTexts(query).length + searchTexts(query, true).length > 0;
  const byTrace = groupBy(scores, ({ trace_id }) => trace_id);
  const searched = records.map((record) => {
    const mayMatch = matchesTrace(terms, record.trace, byTrace.get(record.trace.id) ?? []);
    return toSearched(record, mayMatch, readsText);
  });
  const isMatch = (block: Block, tool: string | undefined) => matchesBlock(ofBlocks, toSearchedBlock(block, tool));
  return searchBlocks(createSource(searched, isMatch, true), search);
}

const toSearchedBlock = (block: Block, tool: string | undefined): SearchedBlock => ({
  sub_type: block.sub_type,
  role: block.sub_type === 'MESSAGE' ? block.payload.role : null,
  is_error: isErrorResult(block),
  tool: tool ?? null,
});

/** Selects the traces that match a query. */
export function selectMemoryTraces(
  records: readonly MemoryTrace[],
  scores: readonly Score[],
  query: SearchQuery | undefined,
): Trace[] {
  const terms = query ? traceTerms(query) : [];
  const ofBlocks = query ? blockTerms(query) : [];
  const byTrace = groupBy(scores, ({ trace_id }) => trace_id);
  const matches = ({ trace, blocks }: MemoryTrace) => {
    if (!matchesTrace(terms, trace, byTrace.get(trace.id) ?? [])) return false;
    if (ofBlocks.length === 0) return true;
    const byId = new Map(blocks.map(({ block }) => [block.id, block]));
    return matchesBlocks(
      ofBlocks,
      blocks.map(({ block }) => toSearchedBlock(block, toolOf(byId, block))),
    );
  };
  return records.filter(matches).map(({ trace }) => trace);
}

/** Returns the name of the tool of a call or a result. */
function toolOf(blocks: ReadonlyMap<string, Block>, { id, sub_type, parent_block_id }: Block): string | undefined {
  const call = blocks.get(sub_type === 'TOOL_RESULT' ? (parent_block_id ?? '') : id);
  return call?.sub_type === 'TOOL_CALL' ? call.payload.name : undefined;
}

/** @param withTools set if the names of tools are part of the results. */
function createSource(
  searched: readonly SearchedMemoryTrace[],
  isMatch: (block: Block, tool: string | undefined) => boolean,
  withTools = false,
): SearchSource<SearchedMemoryTrace> {
  const traces = [...searched].sort(newestFirst);
  const blocks = new Map(traces.flatMap((trace) => trace.blocks.map(({ block }) => [block.id, block] as const)));
  const readEach = <T>(ids: readonly string[], read: (block: Block) => T) =>
    new Map(
      ids.flatMap((id) => {
        const block = blocks.get(id);
        return block ? [[id, read(block)] as const] : [];
      }),
    );
  return {
    traces: async (position, limit) => traces.filter((trace) => !position || isAfter(trace, position)).slice(0, limit),
    candidates: async (ranges) =>
      ranges.flatMap(({ trace, after, before }) =>
        trace.blocks
          .filter(({ ord, block }) => ord > after && ord < before && isMatch(block, toolOf(blocks, block)))
          .map(({ ord, block }) => ({
            trace_id: trace.id,
            ord,
            id: block.id,
            bytes: blockBytes(block),
            ...(withTools && { tool: toolOf(blocks, block) ?? null }),
          })),
      ),
    payloads: async (ids) => readEach(ids, (block) => toJsonTexts(block).payload),
    skeletons: async (ids) => readEach(ids, (block) => toSkeleton(block, blockBytes(block))),
  };
}

function toSearched({ trace, blocks }: MemoryTrace, mayMatch: boolean, readsText: boolean): SearchedMemoryTrace {
  const { id, created_at, block_count } = trace;
  return {
    id,
    created_us: toMicroseconds(created_at),
    block_count,
    bytes: readsText ? trace.bytes : 0,
    mayMatch,
    blocks,
  };
}

const newestFirst = (one: SearchedTrace, other: SearchedTrace): number =>
  other.created_us - one.created_us || (one.id < other.id ? 1 : -1);

const isAfter = ({ created_us, id }: SearchedTrace, position: TraceSearchPosition): boolean =>
  created_us === position.created_us
    ? id < position.id || (id === position.id && !position.isSearched)
    : created_us < position.created_us;

const isCandidate = (
  block: Block,
  { sub_type, name, has_error }: BlockSearchQuery,
  tool: string | undefined,
): boolean =>
  (sub_type === undefined || block.sub_type === sub_type) &&
  (name === undefined || tool === name) &&
  (has_error === undefined || (block.sub_type === 'TOOL_RESULT' && isErrorResult(block) === has_error));

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
