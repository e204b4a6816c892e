import { SERVER } from '../api/store.ts';
import { Snippet } from '../parts/snippet.tsx';
import { href } from '../shell/location.ts';
import { OFFERS } from '../shell/offers.ts';

const script = () => `import { createTraceClient } from 'ors-kit/trace';
await using traces = createTraceClient({ url: '${SERVER}' });
await traces.createTrace({ run: 'first-run' }).logMessage({ role: 'user', content: 'hello' });`;

const command = () =>
  `curl -s ${SERVER}/v1/organizations/default/traces -H 'Content-Type: application/json' -d '{"id": "tr_first", "run": "first-run"}'
curl -s ${SERVER}/v1/organizations/default/traces/tr_first/blocks -H 'Content-Type: application/json' -d '{"sub_type": "MESSAGE", "payload": {"role": "user", "content": "hello"}}'`;

/** What to do where there is nothing yet; what one does appears by itself. */
export function FirstTrace() {
  return (
    <section class="card notice">
      <h2>No trace has come yet</h2>
      <p>A trace is the log of one agent run. Log the first one in a terminal; it appears here by itself.</p>
      <Snippet code={command()} />
      <p>From TypeScript:</p>
      <Snippet code={script()} />
      <p>
        Scripts that log to OpenReward need one variable: <code>OPENREWARD_API_URL={SERVER}</code>
      </p>
      {OFFERS.environments && (
        <p>
          Or <a href={href({ view: 'environments' })}>play an environment of this server</a>: every episode becomes a
          trace.
        </p>
      )}
    </section>
  );
}
