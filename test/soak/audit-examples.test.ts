import { afterAll, expect, test } from '@jest/globals';
import type { Environment } from 'ors-kit';
import bash from '../../examples/bash/environment.ts';
import countdown from '../../examples/countdown/environment.ts';
import javascript from '../../examples/javascript/environment.ts';
import maze from '../../examples/maze/environment.ts';
import counter from '../../examples/mcp-environment/environment.ts';
import { createInputGenerator } from '../../src/conformance/index.ts';
import { proofsOf } from '../audit/proofs-of.ts';
import { testUnless } from '../support/optional.ts';
import { bubblewrapMissing } from '../support/sandbox.ts';

const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

/** Enough for all attacks on a busy machine, and shorter than the timeout of a test. */
const BUDGET_MS = 540_000;

// `make slow` audits the other examples with all attacks, and these with a few.
test.each<[string, Environment]>([
  ['countdown', countdown],
  ['javascript', javascript],
  ['maze', maze],
  ['mcp-environment', counter],
])('proves no exploit of the example %s by any attack', async (_name, environment) => {
  expect(await proofsOf(environment, { inputs, budgetMs: BUDGET_MS })).toEqual([]);
});

testUnless(bubblewrapMissing)('proves no exploit of the example bash by any attack', async () => {
  expect(await proofsOf(bash, { inputs, budgetMs: BUDGET_MS })).toEqual([]);
});
