import { submit } from '../load/episode.ts';
import { startServer } from '../process/server-process.ts';
import { callRound } from './calls.ts';
import type { Bench, Measure } from './measure.ts';

const measure = 'endurance';
const large = { tool: 'big', input: { bytes: 10_000 }, text: 'x'.repeat(10_000), reward: null };
const turnSeconds = 3;

/**
 * Ten minutes at full speed: by then every kept result has been displaced many times over, by number and by bytes, and
 * what grows without end has grown. Most turns are small calls; each fourth is of results of 10 KB.
 */
export const endurance: Measure = {
  name: measure,
  about: 'resident memory of our server over ten minutes at full speed; runs only if it is asked for',
  isExtra: true,
  run: async (bench) => {
    const contestant = bench.contestants.find(({ name }) => name === 'ours');
    if (contestant === undefined) return;
    await using server = await startServer(contestant);
    const turns = bench.quick ? 8 : 200;
    const megabytes: number[] = [];
    for (let turn = 1; turn <= turns; turn += 1) {
      bench.progress(`${measure}, ${turn * turnSeconds} s of ${turns * turnSeconds}`);
      const call = turn % 4 === 0 ? large : submit;
      await callRound(bench, measure, server, { connections: 32, call, seconds: turnSeconds });
      megabytes.push(server.memory() / 1e6);
    }
    recordTurns(bench, megabytes);
  },
};

/**
 * The first tenth fills what is bounded, and is not held against the rest. What is held against each other is the least
 * of each part: what is in use. How far memory rises above it is the collector's choice, which takes what it has.
 */
function recordTurns(bench: Bench, megabytes: readonly number[]): void {
  const part = (from: number, to: number) =>
    megabytes.slice(Math.floor(megabytes.length * from), Math.ceil(megabytes.length * to));
  const [early, late] = [part(0.1, 0.3), part(0.8, 1)];
  const record = (name: string, value: number) => bench.record({ measure, name, better: 'less' }, 'ours', value);
  for (const value of early) record('RSS MB, second and third tenth', value);
  for (const value of late) record('RSS MB, last two tenths', value);
  // In a short run what is bounded is not full.
  if (!bench.quick) record('the least of the second through that of the first', Math.min(...late) / Math.min(...early));
}
