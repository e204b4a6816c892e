import type { ComponentType } from 'preact';
import { useErrorBoundary, useState } from 'preact/hooks';
import { AccessContext, knownAccess, rememberAccess, SERVER_FEATURES, useApiKey } from '../api/access.ts';
import { buildHref, navigate, useQuery } from '../api/location.ts';
import { asRequestError, RequestError } from '../api/request-error.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad } from '../api/use-load.ts';
import { ErrorCard, Loaded, lazy } from '../parts/states.tsx';
import { AppHeader, ShortcutHelp } from './header.tsx';

/** Pages by the parameter `view` of the address. */
const tracePages: Readonly<Record<string, ComponentType>> = {
  runs: lazy(() => import('../runs/page.tsx').then(({ RunsPage }) => RunsPage)),
  run: lazy(() => import('../run/page.tsx').then(({ RunPage }) => RunPage)),
  group: lazy(() => import('../group/page.tsx').then(({ GroupPage }) => GroupPage)),
  trace: lazy(() => import('../trace/page.tsx').then(({ TracePage }) => TracePage)),
  compare: lazy(() => import('../compare/page.tsx').then(({ ComparePage }) => ComparePage)),
  'compare-runs': lazy(() => import('../compare/runs-page.tsx').then(({ CompareRunsPage }) => CompareRunsPage)),
  search: lazy(() => import('../search/page.tsx').then(({ SearchPage }) => SearchPage)),
  rate: lazy(() => import('../scores/rate-page.tsx').then(({ RatePage }) => RatePage)),
};
const environmentPages: Readonly<Record<string, ComponentType>> = {
  environments: lazy(() => import('../environments/page.tsx').then(({ EnvironmentsPage }) => EnvironmentsPage)),
  environment: lazy(() => import('../environments/environment-page.tsx').then((it) => it.EnvironmentPage)),
  play: lazy(() => import('../playground/page.tsx').then(({ PlaygroundPage }) => PlaygroundPage)),
};

export function App() {
  const [isHelpShown, setHelpShown] = useState(false);
  const view = useQuery().get('view') ?? (SERVER_FEATURES.traces ? 'runs' : 'environments');
  useShortcuts({
    '?': { description: 'show these shortcuts', run: () => setHelpShown(true) },
    'g r': { description: 'go to the runs', run: () => navigate(buildHref({ view: 'runs' })) },
    'g e': { description: 'go to the environments', run: () => navigate(buildHref({ view: 'environments' })) },
  });
  return (
    <>
      <AppHeader view={view} onHelp={() => setHelpShown(true)} />
      <main key={view} id="main" class={`page page-${view}`} tabIndex={-1}>
        <Page view={view} />
      </main>
      {isHelpShown && <ShortcutHelp onClose={() => setHelpShown(false)} />}
    </>
  );
}

function Page({ view }: { readonly view: string }) {
  const [error, forget] = useErrorBoundary();
  if (error) return <ErrorCard failure={asRequestError(error)} retry={forget} />;
  const View = Object.hasOwn(tracePages, view) ? tracePages[view] : undefined;
  if (View) return <WithAccess View={View} />;
  const EnvironmentPage = Object.hasOwn(environmentPages, view) ? environmentPages[view] : undefined;
  if (EnvironmentPage) return <EnvironmentPage />;
  return <ErrorCard failure={new RequestError('missing', 0, `unknown page '${view}'`)} />;
}

/** Provides the access of the API key to a page of traces; requests it only if it is unknown. */
function WithAccess({ View }: { readonly View: ComponentType }) {
  // A change of the key renders again.
  useApiKey();
  const known = SERVER_FEATURES.traces ? knownAccess() : undefined;
  const subject = SERVER_FEATURES.traces && !known ? 'access' : undefined;
  const access = useLoad(subject, async (signal) => {
    const loaded = await unwrapResponse(traceApi.getAccess({ signal }));
    rememberAccess(loaded);
    return loaded;
  });
  if (!SERVER_FEATURES.traces) return <NoTraces />;
  return (
    <Loaded state={known ? { ...access, data: known } : access} lines={6}>
      {(data) => (
        <AccessContext.Provider value={data}>
          <View />
        </AccessContext.Provider>
      )}
    </Loaded>
  );
}

function NoTraces() {
  return (
    <section class="card notice">
      <h1>No traces on this server</h1>
      <p>
        To record its episodes for this machine, start it with <code>--traces traces.db</code>. Traces that are recorded
        elsewhere, or for others, are on the page of <code>ors traces serve</code>.
      </p>
      <a href={buildHref({ view: 'environments' })}>Environments of this server</a>
    </section>
  );
}
