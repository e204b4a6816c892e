import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Page } from '../../../../generated/trace.ts';
import { useApiKey } from './access.ts';
import { asRequestError, type RequestError } from './request-error.ts';
import { isAbort } from './store.ts';

export interface LoadState<T> {
  /** Last loaded value; kept while it is loaded again. */
  readonly data: T | undefined;
  readonly failure: RequestError | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface LoadedState<T> {
  readonly of: string | undefined;
  readonly data?: T;
  readonly failure?: RequestError;
}

/**
 * Loads data for a component, and again whenever `subject` or the API key changes. An `undefined` subject loads
 * nothing. The previous request is cancelled.
 *
 * @param everyMs interval for loading again while the page is visible. @default 0 (never)
 */
export function useLoad<T>(
  subject: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
  { everyMs = 0 }: { readonly everyMs?: number } = {},
): LoadState<T> {
  const key = useApiKey();
  const [state, setState] = useState<LoadedState<T>>({ of: undefined });
  const [isLoading, setLoading] = useState(subject !== undefined);
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const reload = useCallback(() => setRound((previous) => previous + 1), []);

  useEffect(() => {
    if (subject === undefined) return;
    const controller = new AbortController();
    setLoading(true);
    latest
      .current(controller.signal)
      .then((data) => !controller.signal.aborted && setState({ of: subject, data }))
      .catch((error) => {
        if (controller.signal.aborted || isAbort(error)) return;
        // Keeps the data visible while the server is unreachable.
        setState((previous) => ({
          ...(previous.of === subject && previous),
          of: subject,
          failure: asRequestError(error),
        }));
      })
      .finally(() => !controller.signal.aborted && setLoading(false));
    return () => controller.abort();
  }, [subject, key, round]);

  useEffect(() => {
    if (everyMs === 0 || subject === undefined) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, subject, reload]);

  const { data, failure }: Partial<LoadedState<T>> = state.of === subject ? state : {};
  return { data, failure, isLoading, reload };
}

export interface PagedList<Item> extends LoadState<readonly Item[]> {
  readonly hasMore: boolean;
  readonly loadMore: () => void;
}

/**
 * Loads a paged list: the first page at once, the others on `loadMore`.
 *
 * @param subject identity of the list; a new subject resets it.
 * @param load requests a page; its first argument is the query parameter for the next one.
 * @param everyMs interval for reloading the first page, until a second one is loaded.
 */
export function usePagedList<Item>(
  subject: string,
  load: (next: { readonly cursor?: string }, signal: AbortSignal) => Promise<{ items: readonly Item[]; page: Page }>,
  { everyMs = 0 }: { readonly everyMs?: number } = {},
): PagedList<Item> {
  const [rest, setRest] = useState<{ items: readonly Item[]; next: string | null }>();
  const [failure, setFailure] = useState<RequestError>();
  const [isLoadingMore, setLoadingMore] = useState(false);
  const first = useLoad(subject, (signal) => load({}, signal), { everyMs: rest ? 0 : everyMs });

  const loading = useRef(new AbortController());
  useEffect(() => {
    loading.current = new AbortController();
    setRest(undefined);
    setFailure(undefined);
    setLoadingMore(false);
    return () => loading.current.abort();
  }, [subject]);

  const next = rest ? rest.next : first.data?.page.next_cursor;
  const loadMore = () => {
    if (!next || isLoadingMore) return;
    setLoadingMore(true);
    const { signal } = loading.current;
    load({ cursor: next }, signal)
      .then(({ items, page }) => {
        if (!signal.aborted) setRest({ items: [...(rest?.items ?? []), ...items], next: page.next_cursor });
      })
      .catch((error) => signal.aborted || setFailure(asRequestError(error)))
      .finally(() => signal.aborted || setLoadingMore(false));
  };
  return {
    data: first.data && [...first.data.items, ...(rest?.items ?? [])],
    failure: first.failure ?? failure,
    isLoading: first.isLoading || isLoadingMore,
    hasMore: Boolean(next),
    loadMore,
    reload: first.reload,
  };
}
