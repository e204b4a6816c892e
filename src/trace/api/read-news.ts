import type { Trace, TraceId } from '../../../generated/trace.ts';
import type { ServerSentEvent } from '../../sse/index.ts';
import { type TraceStore, traceKey } from '../store/index.ts';

/** So much is read at a time, and no more than a reader has taken: memory stays bounded however slow it is. */
const PAGE = { limit: 25, bytes: 1024 * 1024 };

/** What there is of a trace after a place. */
export interface News {
  readonly events: readonly ServerSentEvent[];
  /** Where the last of them stands. */
  readonly place: number;
  /** As it was after the blocks were read; undefined where more may follow at once. */
  readonly trace: Trace | undefined;
}

export interface Question {
  readonly org: string;
  readonly id: TraceId;
  readonly after: number;
}

type Readings = Map<number, Promise<News>>;

/** By `traceKey`. */
const stores = new WeakMap<TraceStore, Map<string, Readings>>();

/** Those who ask the same while it is being read share the answer: a hundred followers cost one reading. */
export function readNewsTogether(store: TraceStore, question: Question): Promise<News> {
  const { org, id, after } = question;
  const traces = stores.get(store) ?? new Map<string, Readings>();
  stores.set(store, traces);
  const trace = traceKey(org, id);
  const readings: Readings = traces.get(trace) ?? new Map();
  traces.set(trace, readings);
  const known = readings.get(after);
  if (known) return known;
  const news = readNews(store, question).finally(() => {
    readings.delete(after);
    if (readings.size === 0 && traces.get(trace) === readings) traces.delete(trace);
  });
  readings.set(after, news);
  return news;
}

/** After a change of a trace nobody may share a reading that has begun before it. */
export const forgetNews = (store: TraceStore, org: string, id: TraceId): void =>
  void stores.get(store)?.delete(traceKey(org, id));

export async function readNews(store: TraceStore, { org, id, after }: Question): Promise<News> {
  const blocks = await store.blocks(org, id, { after, ...PAGE });
  const events = blocks.map(({ ord, block }) => ({ event: 'block', id: String(ord), data: JSON.stringify(block) }));
  const place = blocks.at(-1)?.ord ?? after;
  if (blocks.length === PAGE.limit) return { events, place, trace: undefined };
  const trace = await store.trace(org, id);
  return { events, place, trace: events.length > 0 && trace.block_count > place ? undefined : trace };
}
