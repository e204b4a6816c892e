import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { orsInProcess } from '../support/command-in-process.ts';
import { loadExpress } from '../support/load-express.ts';
import { moduleOf } from './audit-module.ts';

beforeAll(loadExpress);

const FAST = ['--attack', 'AUDIT-LEAK-01'];

test('--report writes reports, findings and traces, and replays the finding', async () => {
  await using module = await moduleOf('{ word, index }');
  await using fixed = await moduleOf('{ index }');
  const report = join(module.folder, 'report');

  const { code, stdout } = await orsInProcess(['audit', module.file, ...FAST, '--report', report]);
  const finding = join(report, 'findings', 'words-AUDIT-LEAK-01.json');
  const before = await orsInProcess(['audit', 'replay', finding, module.file]);
  const traces = await orsInProcess(['traces', 'ls', '--db', join(report, 'traces.db'), '--json']);

  expect(code).toBe(3);
  expect(stdout).toContain('Wrote 7 files:\n');
  expect(stdout).toContain(`  ${finding}\n`);
  expect((await readdir(report)).sort()).toEqual(
    expect.arrayContaining([
      'audit.json',
      'audit.sarif',
      'badge.svg',
      'findings',
      'junit.xml',
      'report.html',
      'traces.db',
    ]),
  );
  expect([before.code, before.stdout.match(/still pays/g)?.length]).toEqual([3, 4]);
  expect(traces.stdout.match(/AUDIT-LEAK-01/g)?.length).toBeGreaterThanOrEqual(4);
  expect(JSON.parse(await readFile(finding, 'utf8')).environment).toBe('words');
  const after = await orsInProcess(['audit', 'replay', finding, fixed.file]);
  expect([after.code, after.stdout.match(/fixed: players cannot read the value any more/g)?.length]).toEqual([0, 4]);
});

test('ors validate --audit adds the audit, and exits with 3 on a proof', async () => {
  await using module = await moduleOf('{ word, index }');

  const { stdout, code } = await orsInProcess(['validate', module.file, '--tasks', '1', '--audit', '--json']);

  const { audit } = JSON.parse(stdout);
  expect(code).toBe(3);
  expect(audit.findings.map((finding: { attack: string }) => finding.attack)).toContain('AUDIT-LEAK-01');
});

test('--dry-run counts attempts', async () => {
  await using module = await moduleOf('{ word, index }');

  const { stdout, code } = await orsInProcess(['audit', module.file, '--dry-run', '--json']);

  const { environments, dryRun } = JSON.parse(stdout);
  expect([code, dryRun, environments[0].calls]).toEqual([0, true, 0]);
  expect(environments[0].plan).toMatchObject({ sessions: expect.any(Number), calls: expect.any(Number) });
});
