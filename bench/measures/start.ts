import { withConnections } from '../load/connection.ts';
import { playEpisode } from '../load/episode.ts';
import type { Contestant } from '../process/contestants.ts';
import { startServer } from '../process/server-process.ts';
import { type Bench, inRounds, type Measure } from './measure.ts';

const measure = 'start';

/** From the start of the process to its first answer, and to the end of its first episode. */
export const start: Measure = {
  name: measure,
  about: 'milliseconds from the start of a process to its first answer, and through its first episode',
  run: async (bench) => {
    const plan = { rounds: bench.quick ? 2 : 9, runners: bench.contestants, warmUp: true, limitSeconds: 60 };
    await inRounds(bench, measure, plan, (contestant, round) => startOnce(bench, contestant, round > 0));
  },
};

async function startOnce(bench: Bench, contestant: Contestant, counts: boolean): Promise<void> {
  await using server = await startServer(contestant);
  const from = performance.now();
  await withConnections(server.port, 1, async ([connection]) => connection && playEpisode(connection));
  const firstEpisodeMs = performance.now() - from;
  if (!counts) return;
  const record = (name: string, value: number) =>
    bench.record({ measure, name, better: 'less' }, contestant.name, value);
  record('ms to first answer', server.startedAfterMs);
  record('ms to end of first episode', server.startedAfterMs + firstEpisodeMs);
  record('RSS MB', server.memory() / 1e6);
}
