import { Snippet } from '../parts/snippet.tsx';

/** What to do where the server keeps traces and hosts nothing to play. */
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
