import type { HostedEnvironment } from './hosted-environment.ts';
import type { EnvironmentFacts } from './messages.ts';
import { orAborted } from './or-aborted.ts';
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
    countTasks: (split, signal) => pool.any.askUntil(signal, 'countTasks', { environment, split }),
    task: (split, index, signal) => pool.any.askUntil(signal, 'task', { environment, split, index }),
    tasks: (split, start, stop, signal) => pool.any.askUntil(signal, 'tasks', { environment, split, start, stop }),
    async open(request) {
      const { host, isAlone } = pool.place();
      const lodger: Lodger = { number: ++count, environment, request, handles: [], reaped: undefined };
      const {
        number,
        request: { sessionId, task, secrets, signal },
      } = lodger;
      host.enter(lodger);
      try {
        await orAborted(signal, () => host.loaded);
        await host.askUntil(signal, 'open', { environment, episode: number, sessionId, task, secrets });
      } catch (error) {
        host.leave(lodger);
        if (isAlone) void host.end('its session could not be opened');
        else if (signal.aborted) host.forget(number);
        throw error;
      }
      return remoteEpisode(lodger, host, isAlone);
    },
    close: () => pool.close(),
  };
}
