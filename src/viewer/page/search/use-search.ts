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

export interface SearchState {
  readonly hits: readonly BlockHit[];
  readonly isSearching: boolean;
  /** Set if everything was searched. */
  readonly isDone: boolean;
  readonly failure: RequestError | undefined;
  readonly stop: () => void;
  readonly continueSearch: () => void;
}

interface SearchProgress {
  readonly of: string;
  readonly hits: readonly BlockHit[];
  readonly cursor: string | null | undefined;
  readonly isSearching: boolean;
  readonly failure?: RequestError;
}

const nothing = (of: string, isSearching: boolean): SearchProgress => ({
  of,
  hits: [],
  cursor: undefined,
  isSearching,
});

/** Searches page by page, including empty pages, until there are enough hits or it is stopped. */
export function useSearch(requested: SearchQuery): SearchState {
  const org = useOrganization();
  const key = useApiKey();
  const subject = hasSearchTerm(requested) ? JSON.stringify([org, key, requested]) : '';
  const [state, setState] = useState<SearchProgress>(nothing(subject, subject !== ''));
  const [round, setRound] = useState(0);
  const [running, setRunning] = useState<AbortController>();
  const current = state.of === subject ? state : nothing(subject, subject !== '');

  useEffect(() => {
    if (subject === '') return;
    const stop = new AbortController();
    setRunning(stop);
    const begin = current;
    setState({ ...begin, isSearching: true });
    const timer = setTimeout(
      () => readOn(org, requested, begin, stop.signal, setState),
      begin.hits.length > 0 ? 0 : TYPING_MS,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [subject, round]);

  return {
    hits: current.hits,
    isSearching: current.isSearching,
    isDone: current.cursor === null,
    failure: current.failure,
    stop() {
      running?.abort();
      setState((before) => ({ ...before, isSearching: false }));
    },
    continueSearch: () => setRound(round + 1),
  };
}

async function readOn(
  org: string,
  requested: SearchQuery,
  begin: SearchProgress,
  signal: AbortSignal,
  show: (state: SearchProgress) => void,
): Promise<void> {
  const until = performance.now() + SEARCH_MS;
  let state: SearchProgress = { of: begin.of, hits: begin.hits, cursor: begin.cursor, isSearching: true };
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
