import { rmSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { planText } from '../../bench/plan.ts';
import { Results } from '../../bench/results.ts';
import { keepSection, keptSections, type Section, sectionOf } from '../../bench/sections.ts';

/** A subject whose figures go with what `using` holds. */
function newSubject(): Disposable & { readonly name: string } {
  const name = `test-${process.pid}`;
  const folder = new URL(`../../.cache/bench/figures/${name}`, import.meta.url);
  return { name, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

function sectionWith(value: number, parts: Partial<Section> = {}): Section {
  const results = new Results();
  results.record({ measure: 'calls', name: 'calls/s', better: 'more' }, 'ours', value);
  const part = { name: 'calls', about: 'calls per second' };
  return { ...sectionOf(part, results, { names: ['ours'], pinning: 'Not pinned.', from: 0 }), ...parts };
}

const fault = { measure: 'calls', contestant: 'ours', count: 1, first: 'wrong' };

test.each([
  ['of a shortened run', sectionWith(2), ['--rounds']],
  ['of a run in which something failed', sectionWith(2, { faults: [fault] }), []],
])('figures %s leave those of the last whole one', (_what, section, shortened) => {
  using subject = newSubject();
  keepSection(sectionWith(1), [], subject.name);

  keepSection(section, shortened, subject.name);

  const [kept] = keptSections(['calls'], subject.name);
  expect(kept?.rows[0]?.figures.ours?.median).toBe(1);
});

test('figures of a whole run take the place of those before, with the time that it took', () => {
  using subject = newSubject();
  keepSection(sectionWith(1), [], subject.name);

  keepSection(sectionWith(2, { seconds: 240 }), [], subject.name);

  const [kept] = keptSections(['calls'], subject.name);
  expect(kept?.rows[0]?.figures.ours?.median).toBe(2);
  expect(planText([{ name: 'calls' }, { name: 'start' }], subject.name)).toBe(
    'In full these took 4 minutes together when they were last measured:\n' +
      '  calls      4 minutes\n' +
      'How long these take is not known here: start.',
  );
});
