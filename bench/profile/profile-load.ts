import type { Profiler } from 'node:inspector';
import { awake } from '../load/awake.ts';
import { withConnections } from '../load/connection.ts';
import { openEpisode, submit } from '../load/episode.ts';
import { callFor } from '../measures/calls.ts';
import { playFor } from '../measures/episodes.ts';
import type { Contestant } from '../process/contestants.ts';
import { preloaded } from '../process/preloaded.ts';
import { startServer } from '../process/server-process.ts';

const warmUpSeconds = 3;

export interface ProfiledLoad {
  readonly seconds: number;
  readonly connections: number;
  readonly load: 'calls' | 'episodes';
}

/** The profile of a warm server under a load, how many calls or episodes that was, and their CPU in microseconds. */
export async function profileLoad(contestant: Contestant, { seconds, connections, load }: ProfiledLoad) {
  await using server = await startServer(contestant, preloaded('profiled'));
  return await withConnections(server.port, connections, async (open) => {
    const sids = load === 'calls' ? await Promise.all(open.map((connection) => openEpisode(connection))) : [];
    const onWrong = (error: unknown): never => {
      throw error;
    };
    const run = (length: number, durations: number[]) =>
      load === 'calls'
        ? callFor(length, { connections: open, sids, call: submit, latencies: durations, onWrong })
        : playFor(length, { connections: open, durations, onWrong });
    await run(warmUpSeconds, []);
    server.child.send('start');
    const before = server.cpu();
    const durations: number[] = [];
    await awake(() => run(seconds, durations));
    const cpu = server.cpu() - before;
    const profile = await new Promise<Profiler.Profile>((resolve, reject) => {
      // The only message of `profiled.ts` is the profile.
      server.child.once('message', (message) => resolve(message as Profiler.Profile));
      server.child.once('exit', () => reject(new Error('The server ended before it gave its profile')));
      server.child.send('stop');
    });
    return { profile, count: durations.length, cpu };
  });
}
