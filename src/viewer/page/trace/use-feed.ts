import { useEffect, useMemo, useState } from 'preact/hooks';
import type { BlockList } from '../../../../generated/trace.ts';
import { onAbort, silenceSignal, sleep } from '../../../core/index.ts';
import { useApiKey } from '../api/access.ts';
import { toRequestError } from '../api/request-error.ts';
import { traceApi, unwrapResponse, withApiKey } from '../api/store.ts';
import { TraceFeed, type TraceFeedSource } from './feed.ts';
import { PayloadCache, type ReadBlocks } from './payloads.ts';

/** Minimum interval of renders; grows with the number of blocks, because a render visits all of them. */
const DRAW_MS = 60;
const DRAW_MS_PER_BLOCK = 1 / 300;
/** Most blocks of the first load are not visible. */
const READ_MS_PER_BLOCK = 1 / 100;

interface FollowedTrace {
  readonly feed: TraceFeed;
  readonly payloads: PayloadCache;
}

/** Runs the feed of a trace and its payload cache; renders when something arrives. */
export function useFeed(org: string, traceId: string): FollowedTrace {
  const key = useApiKey();
  const [, setRound] = useState(0);
  const followed = useMemo(() => {
    const stop = new AbortController();
    const show = () => void (stop.signal.aborted || setRound((round) => round + 1));
    const draw = throttled(
      show,
      () => DRAW_MS + feed.outline.size * (feed.state.isComplete ? DRAW_MS_PER_BLOCK : READ_MS_PER_BLOCK),
    );
    // Loaded payloads of visible rows render soon, because the rows stay the same.
    const drawPayloads = throttled(show, () => DRAW_MS / 2);
    const payloads = new PayloadCache({ read: createBlockReader(org, traceId, stop.signal), onChange: drawPayloads });
    const feed: TraceFeed = new TraceFeed(traceId, createFeedSource(org, traceId), {
      change: draw,
      block: (block, bytes) => payloads.put(block, bytes),
    });
    return { feed, payloads, stop };
  }, [org, traceId, key]);
  useEffect(() => {
    void followed.feed.run(followed.stop.signal);
    return () => followed.stop.abort();
  }, [followed]);
  return followed;
}

/** Throttles a function: it runs at once, and again at the end of each interval in which it was called. */
function throttled(run: () => void, interval: () => number): () => void {
  let isWaiting = false;
  let isWanted = false;
  return function ask() {
    isWanted = true;
    if (isWaiting) return;
    isWanted = false;
    isWaiting = true;
    run();
    setTimeout(() => {
      isWaiting = false;
      if (isWanted) ask();
    }, interval());
  };
}

/** Three heartbeats of the store. */
const SILENCE_MS = 45_000;
/** Number of siblings that are loaded with a block. */
const NEAR = 1_000;

/** Creates the source of a feed from the trace API. */
export function createFeedSource(org: string, traceId: string): TraceFeedSource {
  const path = { org, traceId };
  const outlines = (which: object, signal: AbortSignal) => {
    const query = { fields: 'skeleton' as const, ...which };
    // The client has a generated type for blocks that is equal except in name.
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
          document.removeEventListener('visibilitychange', check);
          stopListening();
        };
        const check = () => {
          if (document.visibilityState !== state) return;
          stop();
          resolve();
        };
        const stopListening = onAbort(signal, (reason) => {
          stop();
          reject(reason);
        });
        document.addEventListener('visibilitychange', check);
        check();
      }),
    sleep,
    now: () => Date.now(),
  };
}

/** Creates a function that loads whole blocks of a trace. */
function createBlockReader(org: string, traceId: string, signal: AbortSignal): ReadBlocks {
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

/** Timeout for a response from which nothing arrives. */
interface ResponseTimeout {
  /** Aborts with the other signal, or after the timeout with the error of a broken connection. */
  readonly signal: AbortSignal;
  /** Returns the response; every chunk restarts the timeout. */
  readonly watch: (response: Response) => Response;
  /** Stops the timeout; an abort does so too. */
  readonly stop: () => void;
}

/** Starts the timeout. The server sends heartbeats, but a proxy may keep a dead connection open. */
export function createResponseTimeout(ms: number, signal: AbortSignal): ResponseTimeout {
  const silence = silenceSignal(ms, () => new TypeError(`the server sent nothing for ${ms / 1_000} s`), signal);
  onAbort(silence.signal, silence.release);
  return {
    signal: silence.signal,
    watch(response) {
      silence.heard();
      if (!response.body) return response;
      const bytes = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            silence.heard();
            controller.enqueue(chunk);
          },
        }),
      );
      const { status, statusText, headers } = response;
      return new Response(bytes, { status, statusText, headers });
    },
    stop: silence.release,
  };
}
