import type { TaskSelector } from '../client/index.ts';
import type { Environment, PlayerOutput } from '../environment/index.ts';
import type { JSONObject } from '../protocol/index.ts';
import { playInProcess } from './in-process.ts';
import { playOverTheWire } from './over-the-wire.ts';
import type { EpisodePlayer } from './player.ts';
import { resolveFullTask } from './whole-task.ts';

export interface PlayEpisodeOptions {
  /**
   * `wire` plays as agents do, through a client and a server; errors are what players learn of them. `process` calls the
   * environment directly, and errors are the author's own, with their stacks. Default: wire.
   */
  readonly via?: 'wire' | 'process';
  /** A running server that has the environment, for `wire`. Default: one of its own, which ends with the episode. */
  readonly url?: string;
  readonly secrets?: Readonly<Record<string, string>>;
}

/** An episode that a test plays. */
export interface TestEpisode extends EpisodePlayer, AsyncDisposable {
  /** Plays the episode by the environment's own `solve`, which must exist, and gives the output of each call. */
  solve(): Promise<readonly PlayerOutput[]>;
}

/**
 * Plays one episode of an environment: what authors test environments with.
 *
 * @throws Error that says why, if the episode cannot be created or set up.
 */
export async function play(
  environment: Environment,
  choice: TaskSelector,
  { via = 'wire', url, secrets = {} }: PlayEpisodeOptions = {},
): Promise<TestEpisode> {
  if (via === 'process' && url !== undefined) throw new TypeError("url is for via: 'wire'; leave one of them out");
  const player =
    via === 'process'
      ? await playInProcess(environment, choice, secrets)
      : await playOverTheWire(environment, choice, secrets, url);
  return {
    ...player,
    async solve() {
      const { solve } = environment.hooks;
      if (!solve) throw new Error(`environment '${environment.name}' has no solve; add one to have it played`);
      const outputs: PlayerOutput[] = [];
      const call = async (name: string, input?: JSONObject) => {
        const output = await player.call(name, input);
        outputs.push(output);
        return output;
      };
      const { prompt, tools } = player;
      await solve({ task: (await resolveFullTask(environment, choice)) as never, prompt, tools, call });
      return outputs;
    },
    [Symbol.asyncDispose]: player.close,
  };
}
