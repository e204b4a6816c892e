import { useEffect, useState } from 'preact/hooks';
import type { BlockHitList, BlockId } from '../../../../generated/trace.ts';
import { asRequestError, type RequestError } from '../api/failure.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';

const TYPING_MS = 250;
const PAGE = 200;
/** Nobody steps through more. */
const MAX_COUNT = 5_000;

export interface BlockHits {
  /** Blocks that hold the text, in the order of their writing. */
  readonly ids: readonly BlockId[];
  readonly isSearching: boolean;
  /** Whether there may be more than were looked for. */
  readonly isCut: boolean;
  readonly failure: RequestError | undefined;
}

const NONE: BlockHits = { ids: [], isSearching: false, isCut: false, failure: undefined };
const SEARCHING: BlockHits = { ...NONE, isSearching: true };

/** The blocks of a trace that hold a text, as they are found; none for no text. */
export function useBlockHits(org: string, traceId: string, text: string): BlockHits {
  const key = `${org} ${traceId} ${text}`;
  const [{ of, hits }, setState] = useState({ of: '', hits: NONE });
  useEffect(() => {
    if (text === '') return;
    const stop = new AbortController();
    const show = (changed: BlockHits) => !stop.signal.aborted && setState({ of: key, hits: changed });
    const timer = setTimeout(
      () =>
        find({ org, traceId, text }, stop.signal, show).catch((error) =>
          show({ ...NONE, failure: asRequestError(error) }),
        ),
      TYPING_MS,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [org, traceId, text, key]);
  if (text === '') return NONE;
  return of === key ? hits : SEARCHING;
}

interface HitSearch {
  readonly org: string;
  readonly traceId: string;
  readonly text: string;
}

async function find(
  { org, traceId, text }: HitSearch,
  signal: AbortSignal,
  show: (hits: BlockHits) => void,
): Promise<void> {
  const ids: BlockId[] = [];
  let cursor: string | null = null;
  do {
    const page: { cursor?: string } = cursor === null ? {} : { cursor };
    const query = { trace_id: traceId, q: text, limit: PAGE, ...page };
    const found: BlockHitList = await unwrapResponse(traceApi.findBlocks({ params: { path: { org }, query }, signal }));
    ids.push(...found.hits.map(({ block }) => block.id));
    cursor = found.page.next_cursor;
    const isSearching = cursor !== null && ids.length < MAX_COUNT;
    show({ ids: [...ids], isSearching, isCut: cursor !== null && !isSearching, failure: undefined });
  } while (cursor !== null && ids.length < MAX_COUNT);
}
