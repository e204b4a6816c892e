import type { Trace, TraceId } from '../../../generated/trace.ts';
import type { ServerSentEvent } from '../../sse/index.ts';
import { type TraceStore, traceKey } from '../store/index.ts';

/** So much is read at a time, and no more than a reader has taken: memory stays bounded however slow it is. */
const PAGE = { limit: 25, bytes: 1024 * 1024 };

/** What there is of a trace after a place. */
export interface TraceUpdates {
  readonly events: readonly ServerSentEvent[];
  /** Where the last of them stands. */
  readonly ord: number;
  /** As it was after the blocks were read; undefined where more may follow at once. */
  readonly trace: Trace | undefined;
}

export interface UpdatesQuery {
  readonly org: string;
  readonly id: TraceId;
  readonly after: number;
}

type PendingReads = Map<number, Promise<TraceUpdates>>;

/** By `traceKey`. */
const stores = new WeakMap<TraceStore, Map<string, PendingReads>>();

/** Those who ask the same while it is being read share the answer: a hundred followers cost one reading. */
export function readUpdatesShared(store: TraceStore, question: UpdatesQuery): Promise<TraceUpdates> {
  const { org, id, after } = question;
  const traces = stores.get(store) ?? new Map<string, PendingReads>();
  stores.set(store, traces);
  const trace = traceKey(org, id);
  const readings: PendingReads = traces.get(trace) ?? new Map();
  traces.set(trace, readings);
  const known = readings.get(after);
  if (known) return known;
  const news = readUpdates(store, question).finally(() => {
    readings.delete(after);
    if (readings.size === 0 && traces.get(trace) === readings) traces.delete(trace);
  });
  readings.set(after, news);
  return news;
}

/** After a change of a trace nobody may share a reading that has begun before it. */
export const invalidateUpdates = (store: TraceStore, org: string, id: TraceId): void =>
  void stores.get(store)?.delete(traceKey(org, id));

export async function readUpdates(store: TraceStore, { org, id, after }: UpdatesQuery): Promise<TraceUpdates> {
  const blocks = await store.blocks(org, id, { after, ...PAGE });
  const events = blocks.map(({ ord, block }) => ({ event: 'block', id: String(ord), data: JSON.stringify(block) }));
  const place = blocks.at(-1)?.ord ?? after;
  if (blocks.length === PAGE.limit) return { events, ord: place, trace: undefined };
  const trace = await store.trace(org, id);
  return { events, ord: place, trace: events.length > 0 && trace.block_count > place ? undefined : trace };
}
