import { setTimeout as sleep } from 'node:timers/promises';
import { withConnections } from '../load/connection.ts';
import { openEpisodes, playEpisodes } from '../load/episode.ts';
import type { Contestant } from '../process/contestants.ts';
import { startServer } from '../process/server-process.ts';
import { type Bench, inRounds, type Measure } from './measure.ts';

const measure = 'sessions';
const clients = 32;
const settleMs = 1500;

interface Size {
  count: number;
  rounds: number;
  /** Contestants that would take minutes and be as with fewer sessions. */
  without: readonly string[];
}

/**
 * How much a server grows by sessions that do nothing. Each round takes a fresh server and warms it up with whole
 * episodes, so that compiled code and the usual garbage are there before the first reading.
 */
export const sessions: Measure = {
  name: measure,
  about: 'resident bytes per idle session, with 10,000 and with 100,000 sessions',
  run: async (bench) => {
    for (const size of sizes(bench.quick)) {
      const runners = bench.contestants.filter(({ name }) => !size.without.includes(name));
      const plan = { rounds: size.rounds, runners, warmUp: false, limitSeconds: 90 + size.count / 100 };
      await inRounds(bench, measure, plan, (contestant) => fillServer(bench, contestant, size.count));
    }
  },
};

const sizes = (quick: boolean): Size[] => [
  { count: 10_000, rounds: quick ? 1 : 2, without: [] },
  ...(quick ? [] : [{ count: 100_000, rounds: 1, without: ['express', 'openreward'] }]),
];

async function fillServer(bench: Bench, contestant: Contestant, count: number): Promise<void> {
  await using server = await startServer(contestant);
  await withConnections(server.port, clients, async (connections) => {
    await playEpisodes(connections, 2000);
    await sleep(settleMs);
    const before = server.memory();
    await openEpisodes(connections, count);
    await sleep(settleMs);
    const name = `RSS bytes/idle session, of ${count.toLocaleString('en')}`;
    bench.record({ measure, name, better: 'less' }, contestant.name, (server.memory() - before) / count);
  });
}
