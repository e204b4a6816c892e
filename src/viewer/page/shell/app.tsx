import type { ComponentType } from 'preact';
import { useErrorBoundary, useState } from 'preact/hooks';
import { AccessContext } from '../api/access.ts';
import { asRequestError, RequestError } from '../api/failure.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { useLoad } from '../api/use-loaded.ts';
import { ErrorCard } from '../parts/failure-card.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { RunsPage } from '../runs/page.tsx';
import { AppHeader } from './header.tsx';
import { ShortcutHelp } from './help.tsx';
import { lazy } from './later.tsx';
import { buildHref, navigate, useQuery } from './location.ts';
import { SERVER_FEATURES } from './offers.ts';
import { useShortcuts } from './shortcuts.ts';

/** Every page by the `view` of the address. */
const tracePages: Readonly<Record<string, ComponentType>> = {
  runs: RunsPage,
  run: lazy(() => import('../run/page.tsx').then(({ RunPage }) => RunPage)),
  group: lazy(() => import('../group/page.tsx').then(({ GroupPage }) => GroupPage)),
  trace: lazy(() => import('../trace/page.tsx').then(({ TracePage }) => TracePage)),
  compare: lazy(() => import('../compare/page.tsx').then(({ ComparePage }) => ComparePage)),
  search: lazy(() => import('../search/page.tsx').then(({ SearchPage }) => SearchPage)),
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
    '?': { does: 'show these shortcuts', run: () => setHelpShown(true) },
    'g r': { does: 'go to the runs', run: () => navigate(buildHref({ view: 'runs' })) },
    'g e': { does: 'go to the environments', run: () => navigate(buildHref({ view: 'environments' })) },
  });
  return (
    <>
      <AppHeader view={view} onHelp={() => setHelpShown(true)} />
      <main key={view} class={`page page-${view}`}>
        <Page view={view} />
      </main>
      {isHelpShown && <ShortcutHelp onClose={() => setHelpShown(false)} />}
    </>
  );
}

function Page({ view }: { readonly view: string }) {
  const [error, forget] = useErrorBoundary();
  if (error) return <ErrorCard failure={asRequestError(error)} retry={forget} />;
  const Shown = Object.hasOwn(tracePages, view) ? tracePages[view] : undefined;
  if (Shown) return <WithAccess Shown={Shown} />;
  const Other = Object.hasOwn(environmentPages, view) ? environmentPages[view] : undefined;
  return Other ? (
    <Other />
  ) : (
    <ErrorCard failure={new RequestError('missing', 0, `there is no page '${view}'`)} retry={forget} />
  );
}

/** Pages of traces need to know whose traces they may ask for. */
function WithAccess({ Shown }: { readonly Shown: ComponentType }) {
  const { data, failure, reload } = useLoad(SERVER_FEATURES.traces ? 'access' : undefined, (signal) =>
    unwrapResponse(traceApi.getAccess({ signal })),
  );
  if (!SERVER_FEATURES.traces) return <NoTraces />;
  if (failure && !data) return <ErrorCard failure={failure} retry={reload} />;
  if (!data) return <Skeleton lines={6} />;
  return (
    <AccessContext.Provider value={data}>
      <Shown />
    </AccessContext.Provider>
  );
}

function NoTraces() {
  return (
    <section class="card notice">
      <h2>This server shows no traces</h2>
      <p>
        It shows those that it keeps itself, to this machine alone: start it with <code>--traces traces.db</code>. What
        it records elsewhere, or for others, is shown by <code>ors traces serve</code>.
      </p>
      <a href={buildHref({ view: 'environments' })}>Look at its environments</a>
    </section>
  );
}
