import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type AuditOptions, audit } from 'ors-kit/audit';
import { OrsClient } from 'ors-kit/client';
import { GRADER_KEY } from './environments/grader.ts';
import { type EnvironmentStage, serveEnvironments } from './environments/play.ts';
import { createEpisodes } from './environments/scripts.ts';
import { describeWithPython } from './python.ts';
import type { ServerProcess } from './server-process.ts';
import { serveWithPython } from './servers/python-servers.ts';

const ATTACKS = ['AUDIT-FLOOR-01', 'AUDIT-LEAK-01', 'AUDIT-TEXT-01', 'AUDIT-TEXT-08'];

/** Environments of the folder `environments`, with what these attacks prove. Most have their answers in their tasks. */
const FOUND: readonly (readonly [environment: string, proofs: readonly string[]])[] = [
  ['cardtable', []],
  ['climb-v0', []],
  ['courtroom', []],
  ['essay', []],
  ['gallery', []],
  ['haiku', []],
  ['helpdesk', ['AUDIT-LEAK-01', 'AUDIT-TEXT-08']],
  ['kitchen', []],
  ['pettycash', []],
  ['sums', []],
  ['timer', []],
  ['vault', ['AUDIT-LEAK-01']],
  ['workshop', []],
];

describeWithPython()('environments on openreward', () => {
  let stage: EnvironmentStage;
  let server: ServerProcess;
  beforeAll(async () => {
    [stage, server] = await Promise.all([
      serveEnvironments('openreward', createEpisodes(32, 8)),
      serveWithPython('openreward'),
    ]);
  });
  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  async function auditAt(url: string, environment: string, options: AuditOptions = {}) {
    await using client = new OrsClient(url);
    const { environments, findings } = await audit(
      { client },
      {
        ...{ environments: [environment], attacks: ATTACKS, tasks: 4, maxReward: 1 },
        ...{ secrets: { grader_api_key: GRADER_KEY }, ...options },
      },
    );
    const [{ failure, isExhausted, durationMs } = { failure: 'not audited' }] = environments;
    const proofs = findings.filter(({ kind }) => kind === 'proof').map(({ attack }) => attack);
    return { failure, isExhausted, durationMs, proofs };
  }

  test.each(FOUND)('audits %s', async (environment, proofs) => {
    expect(await auditAt(stage.url, environment)).toMatchObject({ failure: undefined, isExhausted: false, proofs });
  });

  test.each([
    ['countdown', ['AUDIT-LEAK-01']],
    ['maze', []],
  ])('audits the Python version of the example %s', async (environment, proofs) => {
    expect(await auditAt(server.url, environment)).toMatchObject({ failure: undefined, isExhausted: false, proofs });
  });

  test('ends within the budget if episodes take long to start', async () => {
    const { failure, durationMs } = await auditAt(stage.url, 'slowlab', { budgetMs: 600 });

    expect(failure).toContain('the budget ended');
    expect(durationMs).toBeLessThan(1_600);
  });
});
