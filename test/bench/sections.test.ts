import { readFileSync, rmSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Results } from '../../bench/results.ts';
import { durationsText, type Section, savedSections, saveSection, sectionOf } from '../../bench/sections.ts';

/** Creates a subject whose sections are removed when it is disposed. */
function newSubject(): Disposable & { readonly name: string; readonly folder: URL } {
  const name = `test-${process.pid}`;
  const folder = new URL(`../../docs/development/performance/${name}/`, import.meta.url);
  return { name, folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

function sectionWith(value: number, parts: Partial<Section> = {}): Section {
  const results = new Results();
  results.record({ measure: 'calls', name: 'calls/s', better: 'more' }, 'ours', value);
  const part = { name: 'calls', about: 'calls per second' };
  return { ...sectionOf(part, results, { names: ['ours'], pinning: 'Not pinned.', from: 0 }), ...parts };
}

const fault = { measure: 'calls', contestant: 'ours', count: 1, first: 'wrong' };

test.each([
  ['a shortened run', sectionWith(2), ['--rounds']],
  ['a run with an error', sectionWith(2, { faults: [fault] }), []],
])('keeps the saved section after %s', (_what, section, shortened) => {
  using subject = newSubject();
  saveSection(sectionWith(1), [], subject.name);

  saveSection(section, shortened, subject.name);

  const [saved] = savedSections(['calls'], subject.name);
  expect(saved?.rows[0]?.figures.ours?.median).toBe(1);
});

test('saves the values of the rounds with five digits, a figure per line', () => {
  using subject = newSubject();
  saveSection(sectionWith(1 / 3), [], subject.name);

  const [saved] = savedSections(['calls'], subject.name);
  const text = readFileSync(new URL('calls.json', subject.folder), 'utf8');
  expect(saved?.rows[0]?.figures.ours).toMatchObject({ median: 0.33333, values: [0.33333] });
  expect(text.split('\n')).toContainEqual(expect.stringMatching(/^ *"ours": \{ "median": 0.33333, .* \}$/));
});

test('replaces the saved section after a full run, and lists its duration', () => {
  using subject = newSubject();
  saveSection(sectionWith(1), [], subject.name);

  saveSection(sectionWith(2, { seconds: 240 }), [], subject.name);

  const [saved] = savedSections(['calls'], subject.name);
  expect(saved?.rows[0]?.figures.ours?.median).toBe(2);
  expect(durationsText([{ name: 'calls' }, { name: 'start' }], subject.name)).toBe(
    'The last full runs took 4 minutes in total:\n' + '  calls      4 minutes\n' + 'Unknown durations: start.',
  );
});
