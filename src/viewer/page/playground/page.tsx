import { useState } from 'preact/hooks';
import { shellQuote } from '../../../core/index.ts';
import { SERVER_FEATURES, useApiKey } from '../api/access.ts';
import { hasNavigated, useQuery } from '../api/location.ts';
import { SERVER_URL } from '../api/store.ts';
import { useLoad } from '../api/use-load.ts';
import { NoEnvironments, NotFound } from '../environments/notices.tsx';
import { listSplits, type ViewerSplit } from '../environments/server.ts';
import { Button, Snippet } from '../parts/buttons.tsx';
import { Loaded } from '../parts/states.tsx';
import { EpisodeView } from './play.tsx';
import { canPlay } from './task.ts';
import './playground.css';

/**
 * Plays an episode by hand; the address names the task. After a reload, or for a link from elsewhere, the user has to
 * start it.
 */
export function PlaygroundPage() {
  const query = useQuery();
  const environment = query.get('environment') ?? '';
  const key = useApiKey();
  const [isStarted, setStarted] = useState(hasNavigated());
  // Requested first, because it shows whether a key is required and starts nothing.
  const loaded = useLoad(SERVER_FEATURES.environments && environment !== '' ? environment : undefined, (signal) =>
    listSplits(environment, signal),
  );
  document.title = `Play ${environment} – ors`;
  if (!SERVER_FEATURES.environments) return <NoEnvironments />;
  if (environment === '') return <NotFound what="The address names no environment." />;
  if (loaded.failure?.kind === 'missing' && !loaded.data) return <NotFound what={loaded.failure.message} />;
  return (
    <Loaded state={loaded} lines={10}>
      {(splits) => {
        if (!canPlay(new URL(SERVER_URL).hostname, key)) return <PlayNotAllowed />;
        const split = query.get('split') ?? splits.find(({ tasks }) => tasks > 0)?.name ?? '';
        const index = query.get('index') ?? '0';
        const problem = validateTask(splits, split, index);
        if (problem !== undefined) return <NotFound what={problem} />;
        if (!isStarted)
          return <StartCard what={`${environment} / ${split} [${index}]`} onStart={() => setStarted(true)} />;
        const tasks = splits.find(({ name }) => name === split)?.tasks ?? 0;
        return <EpisodeView played={{ environment, split, index: Number(index) }} tasks={tasks} />;
      }}
    </Loaded>
  );
}

function StartCard({ what, onStart }: { readonly what: string; readonly onStart: () => void }) {
  return (
    <section class="card notice">
      <h1>{what}</h1>
      <p>An episode runs the environment's code on its server. It ends when you leave this page.</p>
      <Button class="primary" onClick={onStart}>
        Start an episode
      </Button>
    </section>
  );
}

/** Returns why there is no such task; undefined if there is. */
function validateTask(splits: readonly ViewerSplit[], split: string, index: string): string | undefined {
  const match = splits.find(({ name }) => name === split);
  if (!match) return `Unknown split “${split}”. Splits: ${splits.map(({ name }) => name).join(', ')}.`;
  if (match.tasks === 0) return `The split “${split}” has no tasks.`;
  if (!/^\d+$/.test(index) || Number(index) >= match.tasks)
    return `Unknown task “${index}” in “${split}”. Its tasks are 0 to ${match.tasks - 1}.`;
  return undefined;
}

/** Explains why this page may not play here, and the alternatives. */
function PlayNotAllowed() {
  const { hostname, port: explicitPort } = new URL(SERVER_URL);
  const port = explicitPort || '80';
  return (
    <section class="card notice">
      <h2>Playing from another machine requires a key</h2>
      <p>
        This page comes from <code>{hostname}</code>, and the server does not require a key: anyone could start episodes
        on it by a link. Start the server with keys, and enter one here:
      </p>
      <Snippet code="ORS_API_KEYS=me:a-long-random-key npx ors-kit serve environment.ts --host 0.0.0.0" />
      <p>Or use an SSH tunnel to its machine:</p>
      <Snippet code={`ssh -L ${port}:127.0.0.1:${port} ${shellQuote(hostname)}`} />
    </section>
  );
}
