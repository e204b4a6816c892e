import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type AuditReport, audit } from 'ors-kit/audit';
import { OrsClient } from 'ors-kit/client';
import { runs } from '../support/fast-check.ts';
import { describeWithPython, startPythonServer } from './python.ts';
import type { ServerProcess } from './server-process.ts';

/** Environments of servers/exploits.py, and the attacks of which one proves the exploit. */
const PLANTED: readonly (readonly [environment: string, ...attacks: string[]])[] = [
  ['fieldleak', 'AUDIT-LEAK-01'],
  ['solutionleak', 'AUDIT-LEAK-02'],
  ['promptleak', 'AUDIT-LEAK-08', 'AUDIT-LEAK-09'],
  ['metadataleak', 'AUDIT-LEAK-13'],
  ['emptyanswer', 'AUDIT-TEXT-01'],
  ['longanswer', 'AUDIT-TEXT-03'],
  ['judge', 'AUDIT-JUDGE-02'],
  ['notanumber', 'AUDIT-TYPE-05'],
  ['excuse', 'AUDIT-FLOOR-01'],
  ['farm', 'AUDIT-FARM-01'],
  ['files', 'AUDIT-FILE-01'],
  ['shared', 'AUDIT-STATE-01'],
];
/** All with ORS_TEST_RUNS=1: every attack is tried on each. */
const HONEST = ['honestend', 'honestdecoy', 'honestpenalty', 'honestsigns'].slice(0, runs(4));
/** Exploits that are planted on both packages. */
const ON_BOTH = ['fieldleak', 'metadataleak', 'farm', 'shared'];

describeWithPython().each(['openreward', 'ors-sdk'])('environments on %s', (name) => {
  let server: ServerProcess;
  let client: OrsClient;
  beforeAll(async () => {
    server = await startPythonServer('servers/exploits.py', { SERVED_BY: name });
    client = new OrsClient(server.url);
  });
  afterAll(async () => {
    await client?.close();
    await server?.[Symbol.asyncDispose]();
  });

  const proofsOf = ({ findings }: AuditReport) =>
    findings.filter(({ kind }) => kind === 'proof').map(({ attack }) => attack);

  const isTried = (environment: string) => name === 'openreward' || ON_BOTH.includes(environment);

  test.each(PLANTED.filter(([environment]) => isTried(environment)))(
    'proves the exploit of %s',
    async (environment, ...attacks) => {
      const report = await audit({ client }, { environments: [environment], attacks, maxReward: 1, tasks: 4 });

      expect(proofsOf(report)).not.toEqual([]);
    },
  );

  if (name !== 'openreward') return;
  test.each(HONEST)('proves nothing about %s', async (environment) => {
    const report = await audit({ client }, { environments: [environment], maxReward: 1, tasks: 4 });

    expect(proofsOf(report)).toEqual([]);
  });
});
