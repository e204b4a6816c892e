import type { Call } from '../load/protocol.ts';
import { recordRound, runCalls } from '../measures/calls.ts';
import { type Measure, runRounds, withServers } from '../measures/measure.ts';

const clients = 8;
/** A fixed amount of work, about 20 ms. */
const hash: Call = { tool: 'hash', input: { rounds: 10_000 }, text: 'Hashed.', reward: null };
const measure = `throughput, ${clients} sessions with a CPU-bound tool`;

/**
 * Completed calls of a CPU-bound tool: workers can use all cores, a single thread one. The number of used cores shows
 * whether other work on the machine took a part of them.
 */
export const throughput: Measure = {
  name: 'throughput',
  about: `calls per second of a tool that computes for about 20 ms, with ${clients} concurrent sessions`,
  run: (context) =>
    withServers(context, measure, async (servers) => {
      const plan = { rounds: context.quick ? 3 : 9, runners: servers, warmUp: true, timeoutSeconds: 60 };
      const load = { connections: clients, call: hash, seconds: context.quick ? 0.5 : 3 };
      await runRounds(context, measure, plan, async (server, round) => {
        const figures = await runCalls(context, measure, server, load);
        if (round === 0) return;
        recordRound(context, measure, server, figures);
        const cores = figures.cpu / 1e6 / figures.seconds;
        context.record({ measure, name: 'cores used', better: 'neither' }, server.name, cores);
      });
    }),
};
