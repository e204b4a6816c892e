import { setTimeout as sleep } from 'node:timers/promises';
import { withConnections } from '../load/connection.ts';
import { openEpisodes, playEpisodes } from '../load/episode.ts';
import type { Contestant } from '../process/contestants.ts';
import { preloadFlags, readPreload, startServer } from '../process/server-process.ts';
import { type Measure, type MeasureContext, runRounds } from './measure.ts';

const measure = 'sessions';
const clients = 32;
const SETTLE_MS = 1500;

interface SessionLoad {
  count: number;
  rounds: number;
  /** Contestants that are left out: they would take minutes, with the same result as with fewer sessions. */
  without: readonly string[];
}

/**
 * Memory growth of a server through idle sessions. Each round starts a server and warms it up with whole episodes, so
 * that compiled code and the usual garbage exist before the first reading.
 */
export const sessions: Measure = {
  name: measure,
  about: 'bytes per idle session, resident and in use, with 10,000 and with 100,000 sessions',
  run: async (context) => {
    for (const load of loads(context.quick)) {
      const runners = context.contestants.filter(({ name }) => !load.without.includes(name));
      const plan = { rounds: load.rounds, runners, warmUp: false, timeoutSeconds: 90 + load.count / 100 };
      await runRounds(context, measure, plan, (contestant) => fillServer(context, contestant, load.count));
    }
  },
};

const loads = (quick: boolean): SessionLoad[] => [
  { count: 10_000, rounds: quick ? 1 : 2, without: [] },
  ...(quick ? [] : [{ count: 100_000, rounds: 1, without: ['express', 'openreward'] }]),
];

async function fillServer(context: MeasureContext, contestant: Contestant, count: number): Promise<void> {
  const isNode = contestant.command === process.execPath;
  await using server = await startServer(contestant, isNode ? preloadFlags('heap-usage', '--expose-gc') : []);
  const readMemory = async () => {
    await sleep(SETTLE_MS);
    const inUse = isNode ? await readPreload(server.child) : undefined;
    return { resident: server.memory(), inUse };
  };
  await withConnections(server.port, clients, async (connections) => {
    await playEpisodes(connections, 2000);
    const before = await readMemory();
    await openEpisodes(connections, count);
    const after = await readMemory();
    const record = (kind: string, bytes: number) => {
      const name = `${kind} bytes/idle session, of ${count.toLocaleString('en')}`;
      context.record({ measure, name, better: 'less' }, contestant.name, bytes / count);
    };
    record('RSS', after.resident - before.resident);
    if (before.inUse !== undefined && after.inUse !== undefined) record('heap', after.inUse - before.inUse);
  });
}
