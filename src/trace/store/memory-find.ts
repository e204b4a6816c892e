import type { BlockHit } from '../../../generated/trace.ts';
import { isError, type StoredBlock, textsOf, toSkeleton } from '../model/index.ts';
import { bytesOf } from './derive.ts';
import { findBlocks } from './find-blocks.ts';
import type { TraceRecord } from './memory-ledger.ts';
import type { Searched, SearchedTrace, TracePlace } from './searched.ts';
import { microsOf } from './time.ts';
import type { FindQuery, PageOf } from './trace-store.ts';

interface RecordedTrace extends SearchedTrace {
  readonly blocks: readonly StoredBlock[];
}

/** Looks for blocks in the records of a memory store. */
export function findInMemory(records: readonly TraceRecord[], query: FindQuery): Promise<PageOf<BlockHit>> {
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
  const searched: Searched<RecordedTrace> = {
    traces: async (place, limit) => traces.filter((trace) => !place || isAfter(trace, place)).slice(0, limit),
    candidates: async (stretches) =>
      stretches.flatMap(({ trace, after, before }) =>
        trace.blocks
          .filter(({ ord, block }) => ord > after && ord < before && isCandidate(block, query, nameOf))
          .map(({ ord, block }) => ({ trace_id: trace.id, ord, id: block.id, bytes: bytesOf(block) })),
      ),
    payloads: async (ids) => among(ids, (block) => textsOf(block).payload),
    skeletons: async (ids) => among(ids, (block) => toSkeleton(block, bytesOf(block))),
  };
  return findBlocks(searched, query);
}

const toSearched =
  (query: FindQuery) =>
  ({ trace, blocks }: TraceRecord): RecordedTrace => {
    const { id, created_at, block_count } = trace;
    const fits = (['run', 'environment', 'group_id'] as const).every(
      (field) => query[field] === undefined || trace[field] === query[field],
    );
    const bytes = query.q === undefined ? 0 : trace.bytes;
    return { id, created_us: microsOf(created_at), block_count, bytes, fits, blocks };
  };

const newestFirst = (one: SearchedTrace, other: SearchedTrace): number =>
  other.created_us - one.created_us || (one.id < other.id ? 1 : -1);

const isAfter = ({ created_us, id }: SearchedTrace, place: TracePlace): boolean =>
  created_us === place.created_us ? id < place.id || (id === place.id && !place.isPast) : created_us < place.created_us;

function isCandidate(
  block: StoredBlock['block'],
  { sub_type, name, has_error }: FindQuery,
  nameOf: (id: string | null) => string | undefined,
): boolean {
  const tool = block.sub_type === 'TOOL_RESULT' ? nameOf(block.parent_block_id) : nameOf(block.id);
  return (
    (sub_type === undefined || block.sub_type === sub_type) &&
    (name === undefined || tool === name) &&
    (has_error === undefined || (block.sub_type === 'TOOL_RESULT' && isError(block) === has_error))
  );
}
