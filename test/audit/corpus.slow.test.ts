import { afterAll, expect, test } from '@jest/globals';
import { audit } from '../../src/audit/index.ts';
import { createInputGenerator } from '../../src/conformance/index.ts';
import { exploits } from './corpus/exploits.ts';
import { honestEnvironments } from './corpus/honest.ts';
import { quiz } from './corpus/kinds.ts';

const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

/** Time for one environment on two cores. */
const MAX_MS = 120_000;

const planted = exploits.flatMap(({ name, attacks, kinds, change }) =>
  kinds.map((kind) => ({
    name: `${name}-${kind.name}`,
    attacks,
    create: () => quiz(`${name}-${kind.name}`, kind, change(kind)),
  })),
);

test('has at least 100 planted exploits in 20 classes, and 40 honest environments', () => {
  expect(planted.length).toBeGreaterThanOrEqual(100);
  expect(new Set(exploits.map(({ attacks }) => attacks[0])).size).toBeGreaterThanOrEqual(20);
  expect(honestEnvironments().length).toBeGreaterThanOrEqual(40);
});

// Only the attacks of the class are made, which takes a tenth of the time.
test.each(planted)('proves the exploit $name', async ({ attacks, create }) => {
  const { findings } = await audit({ environments: [create()] }, { attacks, inputs });

  expect(findings.map(({ kind }) => kind)).toContain('proof');
});

test.each(honestEnvironments().map((create) => create()))(
  'proves nothing about the honest environment $name',
  async (environment) => {
    const { findings, environments } = await audit({ environments: [environment] }, { inputs });

    const proofs = findings.filter(({ kind }) => kind === 'proof').map(({ attack, what }) => `${attack} ${what}`);
    expect(proofs).toEqual([]);
    expect(environments[0]?.isExhausted).toBe(false);
    expect(environments[0]?.durationMs).toBeLessThan(MAX_MS);
  },
);
