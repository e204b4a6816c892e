import { definedFields } from '../../core/index.ts';
import { refuseExposure } from '../../http/index.ts';
import type { TraceStore } from '../../trace/store/index.ts';
import { defineCommand, type FlagValues, parsePort } from '../command.ts';
import { ignoreBrokenPipe, waitForStopSignal } from '../process.ts';
import { explainListenErrors } from '../serve/port.ts';
import { orsCommand } from '../terminal/terminal.ts';
import { DEFAULT_TRACES_PORT, IN_MEMORY, openStore, redactLocation, requireStoreFile } from '../traces/open-store.ts';
import { reportStoreFailure, storeFileFlags } from '../traces/open-traces.ts';

const flags = {
  ...storeFileFlags,
  '--port <number>': {
    help: 'port to listen on; 0 picks a free one',
    env: 'PORT',
    default: DEFAULT_TRACES_PORT,
    parse: parsePort,
  },
  '--host <address>': { help: 'address to listen on', env: 'HOST', default: '127.0.0.1' },
  '--keys': 'require an API key for every request; ors traces keys add creates keys',
  '--insecure': 'allow other machines without keys: everyone who reaches the address can read and write',
  '--allowed-host <name...>': 'host names that a local server without keys accepts',
  '--cors-origin <origin...>': 'origins whose pages may use the server, such as https://example.org',
} as const;

export const tracesServeCommand = defineCommand({
  name: 'serve',
  flags,
  details: `An address that other machines can reach requires --keys or --insecure. The file is created if it does not exist; other
commands may use it at the same time. --db :memory: keeps traces until the server exits, and works with every Node.

LIMIT_MSG_BYTES, LIMIT_THINK_BYTES, LIMIT_TOOL_ARGS_BYTES, LIMIT_TOOL_RESULT_BYTES and LIMIT_REQUEST_BYTES set the maximum
size of the parts of a block and of a request. Ctrl-C and SIGTERM shut the server down gracefully.`,
  examples: ['ors traces serve', 'ors traces serve --db /data/traces.db --host 0.0.0.0 --keys'],
  report: reportStoreFailure,
  async run(options) {
    ignoreBrokenPipe([process.stdout, process.stderr]);
    await explainListenErrors(options, () => serveUntilStopped(options));
  },
});

/** A separate function: in a function with `await using`, tsc does not rewrite the extension of the import. */
const loadApi = () => import('../../trace/api/index.ts');

async function serveUntilStopped(options: FlagValues<typeof flags>): Promise<void> {
  const { port, host, keys, insecure, allowedHost, corsOrigin } = options;
  const hasKeys = keys === true;
  // The server checks it too; its message names options of the library.
  refuseExposure(
    { host, hasKeys, insecure: insecure ?? false },
    { danger: 'read and write its traces', keys: '--keys', confirm: '--insecure' },
  );
  const file = requireStoreFile('serve', options);
  const { serveTraces } = await loadApi();
  await using store = await openStore(file, { mayCreate: true });
  await using server = await serveTraces({
    store,
    port,
    host,
    needsKeys: hasKeys,
    insecure: insecure ?? false,
    ...definedFields({ allowedHosts: allowedHost, corsOrigins: corsOrigin }),
  });
  // Before the first line is printed: its reader may stop the server immediately.
  const stopping = waitForStopSignal();
  const ready = `${server.url}/readyz reports whether it can write`;
  process.stdout.write(`ors serves the traces of ${redactLocation(file)} on ${server.url}; ${ready}\n`);
  process.stdout.write(hasKeys ? await keyHelp(store, file, server.url) : nextSteps(server.url));
  await stopping;
  process.stdout.write('stopping\n');
}

const nextSteps = (url: string): string => `
View the traces: ${url}/ui/
Write a trace:
  curl -s ${url}/v1/organizations/default/traces -H 'Content-Type: application/json' -d '{"id": "tr_first", "run": "first-run"}'
From TypeScript:
  import { createTraceClient } from 'ors-kit/trace';
  await using traces = createTraceClient({ url: '${url}' });
  const trace = traces.createTrace({ run: 'first-run' });
  await trace.logMessage({ role: 'user', content: 'hello' });
Scripts that log to OpenReward:
  OPENREWARD_API_URL=${url}
List the traces:
  ${orsCommand('traces', 'ls', '--url', url)}
`;

async function keyHelp(store: TraceStore, file: string, url: string): Promise<string> {
  const keys = (await store.keys()).filter(({ revoked_at }) => revoked_at === null);
  const add = orsCommand('traces', 'keys', 'add', '--db', redactLocation(file), '--name', 'me');
  const list = orsCommand('traces', 'ls', '--url', url);
  const usage = `With a key: ${url}/ui/\nWith a key in ORS_TRACES_API_KEY: ${list}\n`;
  if (keys.length > 0) return `active API keys: ${keys.length}\n${usage}`;
  if (file === IN_MEMORY) return 'no client can connect: keys are stored in a file; pass one with --db\n';
  return `There is no API key yet, so no client can connect; create one while the server runs:\n  ${add}\n${usage}`;
}
