import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { asRequestError, type RequestError } from './failure.ts';
import { useApiKey } from './key.ts';
import { isAbort } from './store.ts';

export interface LoadState<T> {
  /** What was loaded last, also while it is loaded anew. */
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
 * Loads what a component shows, anew whenever `subject` or the API key changes; undefined loads nothing.
 *
 * @param everyMs loads it again after this time, while the page is looked at; 0 never does. Default: 0.
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
  const reload = useCallback(() => setRound((before) => before + 1), []);

  useEffect(() => {
    if (subject === undefined) return;
    const stop = new AbortController();
    setLoading(true);
    latest
      .current(stop.signal)
      .then((data) => !stop.signal.aborted && setState({ of: subject, data }))
      .catch((error) => {
        if (stop.signal.aborted || isAbort(error)) return;
        // What was there stays in sight while its server is away.
        setState((before) => ({ ...(before.of === subject && before), of: subject, failure: asRequestError(error) }));
      })
      .finally(() => !stop.signal.aborted && setLoading(false));
    return () => stop.abort();
  }, [subject, key, round]);

  useEffect(() => {
    if (everyMs === 0 || subject === undefined) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, subject, reload]);

  const isCurrent = state.of === subject;
  return {
    data: isCurrent ? state.data : undefined,
    failure: isCurrent ? state.failure : undefined,
    isLoading,
    reload,
  };
}
