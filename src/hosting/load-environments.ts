import { availableParallelism } from 'node:os';
import { abortable, onAbort } from '../core/index.ts';
import type { Environment, EnvironmentIsolation } from '../environment/index.ts';
import type { EnvironmentInfo, HostedEnvironment, HostedEpisode, HostedTool } from './hosted-environment.ts';
import { importEnvironments, moduleUrl } from './import-environments.ts';
import { hostInline } from './inline.ts';
import type { WorkerEpisode, WorkerHost } from './worker-host.ts';
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

/** Creates an environment whose code runs in the workers of a pool. */
function createRemoteEnvironment(info: EnvironmentInfo, pool: WorkerPool): HostedEnvironment {
  const { name: environment } = info;
  let lastNumber = 0;
  return {
    ...info,
    countTasks: (split, wait) => pool.leastLoaded.callUntil(wait?.signal, 'countTasks', { environment, split }),
    task: (split, index, wait) => pool.leastLoaded.callUntil(wait?.signal, 'task', { environment, split, index }),
    tasks: (split, start, stop, wait) =>
      pool.leastLoaded.callUntil(wait?.signal, 'tasks', { environment, split, start, stop }),
    async open(task, session, wait) {
      const { host, isDedicated } = pool.assign();
      const number = ++lastNumber;
      const episode: WorkerEpisode = { number, environment, session, handles: [], cleanedUp: undefined };
      const { sessionId, secrets, toolset, conditions } = session;
      const signal = wait?.signal;
      host.addEpisode(episode);
      try {
        await abortable(signal, () => host.loaded);
        const params = { environment, episode: number, sessionId, task, secrets, toolset, conditions };
        await host.callUntil(signal, 'open', params);
      } catch (error) {
        host.removeEpisode(episode);
        if (isDedicated) void host.terminate('its session could not be opened');
        else if (signal?.aborted) host.discardEpisode(number);
        throw error;
      }
      return createRemoteEpisode(episode, host, isDedicated);
    },
    close: () => pool.close(),
  };
}

/** @param isDedicated the worker runs only this episode. */
function createRemoteEpisode(workerEpisode: WorkerEpisode, host: WorkerHost, isDedicated: boolean): HostedEpisode {
  const { number: episode, session } = workerEpisode;
  let tools: ReadonlyMap<string, HostedTool> = new Map();
  let teardown: Promise<void> | undefined;
  onAbort(session.signal, () => host.abort(episode));

  const tearDown = async () => {
    // If the worker is lost, only the clean-up of the handles remains.
    await host.rpc.call('teardown', { episode }).catch(() => workerEpisode.cleanedUp);
    host.removeEpisode(workerEpisode);
    if (isDedicated) await host.terminate('its session has ended');
  };
  return {
    async setup(saved) {
      tools = new Map(await host.rpc.call('setup', { episode, saved }));
    },
    snapshot: () => host.rpc.call('snapshot', { episode }),
    get tools() {
      return tools;
    },
    prompt: (wait) => host.callUntil(wait?.signal, 'prompt', { episode }),
    messages: (wait) => host.callUntil(wait?.signal, 'messages', { episode }),
    compare: (candidates, signal) => host.rpc.call('scoreGroup', { episode, candidates }, signal),
    run: (tool, input, signal, conditions) =>
      host.rpc.call('run', { episode, tool, input, isLimited: signal !== undefined, conditions }, signal),
    teardown() {
      teardown ??= tearDown();
      return teardown;
    },
    abort: (reason) => void (isDedicated ? host.terminate(reason) : host.terminateIfUnresponsive()),
  };
}
