import { onAbort } from '../core/index.ts';
import type { HostedEpisode, HostedTool } from './hosted-environment.ts';
import type { Lodger, WorkerHost } from './worker-host.ts';

/** An episode whose code runs in a worker, which may be its own. */
export function remoteEpisode(lodger: Lodger, host: WorkerHost, isAlone: boolean): HostedEpisode {
  const { number: episode, session } = lodger;
  let tools: ReadonlyMap<string, HostedTool> = new Map();
  let teardown: Promise<void> | undefined;
  onAbort(session.signal, () => host.abort(episode));

  const tearDown = async () => {
    // Of a worker that is gone, only what the handles name is left.
    await host.link.ask('teardown', { episode }).catch(() => lodger.reaped);
    host.leave(lodger);
    if (isAlone) await host.end('its session has ended');
  };
  return {
    async setup() {
      tools = new Map(await host.link.ask('setup', { episode }));
    },
    get tools() {
      return tools;
    },
    prompt: (wait) => host.askUntil(wait?.signal, 'prompt', { episode }),
    run: (tool, input, signal) =>
      host.link.ask('run', { episode, tool, input, isLimited: signal !== undefined }, signal),
    teardown() {
      teardown ??= tearDown();
      return teardown;
    },
    abandon: (reason) => void (isAlone ? host.end(reason) : host.endIfStuck()),
  };
}
