import { useEffect, useState } from 'preact/hooks';
import type { RunStats } from '../../../../generated/trace.ts';
import { useOrganization } from '../api/access.ts';
import { RequestError } from '../api/failure.ts';
import { useLoad } from '../api/use-loaded.ts';
import { ErrorCard } from '../parts/failure-card.tsx';
import { IgnoredParams } from '../parts/ignored.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { VisibleText } from '../payload/shown.tsx';
import { buildHref, navigate, useQuery, withQuery } from '../shell/location.ts';
import { ExportLinks } from './exports.tsx';
import { readTraceFilters, unknownFilterParams } from './filters.ts';
import { RunGroups } from './groups.tsx';
import { RewardHistogram } from './histogram.tsx';
import { hasPath, loadStats } from './load-stats.ts';
import { RunSummary } from './numbers.tsx';
import { RewardSteps } from './reward-steps.tsx';
import { addFilterChoices, NO_CHOICES } from './tasks.ts';
import { RunTraceList } from './traces.tsx';
import './run.css';

const POLL_LIVE_MS = 2_000;
const POLL_MS = 10_000;
/** Of more traces, the groups alone are hundreds of kilobytes. */
const MANY_TRACES = 2_000;

/** One run: its rewards by step, its groups and its traces. */
export function RunPage() {
  const org = useOrganization();
  const run = useQuery().get('run') ?? '';
  const [everyMs, setEveryMs] = useState(POLL_LIVE_MS);
  const { data, failure, reload } = useLoad(run === '' ? undefined : run, (signal) => loadStats(org, run, signal), {
    everyMs,
  });
  const isLive = (data?.run.status.running ?? 0) > 0;
  const isFast = isLive && (data?.run.trace_count ?? 0) <= MANY_TRACES;
  useEffect(() => setEveryMs(isFast ? POLL_LIVE_MS : POLL_MS), [isFast]);
  document.title = `${run} – ors`;
  if (run === '') return <NoRun />;
  if (failure && !data) return <ErrorCard failure={failure} retry={reload} />;
  if (!data) return <Skeleton lines={12} />;
  return (
    <>
      {failure && (
        <p class="banner" role="alert">
          Not up to date: {failure.message}
        </p>
      )}
      <Run key={run} stats={data} isLive={isLive} />
    </>
  );
}

function NoRun() {
  return (
    <ErrorCard
      failure={new RequestError('missing', 0, 'the address names no run')}
      retry={() => navigate(buildHref({ view: 'runs' }))}
    />
  );
}

function Run({ stats, isLive }: { readonly stats: RunStats; readonly isLive: boolean }) {
  const query = useQuery();
  const filters = readTraceFilters(query);
  const [known, setKnown] = useState(NO_CHOICES);
  const change = (changes: Parameters<typeof withQuery>[0]) => navigate(withQuery(changes), { replace: true });
  const { run } = stats;
  return (
    <>
      <header class="row">
        <h1 class="run-name">
          <VisibleText text={run.run} />
        </h1>
        {isLive && <span class="run-live">live</span>}
        <span class="spring" />
        <a href={buildHref({ view: 'search', run: run.run })}>Search in it</a>
        {hasPath(run.run) && <ExportLinks run={run.run} filters={filters} />}
      </header>
      <IgnoredParams names={unknownFilterParams(query)} />
      <RunSummary run={run} />
      {hasPath(run.run) ? (
        <div class="run-charts">
          <RewardSteps steps={stats.steps} chosen={filters.step} onChoose={(step) => change({ step })} />
          <RewardHistogram stats={stats} filters={filters} onChange={change} />
        </div>
      ) : (
        <p class="banner">
          No path of a URL can have the name “{run.run}”, so its charts and exports cannot be asked for. Its traces are
          below; each can be exported by itself. Log under another name to have them all.
        </p>
      )}
      <RunGroups
        run={run.run}
        filters={filters}
        version={run.last_updated_at}
        onKnown={(groups) => setKnown((before) => addFilterChoices(before, groups))}
      />
      <RunTraceList stats={stats} filters={filters} known={known} isLive={isLive} onChange={change} />
    </>
  );
}
