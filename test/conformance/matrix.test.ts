import { afterAll, expect, jest, test } from '@jest/globals';
import { serverChecks } from '../../src/conformance/checks/index.ts';
import { createInputs } from '../../src/conformance/inputs/create-inputs.ts';
import type { Result } from '../../src/conformance/result.ts';
import { hold, noticed } from './mutants/hold.ts';
import { mutants } from './mutants/index.ts';

// Each mutant is a run of all checks in all profiles.
jest.setTimeout(600_000);

const AT_ONCE = 4;
const inputs = createInputs();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

test('the healthy server is noticed by no check, and every check can be made on it', async () => {
  const results = await hold({}, serverChecks, inputs);

  expect(results.filter(({ state }) => state !== 'pass' && state !== 'n/a').map(brief)).toEqual([]);
  expect(noticed(results)).toEqual([]);
});

test('every mutant is noticed by exactly the checks that it declares', async () => {
  const queue = [...mutants];
  const wrong: unknown[] = [];
  const work = async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const results = await hold(mutant, serverChecks, inputs);
      const errors = results.filter(({ state }) => state === 'harness-error').map(brief);
      const by = noticed(results);
      if (errors.length > 0 || by.sort().join() !== [...mutant.caughtBy].sort().join()) {
        wrong.push({ mutant: mutant.name, declared: mutant.caughtBy, noticedBy: by, errors });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));

  expect(wrong).toEqual([]);
});

const brief = ({ check, state, message }: Result) => `${state} ${check}: ${message}`;
