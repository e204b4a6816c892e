import { useEffect, useRef, useState } from 'preact/hooks';
import type { Page } from '../../../../generated/trace.ts';
import { asRequestError, type RequestError } from './failure.ts';
import { useLoad } from './use-loaded.ts';

export interface PagedList<Item> {
  readonly items: readonly Item[] | undefined;
  readonly failure: RequestError | undefined;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly reload: () => void;
}

/**
 * A list that comes in pages: the first by itself, the next ones when `more` is called.
 *
 * @param subject what the list is of; another one begins anew.
 * @param everyMs reads the first page again after this time, as long as it is the only one.
 */
export function usePagedList<Item>(
  subject: string,
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<{ items: readonly Item[]; page: Page }>,
  { everyMs = 0 }: { readonly everyMs?: number } = {},
): PagedList<Item> {
  const [rest, setRest] = useState<{ items: readonly Item[]; next: string | null }>();
  const [failure, setFailure] = useState<RequestError>();
  const [isLoadingMore, setLoadingMore] = useState(false);
  const first = useLoad(subject, (signal) => load(undefined, signal), { everyMs: rest ? 0 : everyMs });

  const loading = useRef(new AbortController());
  useEffect(() => {
    loading.current = new AbortController();
    setRest(undefined);
    setFailure(undefined);
    setLoadingMore(false);
    return () => loading.current.abort();
  }, [subject]);

  const next = rest ? rest.next : first.data?.page.next_cursor;
  const more = () => {
    if (!next || isLoadingMore) return;
    setLoadingMore(true);
    const { signal } = loading.current;
    load(next, signal)
      .then(({ items, page }) => {
        if (!signal.aborted) setRest({ items: [...(rest?.items ?? []), ...items], next: page.next_cursor });
      })
      .catch((error) => signal.aborted || setFailure(asRequestError(error)))
      .finally(() => signal.aborted || setLoadingMore(false));
  };
  return {
    items: first.data && [...first.data.items, ...(rest?.items ?? [])],
    failure: first.failure ?? failure,
    isLoading: first.isLoading || isLoadingMore,
    hasMore: Boolean(next),
    loadMore: more,
    reload: first.reload,
  };
}
