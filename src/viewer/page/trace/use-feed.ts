import { useEffect, useMemo, useState } from 'preact/hooks';
import { useApiKey } from '../api/key.ts';
import { TraceFeed } from './feed.ts';
import { PayloadCache } from './payloads.ts';
import { createBlockReader, createFeedSource } from './source.ts';

/** News are drawn no more often than this; in proportion to the blocks, since drawing looks at all of them. */
const DRAW_MS = 60;
const DRAW_MS_PER_BLOCK = 1 / 300;
/** What is read for the first time is mostly out of sight. */
const READ_MS_PER_BLOCK = 1 / 100;

export interface FollowedTrace {
  readonly feed: TraceFeed;
  readonly payloads: PayloadCache;
}

/** The feed of a trace and its payloads; the component is drawn again whenever something has come. */
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
    // What has been read of what is seen is drawn soon: the rows stay the same.
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

/** Runs at once, and again at the end of each interval in which it was asked for. */
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
