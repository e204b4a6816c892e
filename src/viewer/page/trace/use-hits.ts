import { useEffect, useState } from 'preact/hooks';
import type { BlockId } from '../../../../generated/trace.ts';
import { asRequestError, type RequestError } from '../api/request-error.ts';
import { readPages, traceApi, unwrapResponse } from '../api/store.ts';

const TYPING_MS = 250;
const PAGE = 200;
/** Maximum number of hits to step through. */
const MAX_COUNT = 5_000;

interface BlockHits {
  /** Blocks with a hit, in order of writing. */
  readonly ids: readonly BlockId[];
  readonly isSearching: boolean;
  /** Set if there may be more hits. */
  readonly isTruncated: boolean;
  readonly failure: RequestError | undefined;
}

const NONE: BlockHits = { ids: [], isSearching: false, isTruncated: false, failure: undefined };
const SEARCHING: BlockHits = { ...NONE, isSearching: true };

/** Searches the blocks of a trace, and returns the hits as they arrive; none for an empty text. */
export function useBlockHits(org: string, traceId: string, text: string): BlockHits {
  const key = `${org} ${traceId} ${text}`;
  const [{ of, hits }, setState] = useState({ of: '', hits: NONE });
  useEffect(() => {
    if (text === '') return;
    const stop = new AbortController();
    const show = (changed: BlockHits) => !stop.signal.aborted && setState({ of: key, hits: changed });
    const find = async () => {
      const ids: BlockId[] = [];
      const pages = readPages((next) => {
        const params = { path: { org }, query: { trace_id: traceId, q: text, limit: PAGE, ...next } };
        return unwrapResponse(traceApi.findBlocks({ params, signal: stop.signal }));
      });
      for await (const { hits: found, page } of pages) {
        ids.push(...found.map(({ block }) => block.id));
        const isFull = ids.length >= MAX_COUNT;
        const hasMore = page.next_cursor !== null;
        show({ ids: [...ids], isSearching: hasMore && !isFull, isTruncated: hasMore && isFull, failure: undefined });
        if (isFull) return;
      }
    };
    const fail = (error: unknown) => show({ ...NONE, failure: asRequestError(error) });
    const timer = setTimeout(() => find().catch(fail), TYPING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [org, traceId, text, key]);
  if (text === '') return NONE;
  return of === key ? hits : SEARCHING;
}
