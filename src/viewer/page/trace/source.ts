import type { BlockList } from '../../../../generated/trace.ts';
import { onAbort, sleep } from '../../../core/index.ts';
import { toRequestError } from '../api/failure.ts';
import { traceApi, unwrapResponse, withApiKey } from '../api/store.ts';
import type { TraceFeedSource } from './feed.ts';
import { createResponseTimeout } from './limit-silence.ts';
import type { ReadBlocks } from './payloads.ts';

/** Three of the intervals in which a store says at least that it is there. */
const SILENCE_MS = 45_000;
/** Somebody who goes to a block sees so many beside it at once. */
const NEAR = 1_000;

/** A trace of this page's server, as a feed reads it. */
export function createFeedSource(org: string, traceId: string): TraceFeedSource {
  const path = { org, traceId };
  const outlines = (which: object, signal: AbortSignal) => {
    const query = { fields: 'skeleton' as const, ...which };
    // The two generated types of a block differ in how they spell its contents.
    return unwrapResponse(traceApi.listBlocks({ params: { path, query }, signal })) as Promise<BlockList>;
  };
  return {
    trace: (signal) => unwrapResponse(traceApi.getTrace({ params: { path }, signal })),
    page: (range, signal) => outlines({ ...range }, signal),
    context: (query, signal) => outlines({ ...query, limit: NEAR }, signal),
    follow: async (after, signal) => {
      const header = { 'Last-Event-ID': String(after) };
      const listening = createResponseTimeout(SILENCE_MS, signal);
      const heard = async (request: Request) => listening.watch(await fetch(withApiKey(request)));
      try {
        const init = { params: { path, header }, signal: listening.signal, fetch: heard };
        const { events, error, response } = await traceApi.streamTrace(init);
        if (!events) throw toRequestError(response.status, error);
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
export function createBlockReader(org: string, traceId: string, signal: AbortSignal): ReadBlocks {
  return async (ids) => {
    const query = { ids: ids.join(','), limit: ids.length };
    const response = await unwrapResponse(traceApi.listBlocks({ params: { path: { org, traceId }, query }, signal }));
    const { blocks, page } = response as BlockList;
    return {
      blocks: blocks.flatMap((block) => ('payload' in block ? [block] : [])),
      isTruncated: page.next_cursor !== null,
    };
  };
}
