import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { findModes } from '../../bench/isolation/modes.ts';
import { throughput } from '../../bench/isolation/throughput.ts';
import { endurance } from '../../bench/measures/endurance.ts';
import type { Measure } from '../../bench/measures/measure.ts';
import { type Contestant, ours } from '../../bench/process/contestants.ts';
import { Results } from '../../bench/results.ts';

/** Returns the results of a quick run of one measure. */
async function play(measure: Measure, contestants: readonly Contestant[]): Promise<Results> {
  const results = new Results();
  await measure.run({
    contestants,
    quick: true,
    progress: () => {},
    record: (metric, contestant, value) => results.record(metric, contestant, value),
    fault: (name, contestant, error) => results.fault(name, contestant, error),
    note: (text) => void results.notes.add(text),
  });
  return results;
}

test('a quick run of endurance measures resident memory and memory in use after a collection', async () => {
  const { rows, faults } = await play(endurance, [{ name: 'ours', ...ours() }]);

  expect(faults).toEqual([]);
  expect(rows.map(({ name, figures }) => [name, figures.ours?.rounds])).toEqual([
    ['MB RSS, second and third tenth', 2],
    ['MB RSS, last two tenths', 2],
    ['MB in use after a collection, second and third tenth', 2],
    ['MB in use after a collection, last two tenths', 2],
  ]);
});

test('a quick run of throughput measures calls and cores, for one thread and for workers', async () => {
  const { rows, faults } = await play(throughput, findModes({ isOnOneCore: false }).contestants(['inline', 'worker']));

  expect(faults).toEqual([]);
  for (const name of ['calls/s', 'cores that it had']) {
    expect(rows.find((row) => row.name === name)?.figures).toMatchObject({
      inline: { rounds: 3 },
      worker: { rounds: 3 },
    });
  }
});

test('the bare server is at most 150 lines of code', async () => {
  const sources = ['bare', 'work'].map((name) => new URL(`../../bench/servers/${name}.ts`, import.meta.url));
  const texts = await Promise.all(sources.map((source) => readFile(source, 'utf8')));

  const lines = texts.flatMap((text) => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').split('\n'));

  expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(150);
});
