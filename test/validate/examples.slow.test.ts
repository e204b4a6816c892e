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

// The fixture of the conformance suite has tools that crash, and that block for as long as one asks.
test.each([
  ['countdown', countdown],
  ['gsm8k', gsm8k],
  ['maze', maze],
  ['javascript', javascript],
])('nothing is wrong with the example %s', async (_name, environment) => {
  const errors = await errorsOf(environment);

  expect(errors).toEqual([]);
});

testUnless(bubblewrapMissing)('nothing is wrong with the example bash', async () => {
  const errors = await errorsOf(bash);

  expect(errors).toEqual([]);
});
