import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { ORS, ors, startCommand } from '../../support/command.ts';
import { orsInProcess } from '../../support/command-in-process.ts';

const adapter = `${process.execPath} ${fileURLToPath(new URL('adapters/ors-kit.mjs', import.meta.url))}`;
/** Required checks without long waits. */
const QUICK = ['--concurrency', '2', '--only', 'client/create,client/answer/reward,client/error/told-apart'];

async function newFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'ors-kit-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

test('passes a conforming client, and writes the reports', async () => {
  await using folder = await newFolder();

  const { code, stdout, stderr } = await ors([
    'conformance-client',
    '--command',
    adapter,
    ...QUICK,
    '--report',
    folder.path,
  ]);

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('ors-kit · 5 checks');
  expect(stdout).toContain('client/create  3 pass');
  expect(stdout).toContain('4/4 required pass');
  expect((await readdir(folder.path)).sort()).toEqual(['badge.svg', 'junit.xml', 'report.html', 'results.json']);
  const results = JSON.parse(await readFile(join(folder.path, 'results.json'), 'utf8'));
  expect(results).toMatchObject({ subject: 'client', client: 'ors-kit' });
  expect(results.results[0].exchanges.length).toBeGreaterThan(0);
});

test('fails the run if an expected failure passes', async () => {
  await using folder = await newFolder();
  const file = join(folder.path, 'expected.txt');
  await writeFile(file, 'client/answer/reward # it took null for 0\n');

  const args = [
    'conformance-client',
    '--command',
    adapter,
    '--only',
    'client/answer/reward',
    '--expected-failures',
    file,
  ];
  const { code, stdout } = await orsInProcess(args);

  expect(code).toBe(1);
  expect(stdout).toContain('expected failure client/answer/reward: it passes now');
});

test('exits with 4 if the reports cannot be written', async () => {
  await using folder = await newFolder();
  await mkdir(join(folder.path, 'results.json'));
  const check = ['--command', adapter, '--only', 'client/answer/reward'];

  const { code, stderr } = await orsInProcess(['conformance-client', ...check, '--report', folder.path]);

  expect(code).toBe(4);
  expect(stderr).toMatch(/^ors: the suite failed: /);
});

test.each([
  [[], 2, "--command is missing; write: ors conformance-client --command 'python adapter.py'"],
  [['--command', 'x', '--only', 'client/streams'], 2, "Did you mean 'client/stream"],
  [['--command', 'no-such-adapter'], 3, 'the adapter did not start: exit code 127'],
  [['--timeout', 'soon'], 2, 'Expected a number of seconds above 0'],
])('runs ors conformance-client %j, which exits with %i', async (args, expected, told) => {
  const { code, stderr } = await orsInProcess(['conformance-client', ...args]);

  expect(code).toBe(expected);
  expect(stderr).toContain(told);
});

test('describes checks by --list and --explain without a run', async () => {
  const listed = await orsInProcess(['conformance-client', '--list', '--only', 'client/ping']);
  const explained = await orsInProcess(['conformance-client', '--explain', 'client/ping/idle']);

  expect(listed).toMatchObject({ code: 0, stderr: '' });
  expect(listed.stdout).toMatch(/^client\/ping\/idle +ORS-CLNT-006 +SHOULD +Pings while it is idle\n/);
  expect(listed.stdout).toContain('2 checks');
  expect(explained.stdout).toContain('ORS-CLNT-006 (SHOULD): A client pings while its session is idle');
});

test('ends the run and its adapters on an interrupt', async () => {
  await using command = startCommand([...ORS, 'conformance-client', '--command', adapter, '--only', 'client/ping']);

  await command.says(/ors-kit · 2 checks/);
  command.child.kill('SIGINT');
  const { code, stdout } = await command.result;

  expect(code).toBe(130);
  expect(stdout).toContain('interrupted');
});
