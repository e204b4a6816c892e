import { setTimeout as sleep } from 'node:timers/promises';
import { withConnections } from '../load/connection.ts';
import { openEpisode, playEpisode } from '../load/episode.ts';
import type { Contestant } from '../process/contestants.ts';
import { type ServerProcess, startServer } from '../process/server-process.ts';
import { type Bench, inRounds, type Measure } from './measure.ts';

const measure = 'sessions';
const sessionCount = 10_000;
const clients = 32;
const settleMs = 1500;

/**
 * How much a server grows by sessions that do nothing. Each round takes a fresh server and warms it up with whole
 * episodes, so that compiled code and the usual garbage are there before the first reading.
 */
export const sessions: Measure = {
  name: measure,
  about: `resident bytes per idle session, with ${sessionCount.toLocaleString('en')} sessions`,
  run: async (bench) => {
    const plan = { rounds: bench.quick ? 1 : 3, runners: bench.contestants, warmUp: false, limitSeconds: 120 };
    await inRounds(bench, measure, plan, (contestant) => fillServer(bench, contestant));
  },
};

async function fillServer(bench: Bench, contestant: Contestant): Promise<void> {
  await using server = await startServer(contestant);
  await repeat(server, 3000, playEpisode);
  await sleep(settleMs);
  const before = server.memory();
  await repeat(server, sessionCount, openEpisode);
  await sleep(settleMs);
  const bytes = (server.memory() - before) / sessionCount;
  bench.record({ measure, name: 'RSS bytes/idle session', better: 'less' }, contestant.name, bytes);
}

type Play = typeof playEpisode | typeof openEpisode;

async function repeat(server: ServerProcess, times: number, play: Play): Promise<void> {
  await withConnections(server.port, clients, async (connections) => {
    let left = times;
    await Promise.all(
      connections.map(async (connection) => {
        while (left-- > 0) await play(connection);
      }),
    );
  });
}
