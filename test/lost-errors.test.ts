import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('..', import.meta.url));
const IMPORTS = `import { test } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
`;
/** Suites that lose an error, by name, and the tests that Jest has to report as failed; for none, the suite fails. */
const SUITES: readonly (readonly [name: string, text: string, failed: readonly string[]])[] = [
  [
    'concurrent-rejection',
    `test.concurrent('loses', async () => { void Promise.reject(new Error('lost')); await wait(20); });
     test.concurrent('runs meanwhile', () => wait(40));`,
    [],
  ],
  [
    'concurrent-timer',
    `test.concurrent('loses', async () => { setTimeout(() => { throw new Error('lost'); }, 5); await wait(20); });
     test.concurrent('runs meanwhile', () => wait(40));`,
    [],
  ],
  ['rejection', `test('loses', async () => { void Promise.reject(new Error('lost')); await wait(20); });`, ['loses']],
  [
    'timer',
    `test('loses', () => { setTimeout(() => { throw new Error('lost'); }, 20); });
     test('comes after it', () => wait(100));`,
    ['comes after it'],
  ],
];

interface SuiteResult {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
}

let folder: string;
beforeAll(async () => {
  await mkdir(join(root, '.cache'), { recursive: true });
  folder = await mkdtemp(join(root, '.cache/lost-errors-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('errors that nothing catches fail the test that runs, or the suite while concurrent tests run', async () => {
  for (const [name, text] of SUITES) await writeFile(join(folder, `${name}.test.ts`), `${IMPORTS}${text}\n`);
  const support = join(root, 'test/support/jest');
  const config = {
    rootDir: folder,
    runtime: join(support, 'runtime.cjs'),
    testEnvironment: join(support, 'environment.mjs'),
    transform: {},
  };
  const args = ['node_modules/jest/bin/jest.js', '--runInBand', '--json', '--config', JSON.stringify(config)];

  const printed = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: root }, (_failed, stdout) => resolve(stdout));
  });

  const results: readonly SuiteResult[] = JSON.parse(printed).testResults;
  const failures = results.map(({ name, status, message, assertionResults }) => ({
    name: basename(name, '.test.ts'),
    status,
    isTold: message.includes('lost'),
    failed: assertionResults.filter((each) => each.status === 'failed').map(({ title }) => title),
  }));
  expect(failures.sort((a, b) => a.name.localeCompare(b.name))).toEqual(
    SUITES.map(([name, , failed]) => ({ name, status: 'failed', isTold: true, failed })),
  );
});
