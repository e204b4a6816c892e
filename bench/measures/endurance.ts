import { awake } from '../load/awake.ts';
import { withConnections } from '../load/connection.ts';
import { openEpisode, submit } from '../load/episode.ts';
import { ask, preloaded } from '../process/preloaded.ts';
import { startServer } from '../process/server-process.ts';
import { callFor } from './calls.ts';
import type { Bench, Measure } from './measure.ts';

const measure = 'endurance';
const large = { tool: 'big', input: { bytes: 10_000 }, text: 'x'.repeat(10_000), reward: null };
const parts = 10;

/**
 * Ten minutes at full speed in the same sessions: results are kept until others displace them, by number and by bytes, and
 * what grows without end has grown. Most turns are small calls; each fourth is of results of 10 KB. After each tenth the
 * server collects its garbage and tells what is in use, kept results among it; between, what is resident is read after
 * every turn.
 */
export const endurance: Measure = {
  name: measure,
  about: 'memory of our server over ten minutes at full speed, in use and resident; runs only if it is asked for',
  isExtra: true,
  run: async (bench) => {
    const contestant = bench.contestants.find(({ name }) => name === 'ours');
    if (contestant === undefined) return;
    await using server = await startServer(contestant, preloaded('collected', '--expose-gc'));
    const { turns, seconds } = bench.quick ? { turns: 1, seconds: 0.5 } : { turns: 20, seconds: 3 };
    await withConnections(server.port, 32, async (connections) => {
      const sids = await Promise.all(connections.map((connection) => openEpisode(connection)));
      const onWrong = (error: unknown) => bench.fault(measure, server.name, error);
      const resident: number[][] = [];
      const inUse: number[][] = [];
      for (let part = 1; part <= parts; part += 1) {
        const megabytes: number[] = [];
        for (let turn = 1; turn <= turns; turn += 1) {
          const count = (part - 1) * turns + turn;
          bench.progress(`${measure}, ${count * seconds} s of ${parts * turns * seconds}`);
          const call = count % 4 === 0 ? large : submit;
          await awake(() => callFor(seconds, { connections, sids, call, latencies: [], onWrong }));
          megabytes.push(server.memory() / 1e6);
        }
        resident.push(megabytes);
        inUse.push([(await ask(server.child)) / 1e6]);
      }
      record(bench, 'RSS', resident);
      record(bench, 'in use after a collection', inUse);
    });
  },
};

/**
 * The first tenth fills what is bounded, and is not held against the rest. What is held against each other is the least
 * of each part: how far memory rises above it is the collector's choice, which takes what it has.
 */
function record(bench: Bench, what: string, tenths: readonly (readonly number[])[]): void {
  const [early, late] = [tenths.slice(1, 3).flat(), tenths.slice(-2).flat()];
  const put = (name: string, value: number) => bench.record({ measure, name, better: 'less' }, 'ours', value);
  for (const value of early) put(`MB ${what}, second and third tenth`, value);
  for (const value of late) put(`MB ${what}, last two tenths`, value);
  // In a short run what is bounded is not full.
  if (!bench.quick)
    put(`${what}, the least of the second through that of the first`, Math.min(...late) / Math.min(...early));
}
