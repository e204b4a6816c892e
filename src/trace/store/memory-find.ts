import type { BlockHit } from '../../../generated/trace.ts';
import { isErrorResult, type StoredBlock, toJsonTexts, toSkeleton } from '../model/index.ts';
import { blockBytes } from './derive.ts';
import { findBlocks } from './find-blocks.ts';
import type { MemoryTrace } from './memory-ledger.ts';
import type { SearchedTrace, SearchSource, TraceSearchPosition } from './searched.ts';
import { toMicroseconds } from './time.ts';
import type { BlockSearchQuery, StorePage } from './trace-store.ts';

interface SearchedMemoryTrace extends SearchedTrace {
  readonly blocks: readonly StoredBlock[];
}

/** Looks for blocks in the records of a memory store. */
export function searchMemory(records: readonly MemoryTrace[], query: BlockSearchQuery): Promise<StorePage<BlockHit>> {
  const traces = records.map(toSearched(query)).sort(newestFirst);
  const blocks = new Map(traces.flatMap((trace) => trace.blocks.map(({ block }) => [block.id, block] as const)));
  const among = <T>(ids: readonly string[], read: (block: StoredBlock['block']) => T) =>
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
  const searched: SearchSource<SearchedMemoryTrace> = {
    traces: async (place, limit) => traces.filter((trace) => !place || isAfter(trace, place)).slice(0, limit),
    candidates: async (stretches) =>
      stretches.flatMap(({ trace, after, before }) =>
        trace.blocks
          .filter(({ ord, block }) => ord > after && ord < before && isCandidate(block, query, nameOf))
          .map(({ ord, block }) => ({ trace_id: trace.id, ord, id: block.id, bytes: blockBytes(block) })),
      ),
    payloads: async (ids) => among(ids, (block) => toJsonTexts(block).payload),
    skeletons: async (ids) => among(ids, (block) => toSkeleton(block, blockBytes(block))),
  };
  return findBlocks(searched, query);
}

const toSearched =
  (query: BlockSearchQuery) =>
  ({ trace, blocks }: MemoryTrace): SearchedMemoryTrace => {
    const { id, created_at, block_count } = trace;
    const fits = (['run', 'environment', 'group_id'] as const).every(
      (field) => query[field] === undefined || trace[field] === query[field],
    );
    const bytes = query.q === undefined ? 0 : trace.bytes;
    return { id, created_us: toMicroseconds(created_at), block_count, bytes, mayMatch: fits, blocks };
  };

const newestFirst = (one: SearchedTrace, other: SearchedTrace): number =>
  other.created_us - one.created_us || (one.id < other.id ? 1 : -1);

const isAfter = ({ created_us, id }: SearchedTrace, place: TraceSearchPosition): boolean =>
  created_us === place.created_us
    ? id < place.id || (id === place.id && !place.isSearched)
    : created_us < place.created_us;

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
