import { abortable } from '../core/index.ts';
import type { HostedEnvironment } from './hosted-environment.ts';
import type { EnvironmentInfo } from './messages.ts';
import { createRemoteEpisode } from './remote-episode.ts';
import type { WorkerEpisode } from './worker-host.ts';
import type { WorkerPool } from './worker-pool.ts';

/** An environment whose code runs in the workers of a pool. */
export function createRemoteEnvironment(facts: EnvironmentInfo, pool: WorkerPool): HostedEnvironment {
  const { name: environment, description, splits, tools } = facts;
  let count = 0;
  return {
    name: environment,
    description,
    splits,
    tools,
    countTasks: (split, wait) => pool.leastLoaded.callUntil(wait?.signal, 'countTasks', { environment, split }),
    task: (split, index, wait) => pool.leastLoaded.callUntil(wait?.signal, 'task', { environment, split, index }),
    tasks: (split, start, stop, wait) =>
      pool.leastLoaded.callUntil(wait?.signal, 'tasks', { environment, split, start, stop }),
    async open(task, session, wait) {
      const { host, isDedicated } = pool.assign();
      const lodger: WorkerEpisode = { number: ++count, environment, session, handles: [], cleanedUp: undefined };
      const { number: episode } = lodger;
      const { sessionId, secrets } = session;
      const signal = wait?.signal;
      host.addEpisode(lodger);
      try {
        await abortable(signal, () => host.loaded);
        await host.callUntil(signal, 'open', { environment, episode, sessionId, task, secrets });
      } catch (error) {
        host.removeEpisode(lodger);
        if (isDedicated) void host.terminate('its session could not be opened');
        else if (signal?.aborted) host.discardEpisode(episode);
        throw error;
      }
      return createRemoteEpisode(lodger, host, isDedicated);
    },
    close: () => pool.close(),
  };
}
