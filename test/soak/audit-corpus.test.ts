import { afterAll, expect, test } from '@jest/globals';
import type { Environment } from 'ors-kit';
import { type AuditFinding, audit, type EnvironmentAudit } from '../../src/audit/index.ts';
import { createInputGenerator } from '../../src/conformance/index.ts';
import { planted } from '../audit/corpus/exploits.ts';
import { honestEnvironments } from '../audit/corpus/honest.ts';
import { closeJudge } from '../audit/corpus/judge.ts';
import { note } from './note.ts';

const inputs = createInputGenerator();

/** Time for one environment on two cores. */
const MAX_MS = 120_000;

const audits: EnvironmentAudit[] = [];
/** Number of exploits per attack: planted, and proven by one of the attacks that are meant to. */
const classes = new Map(planted.map(({ attackClass }) => [attackClass, { planted: 0, found: 0 }]));

afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
  await closeJudge();
  for (const [id, counts] of [...classes].sort()) note(`${id}: ${counts.found} of ${counts.planted}`);
  const seconds = audits.map(({ durationMs }) => durationMs / 1_000);
  note(`seconds per environment: ${spread(seconds)}`);
  note(`sessions per environment: ${spread(audits.map(({ sessions }) => sessions))}`);
  note(`calls per environment: ${spread(audits.map(({ calls }) => calls))}`);
});

const spread = (values: readonly number[]): string => {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  return `median ${at(0.5)}, largest ${at(1)}`;
};

async function proofsOf(environment: Environment): Promise<readonly AuditFinding[]> {
  const planned = await audit({ environments: [environment] }, { inputs, dryRun: true });
  const { findings, environments } = await audit({ environments: [environment] }, { inputs });
  audits.push(...environments);
  const [audited] = environments;
  const { plan } = planned.environments[0] ?? {};
  expect([audited?.isExhausted, audited?.failure]).toEqual([false, undefined]);
  expect(audited?.sessions).toBeLessThanOrEqual(plan?.sessions ?? 0);
  expect(audited?.calls).toBeLessThanOrEqual(plan?.calls ?? 0);
  expect(audited?.durationMs).toBeLessThan(MAX_MS);
  return findings.filter(({ kind }) => kind === 'proof');
}

test.each(planted)('proves the exploit $name with all attacks', async ({ attacks, attackClass, create }) => {
  const counts = classes.get(attackClass) ?? { planted: 0, found: 0 };
  counts.planted++;

  const proofs = await proofsOf(create());

  const proven = proofs.filter(({ attack }) => attacks.includes(attack));
  expect(proven).not.toEqual([]);
  counts.found++;
});

test.each(honestEnvironments().map((create) => create()))(
  'proves nothing about the honest environment $name',
  async (environment) => {
    const proofs = await proofsOf(environment);

    expect(proofs.map(({ attack, what }) => `${attack} ${what}`)).toEqual([]);
  },
);
