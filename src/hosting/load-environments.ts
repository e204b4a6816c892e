import { availableParallelism } from 'node:os';
import type { Environment, EnvironmentIsolation } from '../environment/index.ts';
import type { HostedEnvironment } from './hosted-environment.ts';
import { importEnvironments, moduleUrl } from './import-environments.ts';
import { hostInline } from './inline.ts';
import { createRemoteEnvironment } from './remote-environment.ts';
import { WorkerPool } from './worker-pool.ts';
import { startWorkerThread, type WorkerThread } from './worker-thread.ts';

/**
 * Options for `loadEnvironments`.
 *
 * @example
 * await loadEnvironments(['./environment.ts'], { isolation: 'worker', threads: 'session', memoryMiB: 512 });
 */
export interface HostingOptions {
  /**
   * Runs all environments in this thread or in workers.
   *
   * @default the `isolation` of each environment, which is `inline` by default
   */
  readonly isolation?: EnvironmentIsolation;
  /**
   * Number of workers that sessions share, each session staying in one worker; or `session` for one worker per session.
   *
   * @default one per CPU core
   */
  readonly threads?: number | 'session';
  /**
   * Memory limit of the objects of one worker, in MiB. A worker that exceeds it is terminated.
   *
   * @default the limit of Node
   */
  readonly memoryMiB?: number;
}

/**
 * Loads the environments that modules export, default exports first, and hosts them in this thread or in workers.
 *
 * @param modules paths or `file:` URLs.
 * @throws Error with the path of a module that does not exist, does not load, or exports no environment.
 * @example
 * const environments = await loadEnvironments(['./environment.ts'], { isolation: 'worker', threads: 4 });
 * const server = await serve(environments);
 */
export async function loadEnvironments(
  modules: readonly (string | URL)[],
  options: HostingOptions = {},
): Promise<HostedEnvironment[]> {
  const hosted = await Promise.all(modules.map((module) => load(moduleUrl(module), options)));
  return hosted.flat();
}

async function load(url: string, { isolation, threads, memoryMiB }: HostingOptions): Promise<HostedEnvironment[]> {
  const inWorkers = () => hostInWorkers(() => startWorkerThread(url, memoryMiB), { ...(threads && { threads }) });
  if (isolation === 'worker') return inWorkers();
  const environments = await importEnvironments(url);
  const needsWorkers = ({ isolation: own }: Environment) => isolation === undefined && own === 'worker';
  if (!environments.some(needsWorkers)) return environments.map(hostInline);
  const hosted = await inWorkers();
  return environments.map((one, index) => (needsWorkers(one) ? (hosted[index] as HostedEnvironment) : hostInline(one)));
}

/** Hosts environments in workers that load the same module. @throws Error if the module does not load. */
export async function hostInWorkers(
  startThread: () => WorkerThread,
  { threads = availableParallelism() }: Pick<HostingOptions, 'threads'> = {},
): Promise<HostedEnvironment[]> {
  const pool = new WorkerPool(startThread, threads);
  const environments = await pool.leastLoaded.loaded;
  return environments.map((environment) => createRemoteEnvironment(environment, pool));
}
