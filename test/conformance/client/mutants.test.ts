import { expect, test } from '@jest/globals';
import { clientChecks } from '../../../src/conformance/client/index.ts';
import { brief, eachOf, holdClient, IMPATIENT } from './fake/hold-client.ts';
import { type Fault, mutants } from './fake/mutants.ts';

// `make mutants` runs all checks against each mutant, and shows that no other check fails. Concurrent, since they mostly wait.

test.concurrent('passes every check with the healthy client', async () => {
  const results = await holdClient(() => false, clientChecks);

  expect(results.filter(({ state }) => state !== 'pass').map(brief)).toEqual([]);
  expect(results).toHaveLength(clientChecks.length);
});

test.concurrent('detects every mutant by its declared checks', async () => {
  const wrong: unknown[] = [];
  await eachOf(Object.entries(mutants) as [Fault, readonly string[]][], 12, async ([fault, declared]) => {
    const checks = clientChecks.filter(({ id }) => declared.includes(id));
    const results = await holdClient((each) => each === fault, checks, IMPATIENT);
    const isNoticed = results.every(({ violated, state }) => violated && state !== 'harness-error');
    if (!isNoticed || results.length !== declared.length) wrong.push({ fault, declared, all: results.map(brief) });
  });

  expect(wrong).toEqual([]);
});

test('proves every check by a mutant, with at most four checks per mutant', () => {
  const declared = new Set<string>(Object.values(mutants).flat());

  expect(clientChecks.map(({ id }) => id).filter((id) => !declared.has(id))).toEqual([]);
  expect(Object.values(mutants).filter((checks) => checks.length > 4)).toEqual([]);
});
