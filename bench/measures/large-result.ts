import { checkCall } from '../load/answers.ts';
import { collectGarbage } from '../load/collect-garbage.ts';
import { withConnections } from '../load/connection.ts';
import { callRequest, closeEpisode, openEpisode } from '../load/episode.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { type Bench, inGenerations, type Measure } from './measure.ts';

const measure = 'large';
const bytes = 10_000_000;
const text = 'x'.repeat(bytes);
const callsPerRound = 3;

/** A result of 10 MB: the time from the request to the last byte, and the server's CPU time. */
export const largeResult: Measure = {
  name: measure,
  about: 'milliseconds for a result of 10 MB',
  run: (bench) => {
    const plan = { count: bench.quick ? 2 : 6, rounds: 2, limitSeconds: 60 };
    return inGenerations(bench, measure, plan, (server, round) => callRound(bench, server, round > 0));
  },
};

async function callRound(bench: Bench, server: ServerProcess, counts: boolean): Promise<void> {
  await withConnections(server.port, 1, async ([connection]) => {
    if (connection === undefined) return;
    const sid = await openEpisode(connection);
    const request = callRequest(sid, 'big', { bytes });
    for (let call = 0; call < callsPerRound; call += 1) {
      collectGarbage();
      const cpuBefore = server.cpu();
      const from = performance.now();
      const reply = await connection.send(request);
      const ms = performance.now() - from;
      const cpuMs = (server.cpu() - cpuBefore) / 1000;
      checkCall(reply, text, null);
      if (!counts) continue;
      bench.record({ measure, name: '10 MB result ms', better: 'less' }, server.name, ms);
      bench.record({ measure, name: 'CPU ms/10 MB result', better: 'less' }, server.name, cpuMs);
    }
    await closeEpisode(connection, sid);
  });
}
