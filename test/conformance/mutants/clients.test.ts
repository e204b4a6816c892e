import { expect, jest, test } from '@jest/globals';
import { clientChecks } from '../../../src/conformance/client/index.ts';
import { brief, eachOf, holdClient } from '../client/fake/hold-client.ts';
import { type Fault, mutants } from '../client/fake/mutants.ts';

// Each mutant needs a run of the suite.
jest.setTimeout(800_000);

test('fails exactly the declared checks for every mutant of a client', async () => {
  const wrong: unknown[] = [];
  await eachOf(Object.entries(mutants) as [Fault, readonly string[]][], 4, async ([fault, declared]) => {
    const results = await holdClient((each) => each === fault, clientChecks);
    const unclean = results.filter(({ state }) => state !== 'pass');
    const failed = unclean.filter(({ violated }) => violated).map(({ check }) => check);
    const isRight = [...failed].sort().join() === [...declared].sort().join();
    const isBroken = unclean.some(({ state }) => state === 'harness-error');
    if (!isRight || isBroken) wrong.push({ fault, declared, failed, all: unclean.map(brief) });
  });

  expect(wrong).toEqual([]);
});
