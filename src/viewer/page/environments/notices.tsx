import { buildHref } from '../api/location.ts';
import { Snippet } from '../parts/copy.tsx';

/** Shown if the address names something that this server does not have. */
export function NotFound({ what }: { readonly what: string }) {
  return (
    <section class="card notice" role="alert">
      <h2>This server does not have that</h2>
      <p>{what}</p>
      <p>It may have been renamed, or the link is of another server.</p>
      <a class="button" href={buildHref({ view: 'environments' })}>
        Look at all environments
      </a>
    </section>
  );
}

/** Shown on a trace store that hosts no environments. */
export function NoEnvironments() {
  return (
    <section class="card notice">
      <h2>This server hosts no environments</h2>
      <p>
        It keeps traces. Environments are served by a server of their own, whose page at <code>/ui/</code> shows their
        tasks and lets you play them. Make one, and serve it:
      </p>
      <Snippet code={'npx ors-kit init my-environment\ncd my-environment && npm install && npm start'} />
      <p>Or serve a module that you have, and keep what is played there as traces:</p>
      <Snippet code="npx ors-kit serve environment.ts --traces traces.db" />
    </section>
  );
}
