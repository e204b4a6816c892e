import { useState } from 'preact/hooks';
import type { Run } from '../../../../generated/trace.ts';
import { formatBytes, formatCount, plural, sum } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { usePagedList } from '../api/use-pages.ts';
import { formatDecimal } from '../parts/amounts.ts';
import { ErrorCard } from '../parts/failure-card.tsx';
import { LoadMore } from '../parts/more.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { formatStatusCounts } from '../parts/status.tsx';
import { RelativeTime } from '../parts/time.tsx';
import { VisibleText } from '../payload/shown.tsx';
import { buildHref, navigate, useQuery, withQuery } from '../shell/location.ts';
import { EmptyRuns } from './first-trace.tsx';
import { LatestTraces } from './latest-traces.tsx';
import './runs.css';

/** A first trace appears this fast, an idle page costs little. */
const POLL_EMPTY_MS = 700;
const POLL_MS = 4_000;

/** All runs, those that changed last first. */
export function RunsPage() {
  const org = useOrganization();
  const q = useQuery().get('q') ?? '';
  const [isEmpty, setEmpty] = useState(true);
  const { items, failure, isLoading, hasMore, loadMore, reload } = usePagedList(
    `runs ${q}`,
    async (cursor, signal) => {
      const query = { limit: 100, ...(q !== '' && { q }), ...(cursor !== undefined && { cursor }) };
      const { runs, page } = await unwrapResponse(traceApi.listRuns({ params: { path: { org }, query }, signal }));
      setEmpty(runs.length === 0);
      return { items: runs, page };
    },
    { everyMs: isEmpty ? POLL_EMPTY_MS : POLL_MS },
  );
  document.title = 'Runs – ors';
  if (failure && !items) return <ErrorCard failure={failure} retry={reload} />;
  if (!items) return <Skeleton lines={8} />;
  return (
    <>
      <header class="row">
        <h1>Runs</h1>
        <span class="spring" />
        <input
          type="search"
          aria-label="Search runs"
          placeholder="Search runs"
          value={q}
          onInput={(event) => navigate(withQuery({ q: event.currentTarget.value || undefined }), { replace: true })}
        />
      </header>
      {failure && (
        <p class="banner" role="alert">
          Not up to date: {failure.message}
        </p>
      )}
      {items.length > 0 && <RunTable runs={items} />}
      {items.length > 0 && (
        <LoadMore shown={plural(items.length, 'run')} hasMore={hasMore} isLoading={isLoading} onMore={loadMore} />
      )}
      {items.length === 0 && q !== '' && (
        <p class="none">
          No run has “{q}” in its name. <a href={withQuery({ q: undefined })}>Show all runs</a>
        </p>
      )}
      {q === '' && <LatestTraces orElse={items.length === 0 ? <EmptyRuns /> : null} />}
    </>
  );
}

function RunTable({ runs }: { readonly runs: readonly Run[] }) {
  return (
    <div class="scroll-x">
      <table class="runs">
        <thead>
          <tr>
            <th>Run</th>
            <th class="number">Traces</th>
            <th class="wide">Status</th>
            <th class="number">Mean reward</th>
            <th class="number wide">± std</th>
            <th class="number widest">Range</th>
            <th class="number wide">With errors</th>
            <th class="number widest">Blocks</th>
            <th class="number wide">Size</th>
            <th class="wide">Changed</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.run}>
              <td class="name">
                <a href={buildHref({ view: 'run', run: run.run })}>
                  <VisibleText text={run.run} />
                </a>
              </td>
              <td class="number">{formatCount(run.trace_count)}</td>
              <td class="wide">
                <Progress run={run} />
              </td>
              <td class="number strong">{formatDecimal(run.reward.mean)}</td>
              <td class="number wide">{formatDecimal(run.reward.std)}</td>
              <td class="number widest">
                {run.reward.count === 0
                  ? '–'
                  : `${formatDecimal(run.reward.min, 2)} … ${formatDecimal(run.reward.max, 2)}`}
              </td>
              <td class="number wide">{run.error_count === 0 ? '–' : share(run.error_count, run.trace_count)}</td>
              <td class="number widest">{formatCount(run.block_count)}</td>
              <td class="number wide">{formatBytes(run.bytes)}</td>
              <td class="wide">
                <RelativeTime at={run.last_updated_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const share = (part: number, whole: number) => `${formatCount(part)} (${((100 * part) / whole).toFixed(0)} %)`;

/** How many traces have come to an end, and how many failed, as a bar and in words. */
function Progress({ run: { status, trace_count } }: { readonly run: Run }) {
  const parts = (['finished', 'error', 'abandoned', 'running'] as const).filter((name) => status[name] > 0);
  const words = formatStatusCounts(status, parts);
  return (
    <svg class="progress" viewBox={`0 0 ${trace_count} 1`} preserveAspectRatio="none" role="img" aria-label={words}>
      <title>{words}</title>
      {parts.map((name, index) => (
        <rect
          key={name}
          class={`fill-${name}`}
          x={sum(parts.slice(0, index).map((before) => status[before]))}
          y={0}
          width={status[name]}
          height={1}
        />
      ))}
    </svg>
  );
}
