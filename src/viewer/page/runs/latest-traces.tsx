import type { ComponentChildren } from 'preact';
import { useOrganization } from '../api/access.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad } from '../api/use-loaded.ts';
import { TraceTable } from '../parts/trace-table.tsx';

const POLL_MS = 1_000;

/** The newest traces, of whatever run and of none. */
export function LatestTraces({ orElse }: { readonly orElse: ComponentChildren }) {
  const org = useOrganization();
  const { data } = useLoad(
    'latest',
    (signal) => unwrapResponse(traceApi.listTraces({ params: { path: { org }, query: { limit: 20 } }, signal })),
    { everyMs: POLL_MS },
  );
  if (!data) return null;
  if (data.traces.length === 0) return <>{orElse}</>;
  return (
    <section class="stack">
      <h2>Latest traces</h2>
      <TraceTable traces={data.traces} />
    </section>
  );
}
