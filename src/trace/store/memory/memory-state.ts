import type { Block, BlockId, Trace, TraceId } from '../../../../generated/trace.ts';
import { sum } from '../../../core/index.ts';
import {
  type BlockIndex,
  blockCallId,
  canonicalContent,
  createPendingBlocks,
  type PendingBlocks,
  type StoredBlock,
  TraceStoreError,
  traceDeleted,
  traceIdConflict,
  traceNotFound,
} from '../../model/index.ts';
import { createChangeListeners, traceKey } from '../change-listeners.ts';
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
}

/** The records of all traces, and the listeners for changes. */
export function createMemoryState() {
  const organizations = new Map<string, OrganizationState>();
  const listeners = createChangeListeners();

  function organization(org: string): OrganizationState {
    const found = organizations.get(org) ?? { records: new Map(), deleted: new Set(), blocks: new Map() };
    organizations.set(org, found);
    return found;
  }

  const allRecords = () => [...organizations.values()].flatMap(({ records }) => [...records.values()]);

  function record(org: string, id: TraceId): MemoryTrace {
    const { records, deleted } = organization(org);
    const found = records.get(id);
    if (found) return found;
    throw new TraceStoreError(deleted.has(id) ? traceDeleted(id) : traceNotFound(id));
  }

  return {
    record,
    records: (org: string) => [...organization(org).records.values()],
    totals() {
      const traces = allRecords().map(({ trace }) => trace);
      return {
        traces: traces.length,
        blocks: sum(traces.map(({ block_count }) => block_count)),
        bytes: sum(traces.map(({ bytes }) => bytes)),
      };
    },
    /** Returns the trace with this id if it was created with the same input. @throws TraceStoreError if the id is taken. */
    claimed(org: string, id: TraceId, inputKey: string): MemoryTrace | undefined {
      const { records, deleted } = organization(org);
      if (deleted.has(id)) throw new TraceStoreError(traceDeleted(id));
      const found = records.get(id);
      if (found && found.inputKey !== inputKey) throw new TraceStoreError(traceIdConflict(id));
      return found;
    },
    add(org: string, trace: Trace, inputKey: string): void {
      const { records, blocks } = organization(org);
      const known = createPendingBlocks(knownAmong(blocks));
      records.set(trace.id, {
        org,
        inputKey,
        trace,
        blocks: [],
        blockIndex: known,
        idempotentResponses: new Map(),
        events: new Map(),
      });
    },
    write({ org, blocks: own, blockIndex }: MemoryTrace, block: Block): void {
      own.push({ ord: own.length + 1, block });
      blockIndex.add(withoutAnnotations(block));
      organization(org).blocks.set(block.id, block);
    },
    withEvents: () =>
      allRecords()
        .filter(({ events }) => [...events.values()].some(({ text }) => text !== null))
        .map(({ org, trace }) => ({ org, id: trace.id })),
    delete(org: string, id: TraceId): void {
      const { records, deleted, blocks } = organization(org);
      for (const { block } of record(org, id).blocks) blocks.delete(block.id);
      records.delete(id);
      deleted.add(id);
      listeners.call(traceKey(org, id));
    },
    watch: listeners.watch,
    call: listeners.call,
    changed: (org: string, id: TraceId) => listeners.call(traceKey(org, id)),
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
    return block && canonicalContent(withoutAnnotations(block), block.trace_id);
  },
  call: () => undefined,
  result: () => undefined,
});

function withoutAnnotations({ metadata: _, created_at: __, updated_at: ___, ...block }: Block) {
  return block;
}
