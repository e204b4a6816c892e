import { onAbort } from '../core/index.ts';
import type { HostedEpisode, HostedTool } from './hosted-environment.ts';
import type { WorkerEpisode, WorkerHost } from './worker-host.ts';

/** An episode whose code runs in a worker, which may be its own. */
export function createRemoteEpisode(lodger: WorkerEpisode, host: WorkerHost, isAlone: boolean): HostedEpisode {
  const { number: episode, session } = lodger;
  let tools: ReadonlyMap<string, HostedTool> = new Map();
  let teardown: Promise<void> | undefined;
  onAbort(session.signal, () => host.abort(episode));

  const tearDown = async () => {
    // Of a worker that is gone, only what the handles name is left.
    await host.link.call('teardown', { episode }).catch(() => lodger.cleanedUp);
    host.removeEpisode(lodger);
    if (isAlone) await host.terminate('its session has ended');
  };
  return {
    async setup() {
      tools = new Map(await host.link.call('setup', { episode }));
    },
    get tools() {
      return tools;
    },
    prompt: (wait) => host.callUntil(wait?.signal, 'prompt', { episode }),
    run: (tool, input, signal) =>
      host.link.call('run', { episode, tool, input, isLimited: signal !== undefined }, signal),
    teardown() {
      teardown ??= tearDown();
      return teardown;
    },
    abort: (reason) => void (isAlone ? host.terminate(reason) : host.terminateIfUnresponsive()),
  };
}
