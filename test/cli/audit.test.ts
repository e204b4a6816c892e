import { beforeAll, expect, test } from '@jest/globals';
import { orsInProcess } from '../support/command-in-process.ts';
import { loadExpress } from '../support/load-express.ts';
import { moduleOf } from './audit-module.ts';

beforeAll(loadExpress);

const FAST = ['--attack', 'AUDIT-LEAK-01'];

test('prints a proof with its transcript and the change, and exits with 3', async () => {
  await using module = await moduleOf('{ word, index }');

  const { stdout, code } = await orsInProcess(['audit', module.file, ...FAST]);

  expect(stdout).toContain('✗ AUDIT-LEAK-01  The answer is a field of the public task\n');
  expect(stdout).toContain('submit.word is the field /word of the public task: earns 1 of 1 on 4 of 4\n');
  expect(stdout).toContain('      submit({"word":"amber"})\n');
  expect(stdout).toContain('1 proof, 0 suspicions in ');
  expect(code).toBe(3);
});

test('exits with 0 if no exploit was proven', async () => {
  await using module = await moduleOf('{ index }');

  const { stdout, code } = await orsInProcess(['audit', module.file, ...FAST]);

  expect(stdout).toContain('0 proofs, 0 suspicions in ');
  expect(stdout).toMatch(/\nPartial audit: 1 of \d+ attacks selected\.\n/);
  expect(code).toBe(0);
});

test('exits with 2 if an environment could not be audited', async () => {
  await using module = await moduleOf("(() => { throw new Error('no task today'); })()");

  const { stdout, code } = await orsInProcess(['audit', module.file, ...FAST]);

  expect(stdout).toMatch(/✗ could not be audited: .*no task today/);
  expect(stdout).toContain('0 proofs, 0 suspicions, 1 environment not audited in ');
  expect(code).toBe(2);
});

test('--report rejects a file before the audit', async () => {
  const { stderr, code } = await orsInProcess(['audit', 'examples/start/environment.ts', '--report', 'package.json']);

  expect(stderr).toContain("--report: cannot write a report to 'package.json': it is a file");
  expect(code).toBe(2);
});

test.each([
  [['--budget', 'soon'], /--budget/],
  [['--attack', 'AUDIT-NONE'], /--attack: there is no attack/],
])('rejects %j with 2', async (flags, message) => {
  const { stderr, code } = await orsInProcess(['audit', 'examples/start/environment.ts', ...flags]);

  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});

test('rejects a file that is not a finding', async () => {
  const { stderr, code } = await orsInProcess(['audit', 'replay', 'package.json', 'examples/start/environment.ts']);

  expect([stderr.includes('invalid finding'), code]).toEqual([true, 2]);
});
