import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { ors } from '../support/command.ts';
import { orsInProcess } from '../support/command-in-process.ts';
import { loadExpress } from '../support/load-express.ts';

beforeAll(loadExpress);

/** Writes an environment whose public tasks have these fields to a new folder in the checkout. */
async function moduleOf(shown: string) {
  const folder = await mkdtemp(join('.cache', 'audit-'));
  const file = join(folder, 'environment.mjs');
  await writeFile(
    file,
    `import { defineEnvironment, jsonSchema } from 'ors-kit';
const WORDS = ['amber', 'birch', 'cedar', 'delta'];
export default defineEnvironment({
  name: 'words',
  splits: { train: WORDS.map((word, index) => ({ word, index })) },
  publicTask: ({ word, index }) => (${shown}),
  prompt: ({ task }) => 'Which word has the number ' + task.index + '?',
  tools: {
    submit: {
      description: 'Submit the word.',
      input: jsonSchema({ type: 'object', properties: { word: { type: 'string' } }, required: ['word'] }),
      run: ({ input, task }) => ({ text: 'Noted.', reward: input.word === task.word ? 1 : 0, finished: true }),
    },
  },
  maxReward: 1,
});
`,
  );
  return { file, folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

const FAST = ['--attack', 'AUDIT-LEAK-01'];

test('prints a proof with its transcript and the change, and exits with 3', async () => {
  await using module = await moduleOf('{ word, index }');

  const { stdout, code } = await ors(['audit', module.file, ...FAST]);

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
  expect(code).toBe(0);
});

test('--dry-run counts attempts', async () => {
  await using module = await moduleOf('{ word, index }');

  const { stdout, code } = await orsInProcess(['audit', module.file, '--dry-run', '--json']);

  const { environments, dryRun } = JSON.parse(stdout);
  expect([code, dryRun, environments[0].calls]).toEqual([0, true, 0]);
});

test('--report writes reports, findings and traces, and replay tells whether the exploit is fixed', async () => {
  await using module = await moduleOf('{ word, index }');
  await using fixed = await moduleOf('{ index }');
  const report = join(module.folder, 'report');

  const { code } = await orsInProcess(['audit', module.file, ...FAST, '--report', report]);
  const finding = join(report, 'findings', 'words-AUDIT-LEAK-01.json');
  const before = await orsInProcess(['audit', 'replay', finding, module.file]);
  const traces = await orsInProcess(['traces', 'ls', '--db', join(report, 'traces.db'), '--json']);

  expect(code).toBe(3);
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
  // The field is hidden now, but the transcripts have its values.
  expect(JSON.parse(await readFile(finding, 'utf8')).environment).toBe('words');
  expect((await orsInProcess(['audit', 'replay', finding, fixed.file])).code).toBe(3);
});

test('ors validate --audit adds the audit, and exits with 3 on a proof', async () => {
  await using module = await moduleOf('{ word, index }');

  const { stdout, code } = await orsInProcess(['validate', module.file, '--tasks', '1', '--audit', '--json']);

  const { audit } = JSON.parse(stdout);
  expect(code).toBe(3);
  expect(audit.findings.map((finding: { attack: string }) => finding.attack)).toContain('AUDIT-LEAK-01');
});

test.each([
  [['--budget', 'soon'], /--budget/],
  [['--attack', 'AUDIT-NONE'], /unknown attack/],
])('rejects %j with 2', async (flags, message) => {
  const { stderr, code } = await orsInProcess(['audit', 'examples/start/environment.ts', ...flags]);

  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});

test('rejects a file that is not a finding', async () => {
  const { stderr, code } = await orsInProcess(['audit', 'replay', 'package.json', 'examples/start/environment.ts']);

  expect([stderr.includes('invalid finding'), code]).toEqual([true, 2]);
});
