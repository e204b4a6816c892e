import { afterAll, expect, test } from '@jest/globals';
import type { Environment } from 'ors-kit';
import bash from '../../examples/bash/environment.ts';
import countdown from '../../examples/countdown/environment.ts';
import gsm8k from '../../examples/gsm8k/environment.ts';
import javascript from '../../examples/javascript/environment.ts';
import maze from '../../examples/maze/environment.ts';
import { createInputGenerator } from '../../src/conformance/index.ts';
import { validate } from '../../src/validate/index.ts';
import { testUnless } from '../support/optional.ts';
import { bubblewrapMissing } from '../support/sandbox.ts';

const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

async function errorsOf(environment: Environment) {
  const { findings } = await validate({ environments: [environment] }, { inputs, tasks: 1 });
  return findings.filter(({ level }) => level === 'error');
}

// The fixture of the conformance suite is not validated: its tools crash and block on purpose.
test.each([
  ['countdown', countdown],
  ['gsm8k', gsm8k],
  ['maze', maze],
  ['javascript', javascript],
])('finds no errors in the example %s', async (_name, environment) => {
  const errors = await errorsOf(environment);

  expect(errors).toEqual([]);
});

testUnless(bubblewrapMissing)('finds no errors in the example bash', async () => {
  const errors = await errorsOf(bash);

  expect(errors).toEqual([]);
});
