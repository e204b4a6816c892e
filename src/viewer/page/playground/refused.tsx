import { shellQuote } from '../../../core/index.ts';
import { SERVER_URL } from '../api/store.ts';
import { Snippet } from '../parts/snippet.tsx';

/** Why this page does not play here, and what to do. */
export function PlayNotAllowed() {
  const { port, hostname } = new URL(SERVER_URL);
  const own = port || '80';
  return (
    <section class="card notice">
      <h2>Playing from another machine needs a key</h2>
      <p>
        This page comes from <code>{hostname}</code>, and the server has asked for no key: whoever reaches it could
        start episodes on it by a link. Start it with keys, and give one here:
      </p>
      <Snippet code="ORS_API_KEYS=me:a-long-random-key npx ors-kit serve environment.ts --host 0.0.0.0" />
      <p>Or come from its own machine, by way of a tunnel:</p>
      <Snippet code={`ssh -L ${own}:127.0.0.1:${own} ${shellQuote(hostname)}`} />
    </section>
  );
}
