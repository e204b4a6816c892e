import { afterAll, expect, jest, test } from '@jest/globals';
import type { Environment } from 'ors-kit';
import bash from '../../examples/bash/environment.ts';
import countdown from '../../examples/countdown/environment.ts';
import gsm8k from '../../examples/gsm8k/environment.ts';
import javascript from '../../examples/javascript/environment.ts';
import maze from '../../examples/maze/environment.ts';
import counter from '../../examples/mcp-environment/environment.ts';
import orders from '../../examples/orders/environment.ts';
import slogans from '../../examples/slogans/environment.ts';
// The template of `ors init`.
import start from '../../examples/start/environment.ts';
import { createInputGenerator } from '../../src/conformance/index.ts';
import { testUnless } from '../support/optional.ts';
import { bubblewrapMissing } from '../support/sandbox.ts';
import { proofsOf } from './proofs-of.ts';

// The problems of the example itself, whatever the machine has.
delete process.env.GSM8K_FILE;

const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

/** Enough for all attacks on a busy machine, and shorter than the timeout of a test. */
const BUDGET_MS = 240_000;
jest.setTimeout(260_000);

/** Attacks with few calls. `make soak` audits the other examples with all attacks. */
const FEW = ['AUDIT-FLOOR-01', 'AUDIT-FLOOR-02', 'AUDIT-LEAK-01', 'AUDIT-LEAK-12', 'AUDIT-TEXT-01'];

// The fixture of the conformance suite is not audited: its tools pay what a call asks for.
test('proves no exploit of the example start', async () => {
  expect(await proofsOf(start, { inputs, budgetMs: BUDGET_MS })).toEqual([]);
});

test.each<[string, Environment]>([
  ['countdown', countdown],
  ['gsm8k', gsm8k],
  ['maze', maze],
  ['orders', orders],
  ['slogans', slogans],
])('proves no exploit of the example %s by attacks with few calls', async (_name, environment) => {
  expect(await proofsOf(environment, { inputs, budgetMs: BUDGET_MS, attacks: FEW })).toEqual([]);
});

/** For examples whose episodes start processes, which takes most of the time. */
const WITH_PROCESSES = { inputs, budgetMs: BUDGET_MS, attacks: ['AUDIT-FLOOR-01', 'AUDIT-LEAK-12'], tasks: 1 };

test.each<[string, Environment]>([
  ['javascript', javascript],
  ['mcp-environment', counter],
])('proves no exploit of a task of the example %s by attacks with few calls', async (_name, environment) => {
  expect(await proofsOf(environment, WITH_PROCESSES)).toEqual([]);
});

testUnless(bubblewrapMissing)('proves no exploit of a task of the example bash by attacks with few calls', async () => {
  expect(await proofsOf(bash, WITH_PROCESSES)).toEqual([]);
});
