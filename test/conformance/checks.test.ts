import { expect, test } from '@jest/globals';
import { readRequirements } from '../../scripts/check-requirements.ts';
import { serverChecks } from '../../src/conformance/checks/index.ts';
import { clientChecks } from '../../src/conformance/client/checks/index.ts';
import { mutants } from './mutants/index.ts';

const all = [...serverChecks, ...clientChecks];
const rows = readRequirements().requirements.filter(({ id }) => id.startsWith('ORS-'));

test('every requirement about the protocol has a check, or says why not, and never both', () => {
  const checked = new Set<string>(all.map(({ requirement }) => requirement));

  const without = rows.filter(({ id, unchecked }) => !checked.has(id) && unchecked === undefined);
  const withBoth = rows.filter(({ id, unchecked }) => checked.has(id) && unchecked !== undefined);

  expect(without.map(({ id }) => id)).toEqual([]);
  expect(withBoth.map(({ id }) => id)).toEqual([]);
});

test('a reason that names another requirement names one that is checked', () => {
  const checked = new Set<string>(all.map(({ requirement }) => requirement));

  const named = rows.flatMap(({ id, unchecked = '' }) =>
    [...unchecked.matchAll(/ORS-[A-Z]+-\d{3}/g)].map(([other]) => ({ id, other })),
  );

  expect(named.filter(({ other }) => !checked.has(other))).toEqual([]);
});

test('every check has an id of its own, a group, a title, and a requirement that there is', () => {
  const ids = all.map(({ id }) => id);
  const known = new Set(rows.map(({ id }) => id));

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => !/^([a-z]+\/)+[a-z0-9-]+$/.test(id))).toEqual([]);
  expect(all.filter(({ title }) => !/^\S.*[^.\s]$/.test(title)).map(({ id }) => id)).toEqual([]);
  expect(all.filter(({ requirement }) => !known.has(requirement)).map(({ id }) => id)).toEqual([]);
});

test('every check of a server notices a mutant that at most two others notice', () => {
  const proven = new Set(mutants.filter(({ caughtBy }) => caughtBy.length <= 3).flatMap(({ caughtBy }) => caughtBy));

  expect(serverChecks.filter(({ id }) => !proven.has(id)).map(({ id }) => id)).toEqual([]);
});

test('every mutant is declared to be noticed by one to four checks that there are', () => {
  const ids = new Set<string>(serverChecks.map(({ id }) => id));
  const names = mutants.map(({ name }) => name);

  expect(mutants.filter(({ caughtBy }) => caughtBy.length < 1 || caughtBy.length > 4)).toEqual([]);
  expect(mutants.flatMap(({ caughtBy }) => caughtBy.filter((id) => !ids.has(id)))).toEqual([]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
