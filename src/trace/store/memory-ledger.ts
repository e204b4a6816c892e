import type { Block, BlockId, Trace, TraceId } from '../../../generated/trace.ts';
import {
  callIdOf,
  contentOf,
  createNotebook,
  type KnownBlocks,
  type Notebook,
  Refusal,
  type StoredBlock,
  traceDeleted,
  traceIdConflict,
  traceNotFound,
} from '../model/index.ts';
import type { Appended } from './trace-store.ts';
import { createWatchers } from './watchers.ts';

/** A trace with all that a memory store knows of it. */
export interface TraceRecord {
  readonly org: string;
  readonly inputKey: string;
  trace: Trace;
  readonly blocks: StoredBlock[];
  readonly known: Notebook;
  /** By id; the text of settled ones is null. */
  readonly events: Map<string, { readonly index: number; readonly text: string | null }>;
  /** By idempotency key. */
  readonly answers: Map<string, { readonly bodySha256: string; readonly appended: Appended; readonly until: number }>;
}

/** The records of all traces, and who watches them. */
export function openLedger() {
  const records = new Map<TraceId, TraceRecord>();
  const deleted = new Map<TraceId, string>();
  const blocks = new Map<BlockId, Block>();
  const watchers = createWatchers();
  function record(org: string, id: TraceId): TraceRecord {
    const found = records.get(id);
    if (found?.org === org) return found;
    throw new Refusal(deleted.get(id) === org ? traceDeleted(id) : traceNotFound(id));
  }

  return {
    record,
    records: (org: string) => [...records.values()].filter((each) => each.org === org),
    totals() {
      const traces = [...records.values()].map(({ trace }) => trace);
      return {
        traces: traces.length,
        blocks: traces.reduce((sum, { block_count }) => sum + block_count, 0),
        bytes: traces.reduce((sum, { bytes }) => sum + bytes, 0),
      };
    },
    /** The trace that has the id, if it came of the same input. @throws Refusal where the id cannot be had. */
    claimed(org: string, id: TraceId, inputKey: string): TraceRecord | undefined {
      if (deleted.has(id)) throw new Refusal(deleted.get(id) === org ? traceDeleted(id) : traceIdConflict(id));
      const found = records.get(id);
      if (found && (found.org !== org || found.inputKey !== inputKey)) throw new Refusal(traceIdConflict(id));
      return found;
    },
    add(org: string, trace: Trace, inputKey: string): void {
      const known = createNotebook(knownAmong(blocks));
      records.set(trace.id, { org, inputKey, trace, blocks: [], known, answers: new Map(), events: new Map() });
    },
    write({ blocks: own, known }: TraceRecord, block: Block): void {
      own.push({ ord: own.length + 1, block });
      known.add(withoutAnnotations(block));
      blocks.set(block.id, block);
    },
    withEvents: () =>
      [...records.values()]
        .filter(({ events }) => [...events.values()].some(({ text }) => text !== null))
        .map(({ org, trace }) => ({ org, id: trace.id })),
    delete(org: string, id: TraceId): void {
      for (const { block } of record(org, id).blocks) blocks.delete(block.id);
      records.delete(id);
      deleted.set(id, org);
      watchers.call(id);
    },
    watch: watchers.watch,
    changed: watchers.call,
    close: watchers.clear,
  };
}

export type Ledger = ReturnType<typeof openLedger>;

/** What is known of the blocks of all traces. */
const knownAmong = (blocks: ReadonlyMap<BlockId, Block>): KnownBlocks => ({
  block: (id) => {
    const block = blocks.get(id);
    return block && { trace_id: block.trace_id, sub_type: block.sub_type, call_id: callIdOf(block) };
  },
  content: (id) => {
    const block = blocks.get(id);
    return block && contentOf(withoutAnnotations(block), block.trace_id);
  },
  call: () => undefined,
  result: () => undefined,
});

function withoutAnnotations({ metadata: _, created_at: __, updated_at: ___, ...block }: Block) {
  return block;
}
