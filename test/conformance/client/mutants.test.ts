import { expect, test } from '@jest/globals';
import { clientChecks } from '../../../src/conformance/client/index.ts';
import { brief, eachOf, holdClient, IMPATIENT } from './fake/hold-client.ts';
import { type Fault, mutants } from './fake/mutants.ts';

// That no other check notices a mutant is shown by `make mutants`, which runs all checks against each.

test('no check fails for the healthy client, and every check can be run', async () => {
  const results = await holdClient(() => false, clientChecks);

  expect(results.filter(({ state }) => state !== 'pass').map(brief)).toEqual([]);
  expect(results).toHaveLength(clientChecks.length);
});

test('every mutant fails the checks that it declares', async () => {
  const wrong: unknown[] = [];
  await eachOf(Object.entries(mutants) as [Fault, readonly string[]][], 12, async ([fault, declared]) => {
    const checks = clientChecks.filter(({ id }) => declared.includes(id));
    const results = await holdClient((each) => each === fault, checks, IMPATIENT);
    const isNoticed = results.every(({ violated, state }) => violated && state !== 'harness-error');
    if (!isNoticed || results.length !== declared.length) wrong.push({ fault, declared, all: results.map(brief) });
  });

  expect(wrong).toEqual([]);
});

test('every check is failed by a mutant, and no mutant declares more than four', () => {
  const declared = new Set<string>(Object.values(mutants).flat());

  expect(clientChecks.map(({ id }) => id).filter((id) => !declared.has(id))).toEqual([]);
  expect(Object.values(mutants).filter((checks) => checks.length > 4)).toEqual([]);
});
