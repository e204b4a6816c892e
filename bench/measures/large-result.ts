import { type Call, type PreparedCall, withClients } from '../load/protocol.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { collectGarbage, type Measure, type MeasureContext, runGenerations, WARM_UP_SECONDS } from './measure.ts';

const measure = 'large';
const bytes = 10_000_000;
const call: Call = { tool: 'big', input: { bytes }, text: 'x'.repeat(bytes), reward: null };
const CALLS_PER_ROUND = 3;

/** A result of 10 MB: the time from the request to the last byte, and the server's CPU time. */
export const largeResult: Measure = {
  name: measure,
  about: 'milliseconds for a result of 10 MB',
  run: (context) => {
    const plan = { count: context.quick ? 2 : 6, rounds: 2, timeoutSeconds: 60 };
    return runGenerations(context, measure, plan, (server, round) =>
      round === 0 ? warmUp(server) : runRound(context, server),
    );
  },
};

async function warmUp(server: ServerProcess): Promise<void> {
  await withSession(server, async (prepared) => {
    for (const end = performance.now() + WARM_UP_SECONDS * 1000; performance.now() < end; ) await prepared.send();
  });
}

async function runRound(context: MeasureContext, server: ServerProcess): Promise<void> {
  await withSession(server, async (prepared) => {
    for (let count = 0; count < CALLS_PER_ROUND; count += 1) {
      collectGarbage();
      const cpuBefore = server.cpu();
      const from = performance.now();
      const response = await prepared.send();
      const ms = performance.now() - from;
      const cpuMs = (server.cpu() - cpuBefore) / 1000;
      prepared.check(response);
      context.record({ measure, name: '10 MB result ms', better: 'less' }, server.name, ms);
      context.record({ measure, name: 'CPU ms/10 MB result', better: 'less' }, server.name, cpuMs);
    }
  });
}

/** Opens a session, and runs `work` with the call. */
async function withSession(server: ServerProcess, work: (prepared: PreparedCall) => Promise<void>): Promise<void> {
  await withClients(server, 1, async ([client]) => {
    const session = await client?.openSession();
    if (session === undefined) return;
    await work(session.prepare(call));
    await session.close();
  });
}
