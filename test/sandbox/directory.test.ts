import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createSandbox, removeSandbox } from 'ors-kit/sandbox';
import { marker, processesWith } from '../support/sandbox.ts';
import { runProgram } from '../support/sandbox-attack.ts';
import { until } from '../support/until.ts';

const createDirectory = () => createSandbox({ provider: 'directory', timeoutMs: 20_000 });

test('warns once per process that the directory provider isolates nothing', async () => {
  const lines = await runProgram(
    `process.on('warning', ({ name, code, message }) => console.log(JSON.stringify({ name, code, message })));
    for (const _ of [1, 2]) await (await createSandbox({ provider: 'directory' })).remove();`,
    [],
  );

  expect(lines.slice(0, -1).map((line) => JSON.parse(line))).toEqual([
    {
      name: 'SandboxWarning',
      code: 'ORS_SANDBOX_ISOLATES_NOTHING',
      message: expect.stringMatching(/^the sandbox provider 'directory' isolates nothing: commands run as you/),
    },
  ]);
  expect(lines.at(-1)).toBe('0');
});

test('keeps files in a folder, which removal deletes', async () => {
  await using sandbox = await createDirectory();

  await sandbox.run('echo hello > file.txt');
  const { stdout, exitCode } = await sandbox.run('cat file.txt; pwd; exit 4');

  expect([stdout, exitCode]).toEqual([`hello\n${sandbox.workdir}\n`, 4]);
  await removeSandbox(JSON.parse(JSON.stringify(sandbox.handle)));
  expect(existsSync(sandbox.workdir)).toBe(false);
});

test('never runs commands as root', async () => {
  await using sandbox = await createDirectory();

  const { stdout } = await sandbox.run('id -u');

  expect(stdout).toBe(`${process.getuid?.() === 0 ? 65_534 : process.getuid?.()}\n`);
});

test('does not pass the variables of the server to commands', async () => {
  process.env.SANDBOX_TEST_SECRET = 'canary';
  await using sandbox = await createDirectory();

  const { stdout } = await sandbox.run('env');

  delete process.env.SANDBOX_TEST_SECRET;
  expect(stdout).toMatch(/^PATH=/m);
  expect(stdout).not.toContain('canary');
});

test('ends the process group at the time limit and at the end of the command', async () => {
  const sign = marker();
  await using sandbox = await createDirectory();

  const stopped = await sandbox.run(`sleep ${sign} & sleep ${sign}`, { timeoutMs: 300 });
  const left = await sandbox.run(`sleep ${sign} & echo left`);

  expect(stopped).toMatchObject({ exitCode: null, stopped: 'time' });
  expect(left).toMatchObject({ exitCode: 0, stdout: 'left\n' });
  await until(() => processesWith(sign).length === 0);
});

test('does not wait for a process that leaves the process group', async () => {
  const sign = marker();
  await using sandbox = await createDirectory();

  const result = await sandbox.run(`echo before; setsid sleep ${sign} & sleep 0.1; echo after`);

  expect(result).toMatchObject({ exitCode: 0, stdout: 'before\nafter\n' });
  for (const pid of processesWith(sign)) process.kill(pid, 'SIGKILL');
});

test('reports a missing folder as a failure of the command', async () => {
  await using sandbox = await createDirectory();

  const result = await sandbox.run('true', { cwd: 'nowhere' });

  expect(result).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("can't cd to") });
});

test('truncates long output and counts the omitted bytes, and ends a command with endless output', async () => {
  await using sandbox = await createSandbox({ provider: 'directory', outputBytes: 1_000 });

  const endless = await sandbox.run('yes >&2');
  const long = await sandbox.run('head -c 5000 /dev/zero | tr "\\0" x');

  expect(endless).toMatchObject({ exitCode: null, stopped: 'output', stdout: '', stdoutOmitted: 0 });
  expect(endless.stderr).toContain('bytes left out');
  expect(long).toMatchObject({ exitCode: 0, stopped: null, stdoutOmitted: 4_000 });
  expect(long.stdout).toBe(`${'x'.repeat(500)}\n[... 4000 bytes left out ...]\n${'x'.repeat(500)}`);
});
