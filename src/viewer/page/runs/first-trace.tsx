import { useOrganization } from '../api/access.ts';
import { useApiKey } from '../api/key.ts';
import { SERVER_URL } from '../api/store.ts';
import { Snippet } from '../parts/snippet.tsx';
import { buildHref } from '../shell/location.ts';
import { SERVER_FEATURES } from '../shell/offers.ts';

const script = () => `import { createTraceClient } from 'ors-kit/trace';
await using traces = createTraceClient({ url: '${SERVER_URL}' });
await traces.createTrace({ run: 'first-run' }).logMessage({ role: 'user', content: 'hello' });`;

/** With a key, it is taken from the variable that the SDK reads too. */
function command(org: string, hasKey: boolean): string {
  const key = hasKey ? ' -H "X-API-Key: $ORS_TRACES_API_KEY"' : '';
  const post = (path: string, body: string) =>
    `curl -s ${SERVER_URL}/v1/organizations/${org}${path}${key} -H 'Content-Type: application/json' -d '${body}'`;
  return [
    ...(hasKey ? [`export ORS_TRACES_API_KEY=... ORS_TRACES_ORGANIZATION=${org}`] : []),
    post('/traces', '{"id": "tr_first", "run": "first-run"}'),
    post('/traces/tr_first/blocks', '{"sub_type": "MESSAGE", "payload": {"role": "user", "content": "hello"}}'),
  ].join('\n');
}

/** What to do where there is nothing yet; what one does appears by itself. */
export function EmptyRuns() {
  const org = useOrganization();
  const key = useApiKey();
  return (
    <section class="card notice">
      <h2>No trace has come yet</h2>
      <p>A trace is the log of one agent run. Log the first one in a terminal; it appears here by itself.</p>
      <Snippet code={command(org, key !== undefined)} />
      <p>From TypeScript:</p>
      <Snippet code={script()} />
      <p>
        Scripts that log to OpenReward need one variable: <code>OPENREWARD_API_URL={SERVER_URL}</code>
      </p>
      {SERVER_FEATURES.environments && (
        <p>
          Or <a href={buildHref({ view: 'environments' })}>play an environment of this server</a>: every episode becomes
          a trace.
        </p>
      )}
    </section>
  );
}
