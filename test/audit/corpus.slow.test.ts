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

/** Returns the category of an attack: `AUDIT-LEAK` of `AUDIT-LEAK-01`. */
const categoryOf = (id: string) => id.slice(0, id.lastIndexOf('-'));

// `make soak` audits the whole corpus with all attacks, and document.slow.test.ts tries each attack on another environment.
const onePerCategory = [...new Map(planted.map((exploit) => [categoryOf(exploit.attackClass), exploit])).values()];
const HONEST = ['honest-one-more-try-words', 'honest-reading-words'];

test('has at least 100 planted exploits of 20 classes, and 40 honest environments', () => {
  expect(planted.length).toBeGreaterThanOrEqual(100);
  expect(new Set(planted.map(({ attackClass }) => attackClass)).size).toBeGreaterThanOrEqual(20);
  expect(honestEnvironments().length).toBeGreaterThanOrEqual(40);
});

test.each(onePerCategory)('proves the exploit $name', async ({ attacks, create }) => {
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
