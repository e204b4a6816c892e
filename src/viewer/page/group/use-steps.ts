import { useEffect, useState } from 'preact/hooks';
import { mapConcurrent } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { asRequestError, type RequestError } from '../api/failure.ts';
import { isAbort } from '../api/store.ts';
import type { GroupView } from './load-group.ts';
import { loadSteps, type TraceSteps } from './load-steps.ts';

/** A server has others to answer too. */
const AT_ONCE = 4;
/** Columns that come together are aligned together. */
const GATHER_MS = 300;

export interface LoadedSteps {
  /** By trace. */
  readonly steps: ReadonlyMap<string, TraceSteps>;
  readonly failure: RequestError | undefined;
}

/** Reads the steps of all members, those on the left first; what has not changed since is kept. */
export function useSteps(members: GroupView['members']): LoadedSteps {
  const org = useOrganization();
  const [loaded, setLoaded] = useState<LoadedSteps>({ steps: new Map(), failure: undefined });
  const version = members.map(({ trace }) => `${trace.id} ${trace.block_count}`).join(' ');
  useEffect(() => {
    const stop = new AbortController();
    const steps = new Map<string, TraceSteps>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      setLoaded((before) => ({ steps: new Map([...before.steps, ...steps]), failure: undefined }));
    };
    const load = async ({ trace }: GroupView['members'][number], signal: AbortSignal) => {
      steps.set(trace.id, await loadSteps(org, trace, signal));
      timer ??= setTimeout(show, GATHER_MS);
    };
    mapConcurrent(members, AT_ONCE, load, stop.signal).catch((error) => {
      if (!stop.signal.aborted && !isAbort(error))
        setLoaded((before) => ({ ...before, failure: asRequestError(error) }));
    });
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [org, version]);
  return loaded;
}
