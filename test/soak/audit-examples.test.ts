import { afterAll, expect, test } from '@jest/globals';
import type { Environment } from 'ors-kit';
import bash from '../../examples/bash/environment.ts';
import countdown from '../../examples/countdown/environment.ts';
import gsm8k from '../../examples/gsm8k/environment.ts';
import javascript from '../../examples/javascript/environment.ts';
import maze from '../../examples/maze/environment.ts';
import counter from '../../examples/mcp-environment/environment.ts';
import orders from '../../examples/orders/environment.ts';
import slogans from '../../examples/slogans/environment.ts';
import { createInputGenerator } from '../../src/conformance/index.ts';
import { proofsOf } from '../audit/proofs-of.ts';
import { testUnless } from '../support/optional.ts';
import { bubblewrapMissing } from '../support/sandbox.ts';

// The problems of the example itself, whatever the machine has.
delete process.env.GSM8K_FILE;

const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

/** Enough for all attacks on a busy machine, and shorter than the timeout of a test. */
const BUDGET_MS = 540_000;

// `make slow` audits the template of `ors init` with all attacks, and these with a few.
test.each<[string, Environment]>([
  ['countdown', countdown],
  ['gsm8k', gsm8k],
  ['javascript', javascript],
  ['maze', maze],
  ['mcp-environment', counter],
  ['orders', orders],
  ['slogans', slogans],
])('proves no exploit of the example %s by any attack', async (_name, environment) => {
  expect(await proofsOf(environment, { inputs, budgetMs: BUDGET_MS })).toEqual([]);
});

testUnless(bubblewrapMissing)('proves no exploit of the example bash by any attack', async () => {
  expect(await proofsOf(bash, { inputs, budgetMs: BUDGET_MS })).toEqual([]);
});
