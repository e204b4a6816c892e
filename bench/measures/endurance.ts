import { busyPoll } from '../load/busy-poll.ts';
import { type Call, submit, withClients } from '../load/protocol.ts';
import { preloadFlags, readPreload, startServer } from '../process/server-process.ts';
import { callFor } from './calls.ts';
import type { Measure, MeasureContext } from './measure.ts';

const measure = 'endurance';
const large: Call = { tool: 'big', input: { bytes: 10_000 }, text: 'x'.repeat(10_000), reward: null };
const PARTS = 10;

/**
 * Runs ten minutes of full load in the same sessions, long enough for the result cache to reach its limits of count and
 * bytes, and for a leak to show. Most turns have small calls, every fourth has results of 10 KB. After each tenth of
 * the run the server collects garbage and reports its memory in use, including cached results; resident memory is read
 * after every turn.
 */
export const endurance: Measure = {
  name: measure,
  about: 'memory of our server during ten minutes at full load, in use and resident; runs only on request',
  isExtra: true,
  run: async (context) => {
    const contestant = context.contestants.find(({ name }) => name === 'ours');
    if (contestant === undefined) return;
    await using server = await startServer(contestant, preloadFlags('heap-usage', '--expose-gc'));
    const { turns, seconds } = context.quick ? { turns: 1, seconds: 0.5 } : { turns: 20, seconds: 3 };
    await withClients(server, 32, async (clients) => {
      const sessions = await Promise.all(clients.map((client) => client.openSession()));
      const smallCalls = sessions.map((session) => session.prepare(submit));
      const largeCalls = sessions.map((session) => session.prepare(large));
      const onError = (error: unknown) => context.fault(measure, server.name, error);
      const resident: number[][] = [];
      const inUse: number[][] = [];
      for (let part = 1; part <= PARTS; part += 1) {
        const megabytes: number[] = [];
        for (let turn = 1; turn <= turns; turn += 1) {
          const count = (part - 1) * turns + turn;
          context.progress(`${measure}, ${count * seconds} s of ${PARTS * turns * seconds}`);
          const calls = count % 4 === 0 ? largeCalls : smallCalls;
          await busyPoll(() => callFor(seconds, { calls, latencies: [], onError }));
          megabytes.push(server.memory() / 1e6);
        }
        resident.push(megabytes);
        inUse.push([(await readPreload(server.child)) / 1e6]);
      }
      record(context, 'RSS', resident);
      record(context, 'memory in use after GC', inUse);
    });
  },
};

/**
 * Records memory at the start and at the end of the run. The first tenth fills the caches and does not count. The ratio
 * compares minimums, because the garbage collector decides how far memory rises above them.
 */
function record(context: MeasureContext, kind: string, tenths: readonly (readonly number[])[]): void {
  const [early, late] = [tenths.slice(1, 3).flat(), tenths.slice(-2).flat()];
  const put = (name: string, value: number) => context.record({ measure, name, better: 'less' }, 'ours', value);
  for (const value of early) put(`${kind}, second and third tenth, MB`, value);
  for (const value of late) put(`${kind}, last two tenths, MB`, value);
  // In a quick run the caches are not full.
  if (!context.quick) put(`${kind}, ratio of the minimums`, Math.min(...late) / Math.min(...early));
}
