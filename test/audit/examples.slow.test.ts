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
import { audit } from '../../src/audit/index.ts';
import { createInputGenerator } from '../../src/conformance/index.ts';
import { testUnless } from '../support/optional.ts';
import { bubblewrapMissing } from '../support/sandbox.ts';

const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

/** Enough for all attacks on a busy machine, and shorter than the timeout of a test. */
const BUDGET_MS = 240_000;
jest.setTimeout(260_000);

/** Attacks with few calls, for environments whose calls start threads or processes, or draw an image. */
const FEW = ['AUDIT-FLOOR-01', 'AUDIT-FLOOR-02', 'AUDIT-LEAK-01', 'AUDIT-LEAK-12', 'AUDIT-TEXT-01'];

async function proofsOf(environment: Environment, selected?: readonly string[]): Promise<string[]> {
  const { findings, environments } = await audit(
    { environments: [environment] },
    { inputs, tasks: 3, budgetMs: BUDGET_MS, ...(selected && { attacks: selected }) },
  );

  const [audited] = environments;
  expect([audited?.failure, audited?.isExhausted]).toEqual([undefined, false]);
  // Attacks that are not skipped have a reason if their share of the budget was used up.
  expect(audited?.attacks.filter(({ state, reason }) => state !== 'skipped' && reason !== undefined)).toEqual([]);
  return findings.filter(({ kind }) => kind === 'proof').map(({ attack, what }) => `${attack} ${what}`);
}

// The fixture of the conformance suite is not audited: its tools pay what a call asks for.
test.each<[string, Environment]>([
  ['countdown', countdown],
  ['gsm8k', gsm8k],
  ['orders', orders],
  ['slogans', slogans],
  ['start', start],
])('proves no exploit of the example %s', async (_name, environment) => {
  expect(await proofsOf(environment)).toEqual([]);
});

test.each<[string, Environment]>([
  ['javascript', javascript],
  ['maze', maze],
  ['mcp-environment', counter],
])('proves no exploit of the example %s by attacks with few calls', async (_name, environment) => {
  expect(await proofsOf(environment, FEW)).toEqual([]);
});

testUnless(bubblewrapMissing)('proves no exploit of the example bash by attacks with few calls', async () => {
  expect(await proofsOf(bash, FEW)).toEqual([]);
});
