import { abortable, onAbort } from '../core/index.ts';
import type { EnvironmentInfo, HostedEnvironment, HostedEpisode, HostedTool } from './hosted-environment.ts';
import type { WorkerEpisode, WorkerHost } from './worker-host.ts';
import type { WorkerPool } from './worker-pool.ts';

/** Creates an environment whose code runs in the workers of a pool. */
export function createRemoteEnvironment(info: EnvironmentInfo, pool: WorkerPool): HostedEnvironment {
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
