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

async function proofsOf(environment: Environment, budgetMs = 4_000): Promise<string[]> {
  const { findings, environments } = await audit({ environments: [environment] }, { inputs, tasks: 3, budgetMs });

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
  ['javascript', javascript],
  ['maze', maze],
  ['orders', orders],
  ['slogans', slogans],
  ['start', start],
])('proves no exploit of the example %s', async (_name, environment) => {
  expect(await proofsOf(environment)).toEqual([]);
});

// Each session starts a process.
test('proves no exploit of the example mcp-environment', async () => {
  expect(await proofsOf(counter, 10_000)).toEqual([]);
});

testUnless(bubblewrapMissing)('proves no exploit of the example bash', async () => {
  expect(await proofsOf(bash, 8_000)).toEqual([]);
});
