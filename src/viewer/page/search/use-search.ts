import { useEffect, useState } from 'preact/hooks';
import type { BlockHit, BlockHitList } from '../../../../generated/trace.ts';
import { useApiKey, useOrganization } from '../api/access.ts';
import { asRequestError, type RequestError } from '../api/request-error.ts';
import { isAbort, traceApi, unwrapResponse } from '../api/store.ts';
import { hasSearchTerm, type SearchQuery } from './query.ts';

const PAGE = 100;
/** Number of hits and time after which the search pauses. */
const HITS = 200;
const SEARCH_MS = 20_000;
/** Waits while the user is typing. */
const TYPING_MS = 250;

interface SearchProgress {
  /** Search that the hits belong to; empty for none. */
  readonly of: string;
  readonly hits: readonly BlockHit[];
  /** null if everything was searched. */
  readonly cursor?: string | null;
  readonly isSearching: boolean;
  readonly failure?: RequestError;
}

const emptyProgress = (of: string): SearchProgress => ({ of, hits: [], isSearching: of !== '' });

export type SearchState = ReturnType<typeof useSearch>;

/** Searches page by page, including empty pages, until there are enough hits or it is stopped. */
export function useSearch(requested: SearchQuery) {
  const org = useOrganization();
  const key = useApiKey();
  const subject = hasSearchTerm(requested) ? JSON.stringify([org, key, requested]) : '';
  const [state, setState] = useState(emptyProgress(subject));
  const [round, setRound] = useState(0);
  const [running, setRunning] = useState<AbortController>();
  const current = state.of === subject ? state : emptyProgress(subject);

  useEffect(() => {
    if (subject === '') return;
    const stop = new AbortController();
    setRunning(stop);
    const begin = current;
    setState({ ...begin, isSearching: true });
    const timer = setTimeout(
      () => searchPages(org, requested, begin, stop.signal, setState),
      begin.hits.length > 0 ? 0 : TYPING_MS,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [subject, round]);

  return {
    ...current,
    isDone: current.cursor === null,
    stop() {
      running?.abort();
      setState((before) => ({ ...before, isSearching: false }));
    },
    continueSearch: () => setRound(round + 1),
  };
}

async function searchPages(
  org: string,
  requested: SearchQuery,
  begin: SearchProgress,
  signal: AbortSignal,
  show: (state: SearchProgress) => void,
): Promise<void> {
  const until = performance.now() + SEARCH_MS;
  const { failure: _, ...before } = begin;
  let state: SearchProgress = { ...before, isSearching: true };
  try {
    while (state.cursor !== null) {
      const query = { ...requested, limit: PAGE, ...(state.cursor !== undefined && { cursor: state.cursor }) };
      const response: BlockHitList = await unwrapResponse(
        traceApi.findBlocks({ params: { path: { org }, query }, signal }),
      );
      if (signal.aborted) return;
      const hits = [...state.hits, ...response.hits];
      const cursor = response.page.next_cursor;
      const isEnough = hits.length >= begin.hits.length + HITS || performance.now() > until;
      state = { ...state, hits, cursor, isSearching: cursor !== null && !isEnough };
      show(state);
      if (!state.isSearching) return;
    }
    show({ ...state, isSearching: false });
  } catch (error) {
    if (!signal.aborted && !isAbort(error)) show({ ...state, isSearching: false, failure: asRequestError(error) });
  }
}
