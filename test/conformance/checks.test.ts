import { expect, test } from '@jest/globals';
import { readRequirements } from '../../scripts/check-requirements.ts';
import { serverChecks } from '../../src/conformance/checks/index.ts';
import { clientChecks } from '../../src/conformance/client/checks/index.ts';
import { mutants } from './mutants/index.ts';

const all = [...serverChecks, ...clientChecks];
const rows = readRequirements().requirements.filter(({ id }) => id.startsWith('ORS-'));

test('covers every protocol requirement by a check, or has a reason why not', () => {
  const checked = new Set<string>(all.map(({ requirement }) => requirement));

  const without = rows.filter(({ id, unchecked }) => !checked.has(id) && unchecked === undefined);
  const withBoth = rows.filter(({ id, unchecked }) => checked.has(id) && unchecked !== undefined);

  expect(without.map(({ id }) => id)).toEqual([]);
  expect(withBoth.map(({ id }) => id)).toEqual([]);
});

test('refers from reasons only to requirements with a check', () => {
  const checked = new Set<string>(all.map(({ requirement }) => requirement));

  const named = rows.flatMap(({ id, unchecked = '' }) =>
    [...unchecked.matchAll(/ORS-[A-Z]+-\d{3}/g)].map(([other]) => ({ id, other })),
  );

  expect(named.filter(({ other }) => !checked.has(other))).toEqual([]);
});

test('has unique check ids with a group, and valid titles and requirements', () => {
  const ids = all.map(({ id }) => id);
  const known = new Set(rows.map(({ id }) => id));

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => !/^([a-z]+\/)+[a-z0-9-]+$/.test(id))).toEqual([]);
  expect(all.filter(({ title }) => !/^\S.*[^.\s]$/.test(title)).map(({ id }) => id)).toEqual([]);
  expect(all.filter(({ requirement }) => !known.has(requirement)).map(({ id }) => id)).toEqual([]);
});

test('proves every server check by a mutant that at most two other checks detect', () => {
  const proven = new Set(mutants.filter(({ caughtBy }) => caughtBy.length <= 3).flatMap(({ caughtBy }) => caughtBy));

  expect(serverChecks.filter(({ id }) => !proven.has(id)).map(({ id }) => id)).toEqual([]);
});

test('declares one to four known checks for every mutant', () => {
  const ids = new Set<string>(serverChecks.map(({ id }) => id));
  const names = mutants.map(({ name }) => name);

  expect(mutants.filter(({ caughtBy }) => caughtBy.length < 1 || caughtBy.length > 4)).toEqual([]);
  expect(mutants.flatMap(({ caughtBy }) => caughtBy.filter((id) => !ids.has(id)))).toEqual([]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
