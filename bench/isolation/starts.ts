import { expectStatus } from '../load/answers.ts';
import { type Connection, httpRequest, withConnections } from '../load/connection.ts';
import { closeEpisode, openEpisode } from '../load/episode.ts';
import { percentile } from '../load/statistics.ts';
import { type Bench, inRounds, type Measure, withServers } from '../measures/measure.ts';
import type { ServerProcess } from '../process/server-process.ts';

const measure = 'starts: /create_session, /create and prompt';
const together = 8;

/** How long a session takes from its beginning to its prompt; in mode `session` a worker starts for each. */
export const starts: Measure = {
  name: 'starts',
  about: `from /create_session to the prompt, one session at a time and ${together} at once`,
  run: (bench) =>
    withServers(bench, 'starts', async (servers) => {
      const plan = { rounds: bench.quick ? 3 : 7, runners: servers, warmUp: true, limitSeconds: 60 };
      await inRounds(bench, 'starts', plan, (server, round) => startSessions(bench, server, round > 0));
    }),
};

async function startSessions(bench: Bench, server: ServerProcess, counts: boolean): Promise<void> {
  await withConnections(server.port, together, async (connections) => {
    const alone: number[] = [];
    for (const connection of connections) {
      const { ms, sid } = await startSession(connection);
      alone.push(ms);
      await closeEpisode(connection, sid);
    }
    const atOnce = await Promise.all(connections.map(startSession));
    await Promise.all(atOnce.map(({ sid }, index) => closeEpisode(connections[index] as Connection, sid)));
    if (!counts) return;
    const record = (name: string, value: number) => bench.record({ measure, name, better: 'less' }, server.name, value);
    record('one at a time, p50 ms', percentile(Float64Array.from(alone), 0.5));
    record('one at a time, at most ms', Math.max(...alone));
    record(`${together} at once, ms to the last prompt`, Math.max(...atOnce.map(({ ms }) => ms)));
  });
}

async function startSession(connection: Connection): Promise<{ ms: number; sid: string }> {
  const from = performance.now();
  const sid = await openEpisode(connection);
  expectStatus(await connection.send(httpRequest('GET', '/bench/prompt', sid)), 'prompt');
  return { ms: performance.now() - from, sid };
}
