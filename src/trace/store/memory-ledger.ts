import type { Block, BlockId, Trace, TraceId } from '../../../generated/trace.ts';
import { sum } from '../../core/index.ts';
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
} from '../model/index.ts';
import type { AppendResult } from './trace-store.ts';
import { createChangeListeners, traceKey } from './watchers.ts';

/** A trace with all that a memory store knows of it. */
export interface MemoryTrace {
  readonly org: string;
  readonly inputKey: string;
  trace: Trace;
  readonly blocks: StoredBlock[];
  readonly blockIndex: PendingBlocks;
  /** By id; the text of settled ones is null. */
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

function openTenants() {
  const tenants = new Map<string, OrganizationState>();
  return {
    tenantOf(org: string): OrganizationState {
      const tenant = tenants.get(org) ?? { records: new Map(), deleted: new Set(), blocks: new Map() };
      tenants.set(org, tenant);
      return tenant;
    },
    allRecords: () => [...tenants.values()].flatMap(({ records }) => [...records.values()]),
  };
}

/** The records of all traces, and who watches them. */
export function createMemoryState() {
  const { tenantOf, allRecords } = openTenants();
  const watchers = createChangeListeners();
  function record(org: string, id: TraceId): MemoryTrace {
    const { records, deleted } = tenantOf(org);
    const found = records.get(id);
    if (found) return found;
    throw new TraceStoreError(deleted.has(id) ? traceDeleted(id) : traceNotFound(id));
  }

  return {
    record,
    records: (org: string) => [...tenantOf(org).records.values()],
    totals() {
      const traces = allRecords().map(({ trace }) => trace);
      return {
        traces: traces.length,
        blocks: sum(traces.map(({ block_count }) => block_count)),
        bytes: sum(traces.map(({ bytes }) => bytes)),
      };
    },
    /** The trace that has the id, if it came of the same input. @throws Refusal where the id cannot be had. */
    claimed(org: string, id: TraceId, inputKey: string): MemoryTrace | undefined {
      const { records, deleted } = tenantOf(org);
      if (deleted.has(id)) throw new TraceStoreError(traceDeleted(id));
      const found = records.get(id);
      if (found && found.inputKey !== inputKey) throw new TraceStoreError(traceIdConflict(id));
      return found;
    },
    add(org: string, trace: Trace, inputKey: string): void {
      const { records, blocks } = tenantOf(org);
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
      tenantOf(org).blocks.set(block.id, block);
    },
    withEvents: () =>
      allRecords()
        .filter(({ events }) => [...events.values()].some(({ text }) => text !== null))
        .map(({ org, trace }) => ({ org, id: trace.id })),
    delete(org: string, id: TraceId): void {
      const { records, deleted, blocks } = tenantOf(org);
      for (const { block } of record(org, id).blocks) blocks.delete(block.id);
      records.delete(id);
      deleted.add(id);
      watchers.call(traceKey(org, id));
    },
    watch: watchers.watch,
    call: watchers.call,
    changed: (org: string, id: TraceId) => watchers.call(traceKey(org, id)),
    close: watchers.clear,
  };
}

export type MemoryState = ReturnType<typeof createMemoryState>;

/** What is known of the blocks of all traces of an organization. */
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
