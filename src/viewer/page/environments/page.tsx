import { plural } from '../../../core/index.ts';
import { SERVER_FEATURES } from '../api/access.ts';
import { buildHref, useQuery } from '../api/location.ts';
import { useLoad } from '../api/use-load.ts';
import { Loaded, NoMatches, SearchField } from '../parts/list.tsx';
import { Skeleton } from '../parts/states.tsx';
import { NoEnvironments } from './notices.tsx';
import { describeEnvironment, listEnvironments } from './server.ts';
import './environments.css';

/** Number of environments up to which there is no search field. */
const FEW = 8;

/** Lists the environments of this server. */
export function EnvironmentsPage() {
  const list = useLoad(SERVER_FEATURES.environments ? 'environments' : undefined, listEnvironments);
  const q = (useQuery().get('q') ?? '').toLowerCase();
  document.title = 'Environments – ors';
  if (!SERVER_FEATURES.environments) return <NoEnvironments />;
  return (
    <Loaded state={list} lines={6}>
      {(names) => {
        const matching = names.filter((name) => name.toLowerCase().includes(q));
        return (
          <>
            <header class="row">
              <h1>Environments</h1>
              <span class="spring" />
              {names.length > FEW && <SearchField label="Search environments" />}
            </header>
            {matching.length === 0 && <NoMatches noun="environment" />}
            <div class="env-cards">
              {matching.map((name) => (
                <EnvironmentCard key={name} name={name} />
              ))}
            </div>
          </>
        );
      }}
    </Loaded>
  );
}

function EnvironmentCard({ name }: { readonly name: string }) {
  const { data, failure, reload } = useLoad(name, (signal) => describeEnvironment(name, signal));
  const [first] = data?.splits.filter(({ tasks }) => tasks > 0) ?? [];
  return (
    <section class="card stack env-card">
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
          <ul class="row env-splits" aria-label="Splits">
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
