import type { Block, BlockId, Score, Trace, TraceId } from '../../../../generated/trace.ts';
import {
  type BlockIndex,
  blockCallId,
  canonicalContent,
  createPendingBlocks,
  type PendingBlocks,
  type StoredBlock,
  TraceStoreError,
  traceDeleted,
  traceNotFound,
} from '../../model/index.ts';
import { createChangeListeners } from '../change-listeners.ts';
import { withoutTimes } from '../trace-changes.ts';
import type { AppendResult } from '../trace-store.ts';

/** A trace with all data about it. */
export interface MemoryTrace {
  readonly org: string;
  readonly inputKey: string;
  trace: Trace;
  readonly blocks: StoredBlock[];
  readonly blockIndex: PendingBlocks;
  /** By id; the text of settled events is null. */
  readonly events: Map<string, { readonly index: number; readonly text: string | null }>;
  /** By idempotency key. */
  readonly idempotentResponses: Map<
    string,
    { readonly bodySha256: string; readonly appended: AppendResult; readonly until: number }
  >;
}

/** The traces and blocks of one organization, by id. */
interface OrganizationState {
  readonly records: Map<TraceId, MemoryTrace>;
  readonly deleted: Set<TraceId>;
  readonly blocks: Map<BlockId, Block>;
  /** By id, oldest first. */
  readonly scores: Map<string, Score>;
}

/** The records of all traces, and the listeners for changes. */
export function createMemoryState() {
  const organizations = new Map<string, OrganizationState>();
  const listeners = createChangeListeners();

  function organization(org: string): OrganizationState {
    const found = organizations.get(org) ?? {
      records: new Map(),
      deleted: new Set(),
      blocks: new Map(),
      scores: new Map(),
    };
    organizations.set(org, found);
    return found;
  }

  return {
    organization,
    /** @throws TraceStoreError TRACE_NOT_FOUND, TRACE_DELETED. */
    record(org: string, id: TraceId): MemoryTrace {
      const { records, deleted } = organization(org);
      const found = records.get(id);
      if (found) return found;
      throw new TraceStoreError(deleted.has(id) ? traceDeleted(id) : traceNotFound(id));
    },
    records: (org: string) => [...organization(org).records.values()],
    allRecords: () => [...organizations.values()].flatMap(({ records }) => [...records.values()]),
    /** Adds a trace without blocks. */
    add(org: string, trace: Trace, inputKey: string): void {
      const { records, blocks } = organization(org);
      records.set(trace.id, {
        org,
        inputKey,
        trace,
        blocks: [],
        blockIndex: createPendingBlocks(knownAmong(blocks)),
        events: new Map(),
        idempotentResponses: new Map(),
      });
    },
    write({ org, blocks: own, blockIndex }: MemoryTrace, block: Block): void {
      own.push({ ord: own.length + 1, block });
      blockIndex.add(withoutTimes(block));
      organization(org).blocks.set(block.id, block);
    },
    watch: listeners.watch,
    call: listeners.call,
    close: listeners.clear,
  };
}

export type MemoryState = ReturnType<typeof createMemoryState>;

/** Index of the blocks of all traces of an organization. */
const knownAmong = (blocks: ReadonlyMap<BlockId, Block>): BlockIndex => ({
  block: (id) => {
    const block = blocks.get(id);
    return block && { trace_id: block.trace_id, sub_type: block.sub_type, call_id: blockCallId(block) };
  },
  content: (id) => {
    const block = blocks.get(id);
    return block && canonicalContent(withoutTimes(block), block.trace_id);
  },
  call: () => undefined,
  result: () => undefined,
});
