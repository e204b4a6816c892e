import { checkCall } from '../load/answers.ts';
import { collectGarbage } from '../load/collect-garbage.ts';
import { withConnections } from '../load/connection.ts';
import { callRequest, closeEpisode, openEpisode } from '../load/episode.ts';
import type { Reply } from '../load/reply-parser.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { type Bench, COMPILING_SECONDS, inGenerations, type Measure } from './measure.ts';

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
    return inGenerations(bench, measure, plan, (server, round) =>
      round === 0 ? warmUp(server) : callRound(bench, server),
    );
  },
};

async function warmUp(server: ServerProcess): Promise<void> {
  await withCaller(server, async (call) => {
    for (const end = performance.now() + COMPILING_SECONDS * 1000; performance.now() < end; ) await call();
  });
}

async function callRound(bench: Bench, server: ServerProcess): Promise<void> {
  await withCaller(server, async (call) => {
    for (let round = 0; round < callsPerRound; round += 1) {
      collectGarbage();
      const cpuBefore = server.cpu();
      const from = performance.now();
      const reply = await call();
      const ms = performance.now() - from;
      const cpuMs = (server.cpu() - cpuBefore) / 1000;
      checkCall(reply, text, null);
      bench.record({ measure, name: '10 MB result ms', better: 'less' }, server.name, ms);
      bench.record({ measure, name: 'CPU ms/10 MB result', better: 'less' }, server.name, cpuMs);
    }
  });
}

/** Works with what calls for the result once, in a session of its own. */
async function withCaller(server: ServerProcess, work: (call: () => Promise<Reply>) => Promise<void>): Promise<void> {
  await withConnections(server.port, 1, async ([connection]) => {
    if (connection === undefined) return;
    const sid = await openEpisode(connection);
    const request = callRequest(sid, 'big', { bytes });
    await work(() => connection.send(request));
    await closeEpisode(connection, sid);
  });
}
