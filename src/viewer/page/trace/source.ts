import type { BlockList } from '../../../../generated/trace.ts';
import { onAbort, sleep } from '../../../core/index.ts';
import { failureOf } from '../api/failure.ts';
import { answerOf, api, withKey } from '../api/store.ts';
import type { Source } from './feed.ts';
import { limitSilence } from './limit-silence.ts';
import type { ReadBlocks } from './payloads.ts';

/** Three of the intervals in which a store says at least that it is there. */
const SILENCE_MS = 45_000;
/** Somebody who goes to a block sees so many beside it at once. */
const NEAR = 1_000;

/** A trace of this page's server, as a feed reads it. */
export function sourceOf(org: string, traceId: string): Source {
  const path = { org, traceId };
  const outlines = (which: object, signal: AbortSignal) => {
    const query = { fields: 'skeleton' as const, ...which };
    // The two generated types of a block differ in how they spell its contents.
    return answerOf(api.listBlocks({ params: { path, query }, signal })) as Promise<BlockList>;
  };
  return {
    trace: (signal) => answerOf(api.getTrace({ params: { path }, signal })),
    page: (range, signal) => outlines({ ...range }, signal),
    near: (query, signal) => outlines({ ...query, limit: NEAR }, signal),
    follow: async (after, signal) => {
      const header = { 'Last-Event-ID': String(after) };
      const listening = limitSilence(SILENCE_MS, signal);
      const heard = async (request: Request) => listening.heard(await fetch(withKey(request)));
      try {
        const init = { params: { path, header }, signal: listening.signal, fetch: heard };
        const { events, error, response } = await api.streamTrace(init);
        if (!events) throw failureOf(response.status, error);
        return events;
      } catch (failure) {
        listening.stop();
        throw failure;
      }
    },
    until: (state, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const stop = () => {
          document.removeEventListener('visibilitychange', look);
          stopListening();
        };
        const look = () => {
          if (document.visibilityState !== state) return;
          stop();
          resolve();
        };
        const stopListening = onAbort(signal, (reason) => {
          stop();
          reject(reason);
        });
        document.addEventListener('visibilitychange', look);
        look();
      }),
    sleep,
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
