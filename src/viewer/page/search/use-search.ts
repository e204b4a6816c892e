import { useEffect, useState } from 'preact/hooks';
import type { SearchHit, SearchResults, Trace } from '../../../../generated/trace.ts';
import { useApiKey, useOrganization } from '../api/access.ts';
import { asRequestError, type RequestError } from '../api/request-error.ts';
import { isAbort, traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad } from '../api/use-load.ts';
import type { FieldValues } from './query.ts';

const PAGE = 100;
/** Time after which the search pauses. */
const SEARCH_MS = 20_000;
/** Waits while the user is typing. */
const TYPING_MS = 250;

interface SearchProgress {
  /** Search that the results belong to; empty for none. */
  readonly of: string;
  readonly hits: readonly SearchHit[];
  /** Traces of the hits by id, or the traces that were found. */
  readonly traces: ReadonlyMap<string, Trace>;
  /** null if everything was searched. */
  readonly cursor?: string | null;
  readonly isSearching: boolean;
  readonly failure?: RequestError;
}

const emptyProgress = (of: string): SearchProgress => ({
  of,
  hits: [],
  traces: new Map(),
  isSearching: of !== '',
});

export type SearchState = ReturnType<typeof useSearch>;

/**
 * Searches page by page, including empty pages, until there are enough results or it is stopped.
 *
 * @param query undefined searches nothing.
 * @param max number of results after which the search pauses.
 * @param order order of traces; undefined searches blocks.
 */
export function useSearch(query: string | undefined, max: number, order: TraceOrder | undefined) {
  const org = useOrganization();
  const key = useApiKey();
  const subject = query === undefined ? '' : JSON.stringify([org, key, query, order]);
  const [state, setState] = useState(emptyProgress(subject));
  const [round, setRound] = useState(0);
  const [running, setRunning] = useState<AbortController>();
  const current = state.of === subject ? state : emptyProgress(subject);

  useEffect(() => {
    if (query === undefined) return;
    const stop = new AbortController();
    setRunning(stop);
    const begin = current;
    setState({ ...begin, isSearching: true });
    const search = () => searchPages({ org, query, max, order }, begin, stop.signal, setState);
    const timer = setTimeout(search, begin.traces.size > 0 ? 0 : TYPING_MS);
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
    /** Removes or replaces traces after they were changed. */
    change: (update: (traces: ReadonlyMap<string, Trace>) => ReadonlyMap<string, Trace>) =>
      setState((before) => ({ ...before, traces: update(before.traces) })),
  };
}

/** Order of traces; `score:<name>` sorts by the mean of the scores with the name. */
export interface TraceOrder {
  readonly sort: string;
  readonly order: 'asc' | 'desc';
}

interface SearchRequest {
  readonly org: string;
  readonly query: string;
  readonly max: number;
  readonly order: TraceOrder | undefined;
}

async function searchPages(
  { org, query: text, max, order }: SearchRequest,
  begin: SearchProgress,
  signal: AbortSignal,
  show: (state: SearchProgress) => void,
): Promise<void> {
  const until = performance.now() + SEARCH_MS;
  const { failure: _, ...before } = begin;
  let state: SearchProgress = { ...before, isSearching: true };
  let count = 0;
  try {
    while (state.cursor !== null) {
      const query = { query: text, limit: PAGE, ...(state.cursor !== undefined && { cursor: state.cursor }) };
      const path = { org };
      const found: SearchResults = order
        ? {
            hits: [],
            ...(await unwrapResponse(traceApi.listTraces({ params: { path, query: { ...query, ...order } }, signal }))),
          }
        : await unwrapResponse(traceApi.search({ params: { path, query }, signal }));
      if (signal.aborted) return;
      const cursor = found.page.next_cursor;
      count += found.hits.length || found.traces.length;
      const isEnough = count >= max || performance.now() > until;
      state = {
        ...state,
        hits: [...state.hits, ...found.hits],
        traces: new Map([...state.traces, ...found.traces.map((trace) => [trace.id, trace] as const)]),
        cursor,
        isSearching: cursor !== null && !isEnough,
      };
      show(state);
      if (!state.isSearching) return;
    }
    show({ ...state, isSearching: false });
  } catch (error) {
    if (!signal.aborted && !isAbort(error)) show({ ...state, isSearching: false, failure: asRequestError(error) });
  }
}

/** Number of runs, traces and calls whose values are offered. */
const SEEN = 200;

/** Loads values that completions offer, of the newest runs, traces and calls. */
export function useFieldValues(isNeeded: boolean): FieldValues {
  const org = useOrganization();
  const path = { org };
  const { data } = useLoad(isNeeded ? `values ${org}` : undefined, async (signal): Promise<FieldValues> => {
    const [{ runs }, { traces }, { hits }] = await Promise.all([
      unwrapResponse(traceApi.listRuns({ params: { path, query: { limit: SEEN } }, signal })),
      unwrapResponse(traceApi.listTraces({ params: { path, query: { limit: SEEN } }, signal })),
      unwrapResponse(traceApi.search({ params: { path, query: { query: 'kind:call', limit: SEEN } }, signal })),
    ]);
    const distinct = (values: readonly (string | null)[]) =>
      [...new Set(values.flatMap((value) => value ?? []))].sort();
    return {
      run: runs.map(({ run }) => run),
      model: distinct(traces.map(({ model }) => model)),
      env: distinct(traces.map(({ environment }) => environment)),
      split: distinct(traces.map(({ split }) => split)),
      tag: distinct(traces.flatMap(({ tags }) => tags)),
      tool: distinct(hits.map(({ tool }) => tool)),
      ...metadataValues(traces),
    };
  });
  return data ?? {};
}

/** Returns short values of metadata by key, such as `meta.level`. */
function metadataValues(traces: readonly Trace[]): FieldValues {
  const values = new Map<string, Set<string>>();
  for (const { metadata } of traces) {
    for (const [key, value] of Object.entries(metadata)) {
      if (typeof value === 'object' || String(value).length > 60 || /[\s":]/.test(key)) continue;
      const name = `meta.${key}`;
      values.set(name, (values.get(name) ?? new Set()).add(String(value)));
    }
  }
  return Object.fromEntries([...values].map(([name, seen]) => [name, [...seen].sort()]));
}
