import { afterAll, expect, test } from '@jest/globals';
import type { Environment } from 'ors-kit';
import bash from '../../examples/bash/environment.ts';
import countdown from '../../examples/countdown/environment.ts';
import gsm8k from '../../examples/gsm8k/environment.ts';
import javascript from '../../examples/javascript/environment.ts';
import maze from '../../examples/maze/environment.ts';
import orders from '../../examples/orders/environment.ts';
import slogans from '../../examples/slogans/environment.ts';
import anagrams from '../../examples/start/environment.ts';
import { createInputGenerator } from '../../src/conformance/index.ts';
import { validate } from '../../src/validate/index.ts';
import { testUnless } from '../support/optional.ts';
import { bubblewrapMissing } from '../support/sandbox.ts';

// The problems of the example itself, whatever the machine has.
delete process.env.GSM8K_FILE;

const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

/** Returns what `ors validate --strict` fails for. */
async function problemsOf(environment: Environment) {
  const { findings } = await validate({ environments: [environment] }, { inputs, tasks: 1 });
  return findings.filter(({ level }) => level !== 'note');
}

// The fixture of the conformance suite is not validated: its tools crash and block on purpose.
test.each([
  ['countdown', countdown],
  ['gsm8k', gsm8k],
  ['maze', maze],
  ['javascript', javascript],
  ['orders', orders],
  ['slogans', slogans],
  ['start', anagrams],
])('finds no problems in the example %s', async (_name, environment) => {
  const problems = await problemsOf(environment);

  expect(problems).toEqual([]);
});

testUnless(bubblewrapMissing)('finds no problems in the example bash', async () => {
  const problems = await problemsOf(bash);

  expect(problems).toEqual([]);
});
