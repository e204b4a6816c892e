import { afterAll, expect, test } from '@jest/globals';
import { audit } from '../../src/audit/index.ts';
import { createInputGenerator } from '../../src/conformance/index.ts';
import { planted } from './corpus/exploits.ts';
import { honestEnvironments } from './corpus/honest.ts';
import { closeJudge } from './corpus/judge.ts';

const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
  await closeJudge();
});

// `make soak` audits the whole corpus with all attacks. Attacks that wait are left out.
const onePerClass = [...new Map(planted.map((exploit) => [exploit.attackClass, exploit])).values()].filter(
  ({ attackClass }) => attackClass !== 'AUDIT-STATE-03',
);
const HONEST = [
  'honest-one-more-try-words',
  'honest-door-words',
  'honest-files-words',
  'honest-reading-words',
  'honest-effort-without-maximum-words',
];

test('has at least 100 planted exploits of 20 classes, and 40 honest environments', () => {
  expect(planted.length).toBeGreaterThanOrEqual(100);
  expect(onePerClass.length).toBeGreaterThanOrEqual(20);
  expect(honestEnvironments().length).toBeGreaterThanOrEqual(40);
});

test.each(onePerClass)('proves the exploit $name', async ({ attacks, create }) => {
  const { findings } = await audit({ environments: [create()] }, { attacks, inputs });

  expect(findings.map(({ kind }) => kind)).toContain('proof');
});

test.each(
  honestEnvironments()
    .map((create) => create())
    .filter(({ name }) => HONEST.includes(name)),
)('proves nothing about the honest environment $name', async (environment) => {
  const { findings } = await audit({ environments: [environment] }, { inputs });

  expect(findings.filter(({ kind }) => kind === 'proof')).toEqual([]);
});
