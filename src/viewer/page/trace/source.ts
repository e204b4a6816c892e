import type { BlockList } from '../../../../generated/trace.ts';
import { failureOf } from '../api/failure.ts';
import { answerOf, api } from '../api/store.ts';
import type { Source } from './feed.ts';
import type { ReadBlocks } from './payloads.ts';

/** A trace of this page's server, as a feed reads it. */
export function sourceOf(org: string, traceId: string): Source {
  const path = { org, traceId };
  return {
    trace: (signal) => answerOf(api.getTrace({ params: { path }, signal })),
    page: (after, limit, signal) => {
      const query = { fields: 'skeleton' as const, limit, after };
      // The two generated types of a block differ in how they spell its contents.
      return answerOf(api.listBlocks({ params: { path, query }, signal })) as Promise<BlockList>;
    },
    follow: async (after, signal) => {
      const header = { 'Last-Event-ID': String(after) };
      const { events, error, response } = await api.streamTrace({ params: { path, header }, signal });
      if (!events) throw failureOf(response.status, error);
      return events;
    },
    until: (state, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const look = () => document.visibilityState === state && resolve();
        document.addEventListener('visibilitychange', look, { signal });
        signal.addEventListener('abort', () => reject(signal.reason));
        look();
      }),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const timer = setTimeout(resolve, ms);
        signal.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(signal.reason);
        });
      }),
    now: () => Date.now(),
  };
}

/** Reads whole blocks of a trace by their ids. */
export function readerOf(org: string, traceId: string, signal: AbortSignal): ReadBlocks {
  return async (ids) => {
    const query = { ids: ids.join(','), limit: ids.length };
    const answer = await answerOf(api.listBlocks({ params: { path: { org, traceId }, query }, signal }));
    const { blocks, page } = answer as BlockList;
    return {
      blocks: blocks.flatMap((block) => ('payload' in block ? [block] : [])),
      isCut: page.next_cursor !== null,
    };
  };
}
