import type { Trace, TraceId } from '../../../generated/trace.ts';
import { Condition } from '../../core/index.ts';
import type { ServerSentEvent } from '../../sse/index.ts';
import { type TraceErrorBody, TraceStoreError } from '../model/index.ts';
import type { TraceStore } from '../store/index.ts';
import { invalidateUpdates, readUpdates, readUpdatesShared } from './read-news.ts';

/**
 * Every block of a trace after a place, in order, as events `block` whose id is the place, and the trace itself, as an
 * event `trace`, when all of its blocks have been sent and its counters or its status have changed. Ends when the trace
 * is deleted, with an event `deleted`, and when `stopped` resolves: with an event `error` if that is with a failure.
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
    let place = after;
    let told: Trace | undefined;
    let read = readUpdates;
    while (!isStopped) {
      // Counted before the reading: a change that comes meanwhile is found at the next turn.
      const before = changes;
      const news = await read(store, { org, id, after: place });
      // A reading that others had begun before this one watched could lack what came between.
      read = readUpdatesShared;
      if (isStopped) continue;
      yield* news.events;
      place = news.ord;
      if (!news.trace) continue;
      // The trace was read after its blocks, and may know of more: then a change has come already.
      if (news.trace.block_count <= place && news.trace.updated_at !== told?.updated_at) {
        yield { event: 'trace', data: JSON.stringify(news.trace) };
        told = news.trace;
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
