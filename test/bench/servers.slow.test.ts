import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { createModes } from '../../bench/isolation/modes.ts';
import { throughput } from '../../bench/isolation/throughput.ts';
import { endurance } from '../../bench/measures/endurance.ts';
import { createContext, type Measure } from '../../bench/measures/measure.ts';
import { type Contestant, ours } from '../../bench/process/contestants.ts';
import { Results } from '../../bench/results.ts';

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

test('keeps the bare server within 160 lines of code', async () => {
  const sources = ['bare', 'bare-sessions'].map((name) => new URL(`../../bench/servers/${name}.ts`, import.meta.url));
  const texts = await Promise.all(sources.map((source) => readFile(source, 'utf8')));

  const lines = texts.flatMap((text) => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').split('\n'));

  expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(160);
});
