import type { Trace, TraceId } from '../../../generated/trace.ts';
import { Condition, stringifyJson } from '../../core/index.ts';
import type { ServerSentEvent } from '../../sse/index.ts';
import { type TraceErrorBody, TraceStoreError } from '../model/index.ts';
import { type TraceStore, traceKey } from '../store/index.ts';

/**
 * Follows a trace. Yields each block after an ordinal as an event `block` with the ordinal as its id, and the trace as an
 * event `trace` when all blocks have been sent and its counters or status have changed. Ends with an event `deleted` when
 * the trace is deleted, and when `stopped` resolves: with an event `error` if it resolves with an error.
 */
export async function* follow(
  store: TraceStore,
  { org, id, after }: { readonly org: string; readonly id: TraceId; readonly after: number },
  stopped: Promise<TraceErrorBody | undefined>,
): AsyncGenerator<ServerSentEvent> {
  const changed = new Condition();
  let changes = 0;
  const onChange = () => {
    changes++;
    changed.notify();
  };
  let isStopped = false;
  let failure: TraceErrorBody | undefined;
  const stop = stopped.then((reason) => {
    isStopped = true;
    failure = reason;
    onChange();
  });
  const unwatch = store.watch(org, id, () => {
    invalidateUpdates(store, org, id);
    onChange();
  });
  try {
    let last = after;
    let sentTrace: Trace | undefined;
    let read = readUpdates;
    while (!isStopped) {
      // Counted before reading, so that a change during the read causes another one.
      const before = changes;
      const updates = await read(store, { org, id, after: last });
      // Only the first read is not shared: one that started before watch() could miss changes in between.
      read = readUpdatesShared;
      if (isStopped) continue;
      yield* updates.events;
      last = updates.ord;
      if (!updates.trace) continue;
      // The trace was read after its blocks; if it counts more of them, a change is pending.
      if (updates.trace.block_count <= last && updates.trace.updated_at !== sentTrace?.updated_at) {
        yield { event: 'trace', data: stringifyJson(updates.trace) };
        sentTrace = updates.trace;
      }
      await changed.until(() => changes > before);
    }
    if (failure) yield { event: 'error', data: JSON.stringify({ error: failure }) };
  } catch (error) {
    if (!(error instanceof TraceStoreError)) throw error;
    yield { event: 'deleted', data: JSON.stringify({ error: error.body }) };
  } finally {
    unwatch();
    void stop;
  }
}

/** Maximum size of a read; the next one starts when the reader has received it, which bounds the memory. */
const PAGE = { limit: 25, bytes: 1024 * 1024 };

/** Blocks of a trace after an ordinal. */
interface TraceUpdates {
  readonly events: readonly ServerSentEvent[];
  /** Ordinal of the last block. */
  readonly ord: number;
  /** The trace, read after the blocks; undefined if more blocks follow. */
  readonly trace: Trace | undefined;
}

interface UpdatesQuery {
  readonly org: string;
  readonly id: TraceId;
  readonly after: number;
}

type PendingReads = Map<number, Promise<TraceUpdates>>;

/** Keys of the inner map: `traceKey`. */
const stores = new WeakMap<TraceStore, Map<string, PendingReads>>();

/** Shares one read among all followers of a trace with the same position. */
function readUpdatesShared(store: TraceStore, query: UpdatesQuery): Promise<TraceUpdates> {
  const { org, id, after } = query;
  const traces = stores.get(store) ?? new Map<string, PendingReads>();
  stores.set(store, traces);
  const trace = traceKey(org, id);
  const reads: PendingReads = traces.get(trace) ?? new Map();
  traces.set(trace, reads);
  const known = reads.get(after);
  if (known) return known;
  const updates = readUpdates(store, query).finally(() => {
    reads.delete(after);
    if (reads.size === 0 && traces.get(trace) === reads) traces.delete(trace);
  });
  reads.set(after, updates);
  return updates;
}

/** Stops sharing reads that started before a change. */
const invalidateUpdates = (store: TraceStore, org: string, id: TraceId): void =>
  void stores.get(store)?.delete(traceKey(org, id));

async function readUpdates(store: TraceStore, { org, id, after }: UpdatesQuery): Promise<TraceUpdates> {
  const blocks = await store.blocks(org, id, { after, ...PAGE });
  const events = blocks.map(({ ord, block }) => ({ event: 'block', id: String(ord), data: stringifyJson(block) }));
  const ord = blocks.at(-1)?.ord ?? after;
  if (blocks.length === PAGE.limit) return { events, ord, trace: undefined };
  const trace = await store.trace(org, id);
  return { events, ord, trace: events.length > 0 && trace.block_count > ord ? undefined : trace };
}
