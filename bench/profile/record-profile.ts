import type { Profiler } from 'node:inspector';
import { busyPoll } from '../load/busy-poll.ts';
import { submit, withClients } from '../load/protocol.ts';
import { callFor } from '../measures/calls.ts';
import { playFor } from '../measures/episodes.ts';
import type { Contestant } from '../process/contestants.ts';
import { preloadFlags, startServer } from '../process/server-process.ts';

const WARM_UP_SECONDS = 3;

export interface ProfileLoad {
  readonly seconds: number;
  readonly connections: number;
  readonly load: 'calls' | 'episodes';
}

/** @returns the profile of a warm server under load, the number of calls or episodes, and CPU time in microseconds. */
export async function recordProfile(contestant: Contestant, { seconds, connections, load }: ProfileLoad) {
  await using server = await startServer(contestant, preloadFlags('profiler'));
  return await withClients(server, connections, async (clients) => {
    const sessions = load === 'calls' ? await Promise.all(clients.map((client) => client.openSession())) : [];
    const calls = sessions.map((session) => session.prepare(submit));
    const onError = (error: unknown): never => {
      throw error;
    };
    const run = (length: number, durations: number[]) =>
      load === 'calls'
        ? callFor(length, { calls, latencies: durations, onError })
        : playFor(length, { clients, durations, onError });
    await run(WARM_UP_SECONDS, []);
    server.child.send('start');
    const before = server.cpu();
    const durations: number[] = [];
    await busyPoll(() => run(seconds, durations));
    const cpu = server.cpu() - before;
    const profile = await new Promise<Profiler.Profile>((resolve, reject) => {
      // `preload-profiler.ts` sends no other message than the profile.
      server.child.once('message', (message) => resolve(message as Profiler.Profile));
      server.child.once('exit', () => reject(new Error('the server exited before it sent its profile')));
      server.child.send('stop');
    });
    return { profile, count: durations.length, cpu };
  });
}
