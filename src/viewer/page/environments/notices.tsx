import { buildHref } from '../api/location.ts';
import { ButtonLink, Snippet } from '../parts/buttons.tsx';

/** Shown if the address names something that this server does not have. */
export function NotFound({ what }: { readonly what: string }) {
  return (
    <section class="card notice" role="alert">
      <h1>Not on this server</h1>
      <p>{what}</p>
      <p>It may have been renamed, or the link belongs to another server.</p>
      <ButtonLink href={buildHref({ view: 'environments' })}>All environments</ButtonLink>
    </section>
  );
}

/** Shown on a trace store that hosts no environments. */
export function NoEnvironments() {
  return (
    <section class="card notice">
      <h1>This server hosts no environments</h1>
      <p>
        It stores traces. A server of environments has its own page at <code>/ui/</code>, which shows their tasks and
        lets you play them. Create an environment and serve it:
      </p>
      <Snippet code={'npx ors-kit init my-environment\ncd my-environment && npm install && npm start'} />
      <p>Or serve an existing module, and record its episodes as traces:</p>
      <Snippet code="npx ors-kit serve environment.ts --traces traces.db" />
    </section>
  );
}
