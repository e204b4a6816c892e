import { setTimeout as sleep } from 'node:timers/promises';
import { checkCall } from '../load/answers.ts';
import { withConnections } from '../load/connection.ts';
import { callRequest, openEpisode } from '../load/episode.ts';
import { median } from '../load/statistics.ts';
import { type Bench, inRounds, type Measure } from '../measures/measure.ts';
import type { Contestant } from '../process/contestants.ts';
import { type ServerProcess, startServer } from '../process/server-process.ts';

const sessionCount = 8;
const measure = `memory of a server with ${sessionCount} sessions in 0, 1 and ${sessionCount + 1} workers`;
const settleMs = 1500;

/**
 * What a worker holds: a fresh server in each mode, a pool of one. In mode `session` there is a worker for each session
 * and one for what belongs to none.
 */
export const workers: Measure = {
  name: 'workers',
  about: 'resident memory of a worker',
  run: async (bench) => {
    const resident = new Map<string, number[]>();
    const plan = { rounds: bench.quick ? 2 : 5, runners: bench.contestants, warmUp: false, limitSeconds: 60 };
    await inRounds(bench, 'workers', plan, async (contestant) => {
      const megabytes = await measureOne(contestant);
      bench.record({ measure, name: 'RSS MB', better: 'less' }, contestant.name, megabytes);
      resident.set(contestant.name, [...(resident.get(contestant.name) ?? []), megabytes]);
    });
    recordPerWorker(bench, resident);
  },
};

async function measureOne(contestant: Contestant): Promise<number> {
  await using server = await startServer(contestant);
  await fill(server);
  await sleep(settleMs);
  return server.memory() / 1024 / 1024;
}

/** Opens the sessions and makes a call in each, so that what a call needs is loaded. */
async function fill(server: ServerProcess): Promise<void> {
  await withConnections(server.port, 1, async (connections) => {
    for (const connection of connections) {
      for (let count = 0; count < sessionCount; count += 1) {
        const sid = await openEpisode(connection);
        checkCall(await connection.send(callRequest(sid, 'submit', { answer: '4' })), 'Correct!', 1);
      }
    }
  });
}

/** What each worker but the first adds. */
function recordPerWorker(bench: Bench, resident: ReadonlyMap<string, readonly number[]>): void {
  const [one, all] = ['worker', 'session'].map((name) => median(resident.get(name) ?? []));
  const perWorker = ((all ?? Number.NaN) - (one ?? Number.NaN)) / sessionCount;
  bench.record({ measure, name: 'RSS MB of one worker more', better: 'less' }, 'session', perWorker);
}
