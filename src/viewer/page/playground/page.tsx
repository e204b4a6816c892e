import { useState } from 'preact/hooks';
import { useApiKey } from '../api/key.ts';
import { SERVER_URL } from '../api/store.ts';
import { useLoad } from '../api/use-loaded.ts';
import { NoEnvironments } from '../environments/no-environments.tsx';
import { NotFound } from '../environments/not-there.tsx';
import { listSplits, type ViewerSplit } from '../environments/server.ts';
import { ErrorCard } from '../parts/failure-card.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { hasNavigated, useQuery } from '../shell/location.ts';
import { SERVER_FEATURES } from '../shell/offers.ts';
import { canPlay } from './may-play.ts';
import { EpisodeView } from './play.tsx';
import { PlayNotAllowed } from './refused.tsx';
import './playground.css';

/** An episode that is played by hand; the address has the task. A link from elsewhere, or a reload, begins none by itself. */
export function PlaygroundPage() {
  const query = useQuery();
  const environment = query.get('environment') ?? '';
  const key = useApiKey();
  const [isWanted, setWanted] = useState(hasNavigated());
  // Asked first: it tells whether a key is needed, and no link starts anything before.
  const { data, failure, reload } = useLoad(
    SERVER_FEATURES.environments && environment !== '' ? environment : undefined,
    (signal) => listSplits(environment, signal),
  );
  document.title = `Play ${environment} – ors`;
  if (!SERVER_FEATURES.environments) return <NoEnvironments />;
  if (environment === '') return <NotFound what="The address names no environment." />;
  if (failure?.kind === 'missing' && !data) return <NotFound what={failure.message} />;
  if (failure && !data) return <ErrorCard failure={failure} retry={reload} />;
  if (!data) return <Skeleton lines={10} />;
  if (!canPlay(new URL(SERVER_URL).hostname, key)) return <PlayNotAllowed />;
  const split = query.get('split') ?? data.find(({ tasks }) => tasks > 0)?.name ?? '';
  const index = query.get('index') ?? '0';
  const wrong = problemWith(data, split, index);
  if (wrong !== undefined) return <NotFound what={wrong} />;
  if (!isWanted) return <Begin what={`${environment} / ${split} [${index}]`} onBegin={() => setWanted(true)} />;
  const tasks = data.find(({ name }) => name === split)?.tasks ?? 0;
  return <EpisodeView played={{ environment, split, index: Number(index) }} tasks={tasks} />;
}

function Begin({ what, onBegin }: { readonly what: string; readonly onBegin: () => void }) {
  return (
    <section class="card notice">
      <h1>{what}</h1>
      <p>An episode runs the environment's code on its server, and ends when this page is left.</p>
      <button type="button" class="primary" onClick={onBegin}>
        Begin an episode
      </button>
    </section>
  );
}

function problemWith(splits: readonly ViewerSplit[], split: string, index: string): string | undefined {
  const own = splits.find(({ name }) => name === split);
  if (!own) return `There is no split “${split}”; there are: ${splits.map(({ name }) => name).join(', ')}.`;
  if (own.tasks === 0) return `The split “${split}” has no tasks.`;
  if (!/^\d+$/.test(index) || Number(index) >= own.tasks)
    return `There is no task “${index}” in “${split}”; its tasks are 0 to ${own.tasks - 1}.`;
  return undefined;
}
