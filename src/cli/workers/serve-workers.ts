import { writeFile } from 'node:fs/promises';
import { type Node, tagAfter } from '../proxy-config/nodes.ts';
import { commandFor, DEFAULT_STICKY, type Engine, type ProxyPlan } from '../proxy-config/plan.ts';
import { proxyConfig } from '../proxy-config/proxy-config.ts';
import type { WorkerFlags } from './flags.ts';
import { Workforce } from './workforce.ts';

/**
 * Serves the environments of this command line from several processes, until they are told to stop. The first has the
 * port and the tag of the flags (0000 by default), the others those that follow. The proxy's configuration is for HAProxy
 * if the name of its file ends in .cfg, else for nginx.
 *
 * Each has a port of its own: a session lives in one process, and only a proxy that reads ids can lead requests there.
 * On a port that they share, as with node:cluster, most requests would meet a process that does not know the session.
 *
 * @throws Error if a worker does not start; nothing is left running then.
 */
export async function serveWorkers(flags: WorkerFlags): Promise<void> {
  const plan = planOf(flags);
  const workforce = new Workforce(plan.nodes.map(({ tag }) => tag));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => workforce.stop(signal));
  if (await workforce.start()) {
    if (flags.proxyConfig !== undefined) await writeFile(flags.proxyConfig, proxyConfig(plan));
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
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const nodes = Array.from(
    { length: count },
    (_, place): Node => ({
      tag: tagAfter(first, place),
      host: reachable.includes(':') ? `[${reachable}]` : reachable,
      port: port + place,
    }),
  );
  const engine: Engine = file?.endsWith('.cfg') ? 'haproxy' : 'nginx';
  return { engine, sticky: DEFAULT_STICKY[engine], nodes, listen: { host: undefined, port: last + 1 } };
}

function advice(plan: ProxyPlan, file: string | undefined): string {
  const program = plan.engine === 'nginx' ? 'nginx -c $PWD/' : 'haproxy -W -f ';
  if (file === undefined) return `one address for all of them: ${commandFor(plan)} > nginx.conf`;
  return `${file} is a proxy to all of them, on port ${plan.listen.port}: ${program}${file}`;
}
