import type { Call } from '../load/episode.ts';
import { callRound, recordRound } from '../measures/calls.ts';
import { inRounds, type Measure, withServers } from '../measures/measure.ts';

const clients = 8;
/** The same work wherever it runs, some 20 ms of it. */
const hash: Call = { tool: 'hash', input: { rounds: 10_000 }, text: 'Hashed.', reward: null };
const measure = `throughput, ${clients} sessions whose tool computes`;

/**
 * How many calls of a tool that computes a server brings to an end: workers share the cores, one thread has one. On a
 * machine that does other work neither gets all of its share, which the cores that each had tell.
 */
export const throughput: Measure = {
  name: 'throughput',
  about: `calls per second of a tool that computes for some 20 ms, ${clients} sessions at once`,
  run: (bench) =>
    withServers(bench, measure, async (servers) => {
      const plan = { rounds: bench.quick ? 3 : 9, runners: servers, warmUp: true, limitSeconds: 60 };
      const load = { connections: clients, call: hash, seconds: bench.quick ? 0.5 : 3 };
      await inRounds(bench, measure, plan, async (server, round) => {
        const figures = await callRound(bench, measure, server, load);
        if (round === 0) return;
        recordRound(bench, measure, server, figures);
        const cores = figures.cpu / 1e6 / figures.seconds;
        bench.record({ measure, name: 'cores that it had', better: 'neither' }, server.name, cores);
      });
    }),
};
