import { expect, jest, test } from '@jest/globals';
import { clientChecks } from '../../../src/conformance/client/index.ts';
import type { CheckRunResult } from '../../../src/conformance/result.ts';
import { brief, eachOf, holdClient } from '../client/fake/hold-client.ts';
import { type Fault, mutants } from '../client/fake/mutants.ts';

const MAX_ATTEMPTS = 3;

// Each mutant needs a run of the suite.
jest.setTimeout(800_000);

test('fails exactly the declared checks for every mutant of a client', async () => {
  const wrong: unknown[] = [];
  await eachOf(Object.entries(mutants) as [Fault, readonly string[]][], 4, async ([fault, declared]) => {
    const unexpected = await unexpectedOf(fault, declared);
    if (unexpected.length > 0) wrong.push({ fault, declared, unexpected: unexpected.map(brief) });
  });

  expect(wrong).toEqual([]);
});

/** Returns the results that differ from the declared ones, also if their checks run alone: a busy machine is slow. */
async function unexpectedOf(fault: Fault, declared: readonly string[]): Promise<readonly CheckRunResult[]> {
  let checks = clientChecks;
  let unexpected: readonly CheckRunResult[] = [];
  for (let attempt = 0; attempt < MAX_ATTEMPTS && checks.length > 0; attempt++) {
    const results = await holdClient((each) => each === fault, checks);
    unexpected = results.filter(
      ({ check, state, violated }) => state === 'harness-error' || violated !== declared.includes(check),
    );
    checks = checks.filter(({ id }) => unexpected.some(({ check }) => check === id));
  }
  return unexpected;
}
