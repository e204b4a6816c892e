import { useState } from 'preact/hooks';
import { useApiKey } from '../api/key.ts';
import { SERVER } from '../api/store.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { NoEnvironments } from '../environments/no-environments.tsx';
import { NotThere } from '../environments/not-there.tsx';
import { type CountedSplit, listSplits } from '../environments/server.ts';
import { FailureCard } from '../parts/failure-card.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { hasNavigated, useQuery } from '../shell/location.ts';
import { OFFERS } from '../shell/offers.ts';
import { mayPlay } from './may-play.ts';
import { Play } from './play.tsx';
import { NotHere } from './refused.tsx';
import './playground.css';

/** An episode that is played by hand; the address has the task. A link from elsewhere, or a reload, begins none by itself. */
export function PlaygroundPage() {
  const query = useQuery();
  const environment = query.get('environment') ?? '';
  const key = useApiKey();
  const [isWanted, setWanted] = useState(hasNavigated());
  // Asked first: it tells whether a key is needed, and no link starts anything before.
  const { data, failure, reload } = useLoaded(
    OFFERS.environments && environment !== '' ? environment : undefined,
    (signal) => listSplits(environment, signal),
  );
  document.title = `Play ${environment} – ors`;
  if (!OFFERS.environments) return <NoEnvironments />;
  if (environment === '') return <NotThere what="The address names no environment." />;
  if (failure?.kind === 'missing' && !data) return <NotThere what={failure.message} />;
  if (failure && !data) return <FailureCard failure={failure} retry={reload} />;
  if (!data) return <Skeleton lines={10} />;
  if (!mayPlay(new URL(SERVER).hostname, key)) return <NotHere />;
  const split = query.get('split') ?? data.find(({ tasks }) => tasks > 0)?.name ?? '';
  const index = query.get('index') ?? '0';
  const wrong = problemWith(data, split, index);
  if (wrong !== undefined) return <NotThere what={wrong} />;
  if (!isWanted) return <Begin what={`${environment} / ${split} [${index}]`} onBegin={() => setWanted(true)} />;
  const tasks = data.find(({ name }) => name === split)?.tasks ?? 0;
  return <Play played={{ environment, split, index: Number(index) }} tasks={tasks} />;
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

function problemWith(splits: readonly CountedSplit[], split: string, index: string): string | undefined {
  const own = splits.find(({ name }) => name === split);
  if (!own) return `There is no split “${split}”; there are: ${splits.map(({ name }) => name).join(', ')}.`;
  if (own.tasks === 0) return `The split “${split}” has no tasks.`;
  if (!/^\d+$/.test(index) || Number(index) >= own.tasks)
    return `There is no task “${index}” in “${split}”; its tasks are 0 to ${own.tasks - 1}.`;
  return undefined;
}
