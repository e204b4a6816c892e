import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { createModes } from '../../bench/isolation/modes.ts';
import { throughput } from '../../bench/isolation/throughput.ts';
import { type Call, submit, withClients } from '../../bench/load/protocol.ts';
import { runCalls } from '../../bench/measures/calls.ts';
import { endurance } from '../../bench/measures/endurance.ts';
import { playFor } from '../../bench/measures/episodes.ts';
import { createContext, type Measure } from '../../bench/measures/measure.ts';
import { type Contestant, findContestants, otherProtocolNames, ours } from '../../bench/process/contestants.ts';
import { startServer } from '../../bench/process/server-process.ts';
import { Results } from '../../bench/results.ts';
import { testUnless } from '../support/optional.ts';

/** Returns the results of a quick run of one measure. */
async function run(measure: Measure, contestants: readonly Contestant[]): Promise<Results> {
  const results = new Results();
  await measure.run(createContext({ contestants, quick: true }, results, () => {}));
  return results;
}

test('measures resident memory and memory in use after GC in a quick run of endurance', async () => {
  const { rows, faults } = await run(endurance, [{ name: 'ours', ...ours() }]);

  expect(faults).toEqual([]);
  expect(rows.map(({ name, figures }) => [name, figures.ours?.rounds])).toEqual([
    ['RSS, second and third tenth, MB', 2],
    ['RSS, last two tenths, MB', 2],
    ['memory in use after GC, second and third tenth, MB', 2],
    ['memory in use after GC, last two tenths, MB', 2],
  ]);
});

test('measures calls and cores of one thread and of workers in a quick run of throughput', async () => {
  const { rows, faults } = await run(throughput, createModes({ isOnOneCore: false }).contestants(['inline', 'worker']));

  expect(faults).toEqual([]);
  for (const name of ['calls/s', 'cores used']) {
    expect(rows.find((row) => row.name === name)?.figures).toMatchObject({
      inline: { rounds: 3 },
      worker: { rounds: 3 },
    });
  }
});

/** Each start of the server of OpenEnv takes seconds, so that one process serves all calls of a test. */
describe.each(['ours', ...otherProtocolNames] as const)('%s', (name) => {
  const { contestants, missing } = findContestants([name]);

  testUnless(missing[0])('returns the expected results, and reports every other result', async () => {
    await using server = await startServer(contestants[0] as Contestant);
    const results = new Results();
    const context = createContext({ contestants, quick: true }, results, () => {});
    const onError = (error: unknown) => context.fault('episodes', name, error);
    const call = (call: Call, measure = 'calls') =>
      runCalls(context, measure, server, { connections: 8, call, seconds: 0.3 });
    const durations: number[] = [];

    const small = await call(submit);
    const large = await call({ tool: 'big', input: { bytes: 100_000 }, text: 'x'.repeat(100_000), reward: null });
    await withClients(server, 8, (clients) => playFor(0.3, { clients, durations, onError }));

    expect(results.faults).toEqual([]);
    for (const { length } of [small.latencies, large.latencies, durations]) expect(length).toBeGreaterThanOrEqual(8);

    await call({ ...submit, text: 'Wrong!!!' }, 'another text');
    await call({ ...submit, reward: 0.5 }, 'another reward');

    expect(results.faults.map(({ measure }) => measure)).toEqual(['another text', 'another reward']);

    const client = await server.protocol.connect(server.port);
    const [one, other] = [await client.openSession(), await client.openSession()];
    const wait = { tool: 'wait', input: { seconds: 0.2 }, text: 'Waited.', reward: null };
    const held = await Promise.all([one.hold(wait), other.hold(wait)]);
    client.close();

    expect(held.map(({ heartbeats }) => heartbeats)).toEqual([0, 0]);
  });
});

test('keeps the bare server within 160 lines of code', async () => {
  const sources = ['bare', 'bare-sessions'].map((name) => new URL(`../../bench/servers/${name}.ts`, import.meta.url));
  const texts = await Promise.all(sources.map((source) => readFile(source, 'utf8')));

  const lines = texts.flatMap((text) => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').split('\n'));

  expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(160);
});
