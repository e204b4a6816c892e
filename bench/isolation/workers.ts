import { setTimeout as sleep } from 'node:timers/promises';
import { assertCallResult } from '../load/assertions.ts';
import { withConnections } from '../load/connection.ts';
import { callRequest, openEpisode } from '../load/ors.ts';
import { type Measure, type MeasureContext, runRounds } from '../measures/measure.ts';
import type { Contestant } from '../process/contestants.ts';
import { type ServerProcess, startServer } from '../process/server-process.ts';
import { median } from '../statistics.ts';

const SESSIONS = 8;
const measure = `memory of a server with ${SESSIONS} sessions in 0, 1 and ${SESSIONS + 1} workers`;
const SETTLE_MS = 1500;

/**
 * Memory of a worker: of a new server in each mode, with a pool of one. In mode `session` there is a worker per
 * session, and one for requests without a session.
 */
export const workers: Measure = {
  name: 'workers',
  about: 'resident memory of a worker',
  run: async (context) => {
    const resident = new Map<string, number[]>();
    const plan = { rounds: context.quick ? 2 : 5, runners: context.contestants, warmUp: false, timeoutSeconds: 60 };
    await runRounds(context, 'workers', plan, async (contestant) => {
      const megabytes = await measureOne(contestant);
      context.record({ measure, name: 'RSS MB', better: 'less' }, contestant.name, megabytes);
      resident.set(contestant.name, [...(resident.get(contestant.name) ?? []), megabytes]);
    });
    recordPerWorker(context, resident);
  },
};

async function measureOne(contestant: Contestant): Promise<number> {
  await using server = await startServer(contestant);
  await openSessions(server);
  await sleep(SETTLE_MS);
  return server.memory() / 1024 / 1024;
}

/** Opens the sessions, with a call in each so that all code is loaded. */
async function openSessions(server: ServerProcess): Promise<void> {
  await withConnections(server.port, 1, async (connections) => {
    for (const connection of connections) {
      for (let count = 0; count < SESSIONS; count += 1) {
        const sid = await openEpisode(connection);
        assertCallResult(await connection.send(callRequest(sid, 'submit', { answer: '4' })), 'Correct!', 1);
      }
    }
  });
}

/** Records the memory that each worker after the first adds. */
function recordPerWorker(context: MeasureContext, resident: ReadonlyMap<string, readonly number[]>): void {
  const [one, all] = ['worker', 'session'].map((name) => median(resident.get(name) ?? []));
  const perWorker = ((all ?? Number.NaN) - (one ?? Number.NaN)) / SESSIONS;
  context.record({ measure, name: 'RSS MB per additional worker', better: 'less' }, 'session', perWorker);
}
