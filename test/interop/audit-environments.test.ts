import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type AuditOptions, type AuditReport, audit } from 'ors-kit/audit';
import { OrsClient } from 'ors-kit/client';
import { GRADER_KEY } from './environments/grader.ts';
import { type EnvironmentStage, serveEnvironments } from './environments/play.ts';
import { createEpisodes } from './environments/scripts.ts';
import { describeWithPython } from './python.ts';
import { serveWithPython } from './servers/python-servers.ts';

/** Environments of the folder `environments`, with what is proven: some have the answers in their tasks. */
const FOUND: readonly (readonly [environment: string, proofs: readonly string[]])[] = [
  ['cardtable', []],
  ['climb-v0', []],
  ['courtroom', []],
  ['essay', ['AUDIT-LEAK-01']],
  ['gallery', []],
  ['haiku', []],
  ['helpdesk', ['AUDIT-TEXT-08']],
  ['kitchen', []],
  ['pettycash', []],
  ['sums', []],
  ['timer', []],
  ['vault', ['AUDIT-LEAK-01']],
  ['workshop', []],
];
/** Python versions of examples. */
const EXAMPLES: typeof FOUND = [
  ['countdown', ['AUDIT-LEAK-01']],
  ['maze', []],
];
const ATTACKS = ['AUDIT-FLOOR-01', 'AUDIT-LEAK-01', 'AUDIT-TEXT-01', 'AUDIT-TEXT-08'];

async function auditAt(url: string, options: AuditOptions): Promise<AuditReport> {
  await using client = new OrsClient(url);
  const secrets = { grader_api_key: GRADER_KEY };
  return await audit({ client }, { attacks: ATTACKS, tasks: 3, maxReward: 1, secrets, ...options });
}

const namesOf = (found: typeof FOUND) => found.map(([name]) => name);

describeWithPython()('environments on openreward', () => {
  let stage: EnvironmentStage;
  let reports: readonly AuditReport[] = [];
  beforeAll(async () => {
    stage = await serveEnvironments('openreward', createEpisodes(32, 6));
    await using server = await serveWithPython('openreward');
    reports = [
      await auditAt(stage.url, { environments: namesOf(FOUND) }),
      await auditAt(server.url, { environments: namesOf(EXAMPLES) }),
    ];
  });
  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]();
  });

  test.each([...FOUND, ...EXAMPLES])('%s is audited', (name, proofs) => {
    const environment = reports.flatMap(({ environments }) => environments).find((each) => each.name === name);
    const findings = reports.flatMap((report) => report.findings).filter((finding) => finding.environment === name);

    expect(environment).toMatchObject({ isExhausted: false });
    expect(environment?.failure).toBeUndefined();
    expect(findings.filter(({ kind }) => kind === 'proof').map(({ attack }) => attack)).toEqual(proofs);
  });

  test('the audit ends within the budget if episodes take long to start', async () => {
    const { environments } = await auditAt(stage.url, { environments: ['slowlab'], budgetMs: 600 });

    expect(environments[0]?.failure).toContain('the budget ended');
    expect(environments[0]?.durationMs).toBeLessThan(1_600);
  });
});
