import { afterAll, expect, test } from '@jest/globals';
import type { Environment } from 'ors-kit';
import countdown from '../../examples/countdown/environment.ts';
import gsm8k from '../../examples/gsm8k/environment.ts';
import javascript from '../../examples/javascript/environment.ts';
import maze from '../../examples/maze/environment.ts';
import orders from '../../examples/orders/environment.ts';
import slogans from '../../examples/slogans/environment.ts';
// The template of `ors init`.
import start from '../../examples/start/environment.ts';
import { audit } from '../../src/audit/index.ts';
import { createInputGenerator } from '../../src/conformance/index.ts';

const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

test.each<[string, Environment]>([
  ['countdown', countdown],
  ['gsm8k', gsm8k],
  ['javascript', javascript],
  ['maze', maze],
  ['orders', orders],
  ['slogans', slogans],
  ['start', start],
])('proves no exploit of the example %s', async (_name, environment) => {
  const { findings } = await audit({ environments: [environment] }, { inputs, tasks: 3, budgetMs: 4_000 });

  const proofs = findings.filter(({ kind }) => kind === 'proof');
  expect(proofs.map(({ attack, what }) => `${attack} ${what}`)).toEqual([]);
});
