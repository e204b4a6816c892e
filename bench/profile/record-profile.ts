import type { ChildProcess } from 'node:child_process';
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

export interface RecordedProfile {
  readonly profile: Profiler.Profile;
  /** Number of calls, episodes or blocks. */
  readonly count: number;
  /** CPU time in microseconds. */
  readonly cpu: number;
}

/** Records a warm server under load. */
export async function recordProfile(
  contestant: Contestant,
  { seconds, connections, load }: ProfileLoad,
): Promise<RecordedProfile> {
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
    const before = server.cpu();
    const durations: number[] = [];
    const profile = await profileWhile(server.child, () => busyPoll(() => run(seconds, durations)));
    return { profile, count: durations.length, cpu: server.cpu() - before };
  });
}

/** Records a process that has loaded `preload-profiler.ts`, as long as `work` runs. */
export async function profileWhile(child: ChildProcess, work: () => Promise<unknown>): Promise<Profiler.Profile> {
  child.send('start');
  await work();
  return await new Promise((resolve, reject) => {
    // `preload-profiler.ts` sends no other message than the profile.
    child.once('message', (message) => resolve(message as Profiler.Profile));
    child.once('exit', () => reject(new Error('the process exited before it sent its profile')));
    child.send('stop');
  });
}
