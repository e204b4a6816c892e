import { formatCount } from '../../../core/index.ts';
import { SERVER_URL } from '../api/store.ts';
import { useLoad } from '../api/use-loaded.ts';
import { ErrorCard } from '../parts/failure-card.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Snippet } from '../parts/snippet.tsx';
import { buildHref, useQuery } from '../shell/location.ts';
import { SERVER_FEATURES } from '../shell/offers.ts';
import { clientProgramText, playCommandText, rolloutCommandText } from './commands.ts';
import { NoEnvironments } from './no-environments.tsx';
import { NotFound } from './not-there.tsx';
import { EnvironmentsPage } from './page.tsx';
import { listSplits, listTools, type ViewerSplit } from './server.ts';
import { SplitTaskList } from './tasks.tsx';
import { ToolDetails } from './tools.tsx';
import './environments.css';

/** One environment: its tasks, its tools, and how to play it from elsewhere; all of them where the address names none. */
export function EnvironmentPage() {
  const environment = useQuery().get('environment') ?? '';
  return environment === '' ? <EnvironmentsPage /> : <OneEnvironment environment={environment} />;
}

function OneEnvironment({ environment }: { readonly environment: string }) {
  const query = useQuery();
  const { data, failure, reload } = useLoad(SERVER_FEATURES.environments ? environment : undefined, async (signal) => {
    const [splits, tools] = await Promise.all([listSplits(environment, signal), listTools(environment, signal)]);
    return { splits, tools };
  });
  document.title = `${environment} – ors`;
  if (!SERVER_FEATURES.environments) return <NoEnvironments />;
  if (failure?.kind === 'missing' && !data) return <NotFound what={failure.message} />;
  if (failure && !data) return <ErrorCard failure={failure} retry={reload} />;
  if (!data) return <Skeleton lines={10} />;
  const requested = query.get('split');
  const split = data.splits.find(({ name }) => name === (requested ?? data.splits[0]?.name));
  const place = { url: SERVER_URL, environment, split: split?.name ?? '' };
  return (
    <>
      <header class="row">
        <h1>
          <a href={buildHref({ view: 'environments' })}>Environments</a> / {environment}
        </h1>
      </header>
      <div class="env-columns">
        <section class="env-main">
          <h2>Tasks</h2>
          <SplitTabs {...{ environment, splits: data.splits, current: split?.name }} />
          {split ? (
            <SplitTaskList environment={environment} split={split} key={split.name} />
          ) : (
            <p class="none">There is no split “{requested}”; choose one of those above.</p>
          )}
        </section>
        <aside class="env-side">
          <section>
            <h2>Tools</h2>
            {data.tools.length === 0 && <p class="none">Its tools depend on the task: play one to see them.</p>}
            {data.tools.map((tool) => (
              <ToolDetails key={tool.name} tool={tool} />
            ))}
          </section>
          {split && (
            <section class="env-commands">
              <h2>From elsewhere</h2>
              <p>In a terminal:</p>
              <Snippet code={playCommandText(place)} />
              <p>With a model:</p>
              <Snippet code={rolloutCommandText(place)} />
              <p>From TypeScript:</p>
              <Snippet code={clientProgramText(place, data.tools[0]?.name)} />
            </section>
          )}
        </aside>
      </div>
    </>
  );
}

interface TabsProps {
  readonly environment: string;
  readonly splits: readonly ViewerSplit[];
  readonly current: string | undefined;
}

function SplitTabs({ environment, splits, current }: TabsProps) {
  return (
    <nav class="env-tabs" aria-label="Splits">
      {splits.map(({ name, type, tasks }) => (
        <a
          key={name}
          href={buildHref({ view: 'environment', environment, split: name })}
          {...(name === current && { 'aria-current': 'page' as const })}
        >
          {name}
          <small>
            {type !== name && `${type} · `}
            {formatCount(tasks)}
          </small>
        </a>
      ))}
    </nav>
  );
}
