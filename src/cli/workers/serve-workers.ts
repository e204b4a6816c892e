import { writeFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { errorMessage, hostForUrl } from '../../core/index.ts';
import { ANY_ADDRESS, offsetTag, type ProxyNode } from '../proxy-config/nodes.ts';
import {
  DEFAULT_STICKY,
  formatCommand,
  listenAddress,
  type ProxyEngine,
  type ProxyPlan,
} from '../proxy-config/plan.ts';
import { renderProxyConfig } from '../proxy-config/proxy-config.ts';
import { onStopSignal } from '../serve/stop-signals.ts';
import type { WorkerFlags } from './flags.ts';
import { WorkerSupervisor } from './workforce.ts';

/**
 * Serves the environments of this command line from several processes, until they are told to stop. The first has the
 * port and the tag of the flags (0000 by default), the others those that follow. The proxy's configuration is for HAProxy
 * if the name of its file ends in .cfg, else for nginx.
 *
 * Each has a port of its own: a session lives in one process, and only a proxy that reads ids can lead requests there.
 * On a port that they share, as with node:cluster, most requests would meet a process that does not know the session.
 *
 * @throws Error if the file cannot be written, or a worker does not start; nothing is left running then.
 */
export async function serveWorkers(flags: WorkerFlags): Promise<void> {
  const plan = planOf(flags);
  // First: who asks for a file that cannot be written learns it before anything serves.
  if (flags.proxyConfig !== undefined) await writeConfig(flags.proxyConfig, renderProxyConfig(plan));
  const workforce = new WorkerSupervisor(plan.nodes.map(({ tag }) => tag));
  onStopSignal((signal) => workforce.stop(signal === 'SIGHUP' ? 'SIGTERM' : signal));
  if (await workforce.start()) {
    process.stdout.write(`${workforce.describe()}\n${advice(plan, flags.proxyConfig)}\n`);
  }
  const endings = await workforce.stopped;
  // One that still loads ends by the signal itself.
  process.exitCode = endings.every((ending) => /^(exit code 0|SIG(TERM|INT))$/.test(ending)) ? 0 : 1;
}

/** @throws Error for ports or tags that there are not. */
function planOf({
  workers: count = 1,
  port,
  host,
  nodeTag: first = '0000',
  proxyConfig: file,
}: WorkerFlags): ProxyPlan {
  const last = port + count - 1;
  if (port === 0) throw new Error('workers need ports that a proxy can know: pass --port, and not 0');
  if (last >= 65_535)
    throw new Error(`${count} workers from port ${port} on need ports up to ${last}; pass a lower --port`);
  if (Number.parseInt(first, 16) + count > 0x1_00_00)
    throw new Error(`${count} workers from tag ${first} on need more tags than there are`);
  const isOpen = host === ANY_ADDRESS || host === '::';
  const reachable = isOpen ? '127.0.0.1' : host;
  const nodes = Array.from(
    { length: count },
    (_, place): ProxyNode => ({
      tag: offsetTag(first, place),
      host: hostForUrl(reachable),
      port: port + place,
    }),
  );
  const engine: ProxyEngine = file?.endsWith('.cfg') ? 'haproxy' : 'nginx';
  return {
    engine,
    sticky: DEFAULT_STICKY[engine],
    nodes,
    listen: { host: isOpen ? hostForUrl(host) : undefined, port: last + 1 },
  };
}

async function writeConfig(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    const reason = errorMessage(error);
    throw new Error(`the configuration of the proxy cannot be written: ${reason}; pass another --proxy-config`, {
      cause: error,
    });
  }
}

function advice(plan: ProxyPlan, file: string | undefined): string {
  const program = plan.engine === 'nginx' ? `nginx -c ${isAbsolute(file ?? '') ? '' : '$PWD/'}` : 'haproxy -W -f ';
  if (file === undefined) return `one address for all of them: ${formatCommand(plan)} > nginx.conf`;
  return `${file} is a proxy to all of them, on ${listenAddress(plan)}: ${program}${file}`;
}
