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
    countTasks: (split) => pool.any.link.ask('countTasks', { environment, split }),
    task: (split, index) => pool.any.link.ask('task', { environment, split, index }),
    tasks: (split, start, stop) => pool.any.link.ask('tasks', { environment, split, start, stop }),
    async open(request) {
      const { host, isAlone } = pool.place();
      const lodger: Lodger = { number: ++count, environment, request, handles: [], reaped: undefined };
      host.lodgers.set(lodger.number, lodger);
      try {
        await host.loaded;
        const { sessionId, task, secrets } = request;
        await host.link.ask('open', { environment, episode: lodger.number, sessionId, task, secrets });
      } catch (error) {
        host.lodgers.delete(lodger.number);
        if (isAlone) void host.end('its session could not be opened');
        throw error;
      }
      return remoteEpisode(lodger, host, isAlone);
    },
    close: () => pool.close(),
  };
}
