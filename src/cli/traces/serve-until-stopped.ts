import { shellCommand } from '../../core/index.ts';
import type { TraceStore } from '../../trace/store/index.ts';
import { waitForStopSignal } from '../serve/stop-signals.ts';
import { IN_MEMORY, openStore, redactLocation } from './open-store.ts';
import { requireStoreFile } from './place.ts';

export interface TraceServeFlags {
  readonly db?: string;
  readonly url?: string;
  readonly port: number;
  readonly host: string;
  readonly keys?: true;
  readonly insecure?: true;
  readonly allowedHost?: readonly string[];
  readonly corsOrigin?: readonly string[];
}

/** A function of its own: where there is an `await using`, tsc leaves `.ts` at the end of what is imported. */
const loadApi = () => import('../../trace/api/index.ts');

/** Serves until a signal; what is under way then is answered. @throws Error with the code of what keeps it from listening. */
export async function serveUntilStopped(flags: TraceServeFlags): Promise<void> {
  const { port, host, keys, insecure, allowedHost, corsOrigin } = flags;
  const file = requireStoreFile('serve', flags);
  const { serveTraces } = await loadApi();
  await using store = await openStore(file, { mayCreate: true });
  const hasKeys = keys === true;
  await using server = await serveTraces({
    store,
    port,
    host,
    needsKeys: hasKeys,
    insecure: insecure ?? false,
    ...(allowedHost && { allowedHosts: allowedHost }),
    ...(corsOrigin && { corsOrigins: corsOrigin }),
  });
  // Whoever reads that it serves may stop it at once.
  const stopping = waitForStopSignal();
  const ready = `${server.url}/readyz says whether it can write`;
  process.stdout.write(`ors serves the traces of ${redactLocation(file)} on ${server.url}; ${ready}\n`);
  process.stdout.write(hasKeys ? await aboutKeys(store, file, server.url) : nextSteps(server.url));
  await stopping;
  process.stdout.write('stopping\n');
}

const nextSteps = (url: string): string => `
Look at the traces: ${url}/ui/
Write a trace:
  curl -s ${url}/v1/organizations/default/traces -H 'Content-Type: application/json' -d '{"id": "tr_first", "run": "first-run"}'
From TypeScript:
  import { createTraceClient } from 'ors-kit/trace';
  await using traces = createTraceClient({ url: '${url}' });
  const trace = traces.createTrace({ run: 'first-run' });
  await trace.logMessage({ role: 'user', content: 'hello' });
Scripts that log to OpenReward:
  OPENREWARD_API_URL=${url}
Look at what is there:
  ${shellCommand('ors', 'traces', 'ls', '--url', url)}
`;

/** There is nothing to do without a key. */
async function aboutKeys(store: TraceStore, file: string, url: string): Promise<string> {
  const keys = (await store.keys()).filter(({ revoked_at }) => revoked_at === null);
  const add = shellCommand('ors', 'traces', 'keys', 'add', '--db', redactLocation(file), '--name', 'me');
  const look = `With a key: ${url}/ui/\nWith a key in ORS_TRACES_API_KEY: ${shellCommand('ors', 'traces', 'ls', '--url', url)}\n`;
  if (keys.length > 0) return `API keys that it knows: ${keys.length}\n${look}`;
  if (file === IN_MEMORY) return 'nobody can use it: keys are added to a file; give one by --db\n';
  return `There is no API key yet, so nobody can use it; this makes one while it runs:\n  ${add}\n${look}`;
}
