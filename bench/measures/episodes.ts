import { WrongAnswer } from '../load/answers.ts';
import { type Connection, withConnections } from '../load/connection.ts';
import { playEpisode } from '../load/episode.ts';
import { percentile } from '../load/statistics.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { type Bench, inRounds, type Measure, timed, withServers } from './measure.ts';

const measure = 'episodes';
const clients = 32;

/** Whole episodes of five requests: create_session, create, prompt, call, delete. */
export const episodes: Measure = {
  name: measure,
  about: `episodes per second and CPU per episode, with ${clients} clients`,
  run: (bench) =>
    withServers(bench, measure, async (servers) => {
      const seconds = bench.quick ? 0.75 : 1.5;
      const plan = { rounds: bench.quick ? 6 : 12, runners: servers, warmUp: true, limitSeconds: seconds + 30 };
      await inRounds(bench, measure, plan, (server, round) => playRound(bench, server, seconds, round > 0));
    }),
};

async function playRound(bench: Bench, server: ServerProcess, seconds: number, counts: boolean): Promise<void> {
  const durations: number[] = [];
  const usage = await withConnections(server.port, clients, (connections) =>
    timed(bench, measure, server, () =>
      playFor(seconds, connections, durations, (error) => bench.fault(measure, server.name, error)),
    ),
  );
  if (!counts) return;

  const sorted = Float64Array.from(durations);
  const record = (name: string, better: 'more' | 'less', value: number) =>
    bench.record({ measure, name, better }, server.name, value);
  record('episodes/s', 'more', durations.length / usage.seconds);
  record('p50 ms', 'less', percentile(sorted, 0.5));
  record('p99 ms', 'less', percentile(sorted, 0.99));
  record('CPU us/episode', 'less', usage.cpu / durations.length);
}

/** Plays on every connection, one episode after the other, until the time is over. */
export async function playFor(
  seconds: number,
  connections: readonly Connection[],
  durations: number[],
  onWrong: (error: unknown) => void,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  await Promise.all(connections.map((connection) => playUntil(end, connection, durations, onWrong)));
}

/** An episode with a wrong answer does not count. */
async function playUntil(
  end: number,
  connection: Connection,
  durations: number[],
  onWrong: (error: unknown) => void,
): Promise<void> {
  for (let from = performance.now(); from < end; ) {
    try {
      await playEpisode(connection);
      durations.push(performance.now() - from);
    } catch (error) {
      if (!(error instanceof WrongAnswer)) throw error;
      onWrong(error);
    }
    from = performance.now();
  }
}
