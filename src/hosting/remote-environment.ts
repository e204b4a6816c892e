import { abortable } from '../core/index.ts';
import type { HostedEnvironment } from './hosted-environment.ts';
import type { EnvironmentFacts } from './messages.ts';
import { remoteEpisode } from './remote-episode.ts';
import type { Lodger } from './worker-host.ts';
import type { WorkerPool } from './worker-pool.ts';

/** An environment whose code runs in the workers of a pool. */
export function remoteEnvironment(facts: EnvironmentFacts, pool: WorkerPool): HostedEnvironment {
  const { name: environment, description, splits, tools } = facts;
  let count = 0;
  return {
    name: environment,
    description,
    splits,
    tools,
    countTasks: (split, wait) => pool.any.askUntil(wait?.signal, 'countTasks', { environment, split }),
    task: (split, index, wait) => pool.any.askUntil(wait?.signal, 'task', { environment, split, index }),
    tasks: (split, start, stop, wait) => pool.any.askUntil(wait?.signal, 'tasks', { environment, split, start, stop }),
    async open(task, session, wait) {
      const { host, isAlone } = pool.place();
      const lodger: Lodger = { number: ++count, environment, session, handles: [], reaped: undefined };
      const { number: episode } = lodger;
      const { sessionId, secrets } = session;
      const signal = wait?.signal;
      host.enter(lodger);
      try {
        await abortable(signal, () => host.loaded);
        await host.askUntil(signal, 'open', { environment, episode, sessionId, task, secrets });
      } catch (error) {
        host.leave(lodger);
        if (isAlone) void host.end('its session could not be opened');
        else if (signal?.aborted) host.forget(episode);
        throw error;
      }
      return remoteEpisode(lodger, host, isAlone);
    },
    close: () => pool.close(),
  };
}
