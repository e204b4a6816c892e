import { plural } from '../../../core/index.ts';
import { useLoad } from '../api/use-loaded.ts';
import { ErrorCard } from '../parts/failure-card.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { buildHref, navigate, useQuery, withQuery } from '../shell/location.ts';
import { SERVER_FEATURES } from '../shell/offers.ts';
import { NoEnvironments } from './no-environments.tsx';
import { listEnvironments, listSplits, listTools } from './server.ts';
import './environments.css';

/** So many can be found without searching. */
const FEW = 8;

/** What this server hosts. */
export function EnvironmentsPage() {
  const { data, failure, reload } = useLoad(
    SERVER_FEATURES.environments ? 'environments' : undefined,
    listEnvironments,
  );
  const q = useQuery().get('q') ?? '';
  document.title = 'Environments – ors';
  if (!SERVER_FEATURES.environments) return <NoEnvironments />;
  if (failure && !data) return <ErrorCard failure={failure} retry={reload} />;
  if (!data) return <Skeleton lines={6} />;
  const shown = data.filter((name) => name.toLowerCase().includes(q.toLowerCase()));
  return (
    <>
      <header class="row">
        <h1>Environments</h1>
        <span class="spring" />
        {data.length > FEW && (
          <input
            type="search"
            aria-label="Search environments"
            placeholder="Search environments"
            value={q}
            onInput={(event) => navigate(withQuery({ q: event.currentTarget.value || undefined }), { replace: true })}
          />
        )}
      </header>
      {shown.length === 0 && (
        <p class="none">
          No environment has “{q}” in its name. <a href={withQuery({ q: undefined })}>Show all environments</a>
        </p>
      )}
      <div class="env-cards">
        {shown.map((name) => (
          <EnvironmentCard key={name} name={name} />
        ))}
      </div>
    </>
  );
}

function EnvironmentCard({ name }: { readonly name: string }) {
  const { data, failure, reload } = useLoad(name, async (signal) => {
    const [splits, tools] = await Promise.all([listSplits(name, signal), listTools(name, signal)]);
    return { splits, tools };
  });
  const [first] = data?.splits.filter(({ tasks }) => tasks > 0) ?? [];
  return (
    <section class="card env-card">
      <header class="row">
        <h2>
          <a href={buildHref({ view: 'environment', environment: name })}>{name}</a>
        </h2>
        <span class="spring" />
        {first && (
          <a class="button" href={buildHref({ view: 'play', environment: name, split: first.name, index: 0 })}>
            Play
          </a>
        )}
      </header>
      {failure && !data && (
        <p class="banner" role="alert">
          {failure.message}{' '}
          <button type="button" class="quiet" onClick={reload}>
            Try again
          </button>
        </p>
      )}
      {!data && !failure && <Skeleton lines={3} />}
      {data && (
        <>
          <ul class="env-splits" aria-label="Splits">
            {data.splits.map(({ name: split, type, tasks }) => (
              <li key={split}>
                <a href={buildHref({ view: 'environment', environment: name, split })}>{split}</a>
                <small>
                  {type !== split && `${type} · `}
                  {plural(tasks, 'task')}
                </small>
              </li>
            ))}
          </ul>
          <dl class="env-tools">
            {data.tools.map((tool) => (
              <div key={tool.name}>
                <dt>
                  <code>{tool.name}</code>
                </dt>
                <dd>{tool.description}</dd>
              </div>
            ))}
          </dl>
          {data.tools.length === 0 && <small>Its tools depend on the task.</small>}
        </>
      )}
    </section>
  );
}
