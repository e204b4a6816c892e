import { WrongAnswer } from '../load/answers.ts';
import { type Connection, withConnections } from '../load/connection.ts';
import { playEpisode } from '../load/episode.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { recordRound } from './calls.ts';
import { type Bench, COMPILING_SECONDS, inGenerations, type Measure, timed, WAKING_SECONDS } from './measure.ts';

const measure = 'episodes';
const clients = 32;

/** Whole episodes of five requests: create_session, create, prompt, call, delete. */
export const episodes: Measure = {
  name: measure,
  about: `episodes per second and CPU per episode, with ${clients} clients`,
  run: (bench) => {
    const seconds = bench.quick ? 0.5 : 1.5;
    const plan = { count: bench.quick ? 2 : 6, rounds: 2, limitSeconds: seconds + 30 };
    return inGenerations(bench, measure, plan, (server, round) =>
      playRound(bench, server, round === 0 ? COMPILING_SECONDS : seconds, round > 0),
    );
  },
};

async function playRound(bench: Bench, server: ServerProcess, seconds: number, counts: boolean): Promise<void> {
  const latencies: number[] = [];
  const onWrong = (error: unknown) => bench.fault(measure, server.name, error);
  const usage = await withConnections(server.port, clients, async (connections) => {
    await playFor(WAKING_SECONDS, { connections, durations: [], onWrong });
    return await timed(bench, measure, server, () => playFor(seconds, { connections, durations: latencies, onWrong }));
  });
  if (counts) recordRound(bench, measure, server, { latencies, ...usage }, 'episode');
}

interface Episodes {
  connections: readonly Connection[];
  /** Gets the milliseconds of each episode that went right. */
  durations: number[];
  onWrong: (error: unknown) => void;
  /** The task of all episodes. Default: the first. */
  task?: { index: number };
}

/** Plays on every connection, one episode after the other, until the time is over. */
export async function playFor(seconds: number, episodes: Episodes): Promise<void> {
  const end = performance.now() + seconds * 1000;
  await Promise.all(episodes.connections.map((connection) => playUntil(end, connection, episodes)));
}

async function playUntil(end: number, connection: Connection, { durations, onWrong, task }: Episodes): Promise<void> {
  for (let from = performance.now(); from < end; ) {
    try {
      await playEpisode(connection, task);
      durations.push(performance.now() - from);
    } catch (error) {
      if (!(error instanceof WrongAnswer)) throw error;
      onWrong(error);
    }
    from = performance.now();
  }
}
