import type { ComponentType } from 'preact';
import { useErrorBoundary, useState } from 'preact/hooks';
import { AccessContext } from '../api/access.ts';
import { asFailure, Failure } from '../api/failure.ts';
import { answerOf, api } from '../api/store.ts';
import { useLoaded } from '../api/use-loaded.ts';
import { FailureCard } from '../parts/failure-card.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { RunsPage } from '../runs/page.tsx';
import { Header } from './header.tsx';
import { Help } from './help.tsx';
import { later } from './later.tsx';
import { href, navigate, useQuery } from './location.ts';
import { OFFERS } from './offers.ts';
import { useShortcuts } from './shortcuts.ts';

/** Every page by the `view` of the address. */
const tracePages: Readonly<Record<string, ComponentType>> = {
  runs: RunsPage,
  run: later(() => import('../run/page.tsx').then(({ RunPage }) => RunPage)),
  group: later(() => import('../group/page.tsx').then(({ GroupPage }) => GroupPage)),
  trace: later(() => import('../trace/page.tsx').then(({ TracePage }) => TracePage)),
  compare: later(() => import('../compare/page.tsx').then(({ ComparePage }) => ComparePage)),
  search: later(() => import('../search/page.tsx').then(({ SearchPage }) => SearchPage)),
};
const environmentPages: Readonly<Record<string, ComponentType>> = {
  environments: later(() => import('../environments/page.tsx').then(({ EnvironmentsPage }) => EnvironmentsPage)),
  environment: later(() => import('../environments/environment-page.tsx').then((it) => it.EnvironmentPage)),
  play: later(() => import('../playground/page.tsx').then(({ PlaygroundPage }) => PlaygroundPage)),
};

export function App() {
  const [isHelpShown, setHelpShown] = useState(false);
  const view = useQuery().get('view') ?? (OFFERS.traces ? 'runs' : 'environments');
  useShortcuts({
    '?': { does: 'show these shortcuts', run: () => setHelpShown(true) },
    'g r': { does: 'go to the runs', run: () => navigate(href({ view: 'runs' })) },
    'g e': { does: 'go to the environments', run: () => navigate(href({ view: 'environments' })) },
  });
  return (
    <>
      <Header view={view} onHelp={() => setHelpShown(true)} />
      <main key={view} class={`page page-${view}`}>
        <Page view={view} />
      </main>
      {isHelpShown && <Help onClose={() => setHelpShown(false)} />}
    </>
  );
}

function Page({ view }: { readonly view: string }) {
  const [error, forget] = useErrorBoundary();
  if (error) return <FailureCard failure={asFailure(error)} retry={forget} />;
  const Shown = Object.hasOwn(tracePages, view) ? tracePages[view] : undefined;
  if (Shown) return <WithAccess Shown={Shown} />;
  const Other = Object.hasOwn(environmentPages, view) ? environmentPages[view] : undefined;
  return Other ? (
    <Other />
  ) : (
    <FailureCard failure={new Failure('missing', 0, `there is no page '${view}'`)} retry={forget} />
  );
}

/** Pages of traces need to know whose traces they may ask for. */
function WithAccess({ Shown }: { readonly Shown: ComponentType }) {
  const { data, failure, reload } = useLoaded(OFFERS.traces ? 'access' : undefined, (signal) =>
    answerOf(api.getAccess({ signal })),
  );
  if (!OFFERS.traces) return <NoTraces />;
  if (failure && !data) return <FailureCard failure={failure} retry={reload} />;
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
      <a href={href({ view: 'environments' })}>Look at its environments</a>
    </section>
  );
}
