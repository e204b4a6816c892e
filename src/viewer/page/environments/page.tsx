import { plural } from '../../../core/index.ts';
import { SERVER_FEATURES } from '../api/access.ts';
import { buildHref, useQuery } from '../api/location.ts';
import { useLoad } from '../api/use-load.ts';
import { ButtonLink, QuietButton } from '../parts/buttons.tsx';
import { ListPage } from '../parts/list.tsx';
import { Banner, Skeleton } from '../parts/states.tsx';
import { NoEnvironments } from './notices.tsx';
import { describeEnvironment, listEnvironments } from './server.ts';
import './environments.css';

/** Largest number of environments that is listed without a search field. */
const MAX_WITHOUT_SEARCH = 8;

/** Lists the environments of this server. */
export function EnvironmentsPage() {
  const list = useLoad(SERVER_FEATURES.environments ? 'environments' : undefined, listEnvironments);
  const q = (useQuery().get('q') ?? '').toLowerCase();
  document.title = 'Environments – ors';
  if (!SERVER_FEATURES.environments) return <NoEnvironments />;
  const matching = list.data?.filter((name) => name.toLowerCase().includes(q));
  const hasSearch = (list.data?.length ?? 0) > MAX_WITHOUT_SEARCH;
  return (
    <ListPage
      title="Environments"
      noun="environment"
      state={{ ...list, data: matching }}
      lines={6}
      hasSearch={hasSearch}
    >
      {(names) => (
        <div class="env-cards">
          {names.map((name) => (
            <EnvironmentCard key={name} name={name} />
          ))}
        </div>
      )}
    </ListPage>
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
          <ButtonLink href={buildHref({ view: 'play', environment: name, split: first.name, index: 0 })}>
            Play
          </ButtonLink>
        )}
      </header>
      {failure && !data && (
        <Banner>
          {failure.message}
          <QuietButton onClick={reload}>Try again</QuietButton>
        </Banner>
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
                <dt class="clipped">
                  <code>{tool.name}</code>
                </dt>
                <dd class="muted">{tool.description}</dd>
              </div>
            ))}
            {data.terminalTool && (
              <div>
                <dt>Final message</dt>
                <dd class="muted">{data.terminalTool.description}</dd>
              </div>
            )}
          </dl>
          {data.tools.length === 0 && !data.terminalTool && <small>Its tools depend on the task.</small>}
        </>
      )}
    </section>
  );
}
