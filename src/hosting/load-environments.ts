import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment, EnvironmentIsolation } from '../environment/index.ts';
import type { HostedEnvironment } from './hosted-environment.ts';
import { importEnvironments } from './import-environments.ts';
import { hostInline } from './inline.ts';
import { createRemoteEnvironment } from './remote-environment.ts';
import { startWorkerThread, type WorkerThread } from './thread.ts';
import { WorkerPool } from './worker-pool.ts';

export interface HostingOptions {
  /** Where the environments' code runs. Default: what each environment says, which by default is `inline`. */
  readonly isolation?: EnvironmentIsolation;
  /** Workers that share the sessions, each of which stays in one; or `session`: one for each. Default: one a core. */
  readonly threads?: number | 'session';
  /** For the objects of one worker, in MiB; one that takes more is ended. Default: Node's own bound. */
  readonly memoryMiB?: number;
}

/**
 * Loads the environments that modules export, default exports first, ready to be served: in this thread or in workers.
 *
 * @param modules Paths, or `file:` URLs.
 * @throws Error naming the module that is not there, does not load, or exports no environment.
 */
export async function loadEnvironments(
  modules: readonly (string | URL)[],
  options: HostingOptions = {},
): Promise<HostedEnvironment[]> {
  const hosted = await Promise.all(modules.map((module) => load(urlOf(module), options)));
  return hosted.flat();
}

async function load(url: string, { isolation, threads, memoryMiB }: HostingOptions): Promise<HostedEnvironment[]> {
  const inWorkers = () => hostInWorkers(() => startWorkerThread(url, memoryMiB), { ...(threads && { threads }) });
  if (isolation === 'worker') return inWorkers();
  const environments = await importEnvironments(url);
  const wantsWorkers = ({ isolation: own }: Environment) => isolation === undefined && own === 'worker';
  if (!environments.some(wantsWorkers)) return environments.map(hostInline);
  const hosted = await inWorkers();
  return environments.map((one, index) => (wantsWorkers(one) ? (hosted[index] as HostedEnvironment) : hostInline(one)));
}

const urlOf = (module: string | URL): string =>
  module instanceof URL || module.startsWith('file:') ? String(module) : pathToFileURL(resolve(module)).href;

/** The environments of threads that all load the same module. @throws Error if it does not load. */
export async function hostInWorkers(
  start: () => WorkerThread,
  { threads = availableParallelism() }: Pick<HostingOptions, 'threads'> = {},
): Promise<HostedEnvironment[]> {
  const pool = new WorkerPool(start, threads);
  const facts = await pool.leastLoaded.loaded;
  return facts.map((environment) => createRemoteEnvironment(environment, pool));
}
