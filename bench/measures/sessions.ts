import { setTimeout as sleep } from 'node:timers/promises';
import { withConnections } from '../load/connection.ts';
import { openEpisodes, playEpisodes } from '../load/episode.ts';
import type { Contestant } from '../process/contestants.ts';
import { ask, preloaded } from '../process/preloaded.ts';
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
  about: 'bytes per idle session, resident and in use, with 10,000 and with 100,000 sessions',
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
  const isNode = contestant.command === process.execPath;
  await using server = await startServer(contestant, isNode ? preloaded('collected', '--expose-gc') : []);
  const read = async () => {
    await sleep(settleMs);
    const inUse = isNode ? await ask(server.child) : undefined;
    return { resident: server.memory(), inUse };
  };
  await withConnections(server.port, clients, async (connections) => {
    await playEpisodes(connections, 2000);
    const before = await read();
    await openEpisodes(connections, count);
    const after = await read();
    const record = (kind: string, bytes: number) => {
      const name = `${kind} bytes/idle session, of ${count.toLocaleString('en')}`;
      bench.record({ measure, name, better: 'less' }, contestant.name, bytes / count);
    };
    record('RSS', after.resident - before.resident);
    if (before.inUse !== undefined && after.inUse !== undefined) record('heap', after.inUse - before.inUse);
  });
}
