import { assertOk } from '../load/assertions.ts';
import { type Connection, httpRequest, withConnections } from '../load/connection.ts';
import { closeEpisode, openEpisode } from '../load/ors.ts';
import { type Measure, type MeasureContext, runRounds, withServers } from '../measures/measure.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { percentile } from '../statistics.ts';

const measure = 'starts: /create_session, /create and prompt';
const CONCURRENT = 8;

/** Time from the start of a session to its prompt. In mode `session`, a worker starts for each. */
export const starts: Measure = {
  name: 'starts',
  about: `from /create_session to the prompt, one session at a time and ${CONCURRENT} at once`,
  run: (context) =>
    withServers(context, 'starts', async (servers) => {
      const plan = { rounds: context.quick ? 3 : 7, runners: servers, warmUp: true, timeoutSeconds: 60 };
      await runRounds(context, 'starts', plan, (server, round) => runRound(context, server, round > 0));
    }),
};

async function runRound(context: MeasureContext, server: ServerProcess, isRecorded: boolean): Promise<void> {
  await withConnections(server.port, CONCURRENT, async (connections) => {
    const sequential: number[] = [];
    for (const connection of connections) {
      const { ms, sid } = await startSession(connection);
      sequential.push(ms);
      await closeEpisode(connection, sid);
    }
    const concurrent = await Promise.all(connections.map(startSession));
    await Promise.all(concurrent.map(({ sid }, index) => closeEpisode(connections[index] as Connection, sid)));
    if (!isRecorded) return;
    const record = (name: string, value: number) =>
      context.record({ measure, name, better: 'less' }, server.name, value);
    record('one at a time, p50 ms', percentile(sequential, 0.5));
    record('one at a time, max ms', Math.max(...sequential));
    record(`${CONCURRENT} at once, ms to the last prompt`, Math.max(...concurrent.map(({ ms }) => ms)));
  });
}

async function startSession(connection: Connection): Promise<{ ms: number; sid: string }> {
  const from = performance.now();
  const sid = await openEpisode(connection);
  assertOk(await connection.send(httpRequest('GET', '/bench/prompt', sid)), 'prompt');
  return { ms: performance.now() - from, sid };
}
