import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSandbox, type RunOptions, type Sandbox } from 'ors-kit/sandbox';
import { describeUnless } from '../support/optional.ts';
import { bubblewrapMissing, marker, processesWith } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

describeUnless(bubblewrapMissing)('a sandbox of bubblewrap', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox({ env: { FIRST: '1' } });
  });
  afterAll(() => sandbox.remove());

  test('keeps files from command to command, in its folder and in /tmp', async () => {
    await sandbox.run('echo hello > file.txt; echo there > /tmp/file.txt; echo shared > /dev/shm/file.txt');
    const result = await sandbox.run('cat file.txt /tmp/file.txt /dev/shm/file.txt; pwd');

    expect(result).toMatchObject({ exitCode: 0, stopped: null, stdout: 'hello\nthere\nshared\n/work\n', stderr: '' });
  });

  test.each([
    ['the exit code', 'exit 7', { exitCode: 7 }],
    ['a signal, as a shell does', 'kill -9 $$', { exitCode: 137 }],
    ['a missing program', ['no-such-program'], { exitCode: 127, stderr: /no-such-program: not found/ }],
    ['a missing folder', 'true', { exitCode: 2, stderr: /can't cd to \/work\/nowhere/ }, { cwd: 'nowhere' }],
    ['its input', 'cat', { stdout: 'päth' }, { stdin: 'päth' }],
    ['empty input by default', 'cat', { exitCode: 0, stdout: '' }],
    ['its arguments unchanged', ['printf', '%s|', 'a b', '-n', '$HOME\n'], { stdout: 'a b|-n|$HOME\n|' }],
    ['its variables', 'echo $FIRST $SECOND', { stdout: '1 2\n' }, { env: { SECOND: '2' } }],
    ['its working directory', 'pwd', { stdout: '/tmp\n' }, { cwd: '../tmp' }],
    ['the exit code if it leaves its input unread', 'exit 3', { exitCode: 3 }, { stdin: 'x'.repeat(1_000_000) }],
  ])('runs a command and reports %s', async (_what, command, expected, options: RunOptions = {}) => {
    const result = await sandbox.run(command, options);

    const { stderr = '', ...rest } = expected as { stderr?: RegExp | string };
    expect(result).toMatchObject(rest);
    expect(result.stderr).toMatch(stderr);
  });

  test('hides the files, processes and variables of the server', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'secret-'));
    await writeFile(join(folder, 'key'), 'the key');
    process.env.SANDBOX_TEST_SECRET = 'canary-of-the-server';

    const { stdout } = await sandbox.run(
      `cat ${folder}/key /etc/shadow ${import.meta.filename} 2>/dev/null; cat /proc/*/environ; echo; ls /proc | grep -c '^[0-9]'; ` +
        'ls -a / /etc /tmp /root /home 2>/dev/null; set',
    );

    await rm(folder, { recursive: true });
    delete process.env.SANDBOX_TEST_SECRET;
    expect(stdout).toContain('alternatives');
    expect(stdout).not.toMatch(/canary|the key|root:|describeUnless|secret-/);
    // bubblewrap, the shell, ls and grep.
    expect(Number(/^\d+$/m.exec(stdout)?.[0])).toBeLessThan(8);
  });

  test('is an ordinary user without privileges, even if the server runs as root', async () => {
    const { stdout, stderr } = await sandbox.run(
      'id -un; grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status; touch /usr/x /x /dev/x /proc/sys/kernel/hostname',
    );

    expect(stdout).toBe('agent\nCapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\n');
    expect(stderr.trim().split('\n')).toHaveLength(4);
  });

  test('sees the paths of the host that `readable` names, and cannot write to them', async () => {
    await using open = await createSandbox({ readable: ['/etc/hostname'] });

    const seen = await Promise.all([sandbox, open].map(({ run }) => run('cat /etc/hostname')));
    const written = await open.run('echo x > /etc/hostname');

    expect(seen.map(({ stdout }) => stdout)).toEqual(['', await readFile('/etc/hostname', 'utf8')]);
    expect(written.stderr).toMatch(/Read-only file system|Permission denied/);
  });

  test('ends background processes with their command', async () => {
    const sign = marker();

    const command = `(setsid sleep ${sign} &); (setsid sh -c 'sleep ${sign} & exit' &); sleep ${sign} >/dev/null 2>&1 &`;
    const { stdout, exitCode } = await sandbox.run(`${command} echo started`);

    expect([stdout, exitCode]).toEqual(['started\n', 0]);
    await until(() => processesWith(sign).length === 0);
  });

  test('ends a command when its signal is aborted, and rejects with the reason', async () => {
    const sign = marker();
    const controller = new AbortController();

    const running = sandbox.run(`setsid sleep ${sign}`, { signal: controller.signal });
    const rejected = expect(running).rejects.toThrow('enough');
    await until(() => processesWith(sign).length > 0);
    controller.abort(new Error('enough'));

    await rejected;
    await expect(sandbox.run('true', { signal: controller.signal })).rejects.toThrow('enough');
    await until(() => processesWith(sign).length === 0);
  });

  test('rejects a command that is too long for the system, with advice, and runs the longest possible one', async () => {
    const ofLength = (length: number) => `: ${'x'.repeat(length - 2)}`;

    const longest = await sandbox.run(ofLength(128 * 1024 - 1));

    expect(longest.exitCode).toBe(0);
    await expect(sandbox.run(ofLength(128 * 1024))).rejects.toMatchObject({
      code: 'too-large',
      message: "a command of 131072 bytes is over the system's 131071: write it into a file, and run that",
    });
  });

  test('runs several commands at the same time, which do not see each other', async () => {
    const results = await Promise.all([1, 2, 3].map((n) => sandbox.run(`echo ${n} > ${n}; ps ax | grep -c 'echo'`)));

    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect((await sandbox.run('cat 1 2 3')).stdout).toBe('1\n2\n3\n');
  });

  test('ends running commands when it is removed, and then rejects everything by name', async () => {
    const sign = marker();
    const sandbox = await createSandbox();

    const running = sandbox.run(`touch a b c; sleep ${sign}`);
    const rejected = expect(running).rejects.toMatchObject({ name: 'SandboxError', code: 'removed' });
    await until(() => processesWith(sign).length > 0);
    await Promise.all([sandbox.remove(), sandbox.remove()]);

    await rejected;
    await expect(sandbox.run('true')).rejects.toMatchObject({ code: 'removed' });
    await expect(sandbox.read('a')).rejects.toMatchObject({ code: 'removed' });
    await until(() => processesWith(sign).length === 0);
  });

  test('does not share files with others', async () => {
    const sandboxes = await Promise.all(Array.from({ length: 3 }, () => createSandbox()));

    await Promise.all(sandboxes.map((sandbox, index) => sandbox.run(`echo ${index} > mine`)));
    const found = await Promise.all(sandboxes.map((sandbox) => sandbox.run('cat mine; ls')));
    await Promise.all(sandboxes.map((sandbox) => sandbox.remove()));

    expect(found.map(({ stdout }) => stdout)).toEqual(sandboxes.map((_, index) => `${index}\nmine\n`));
  });
});

describe('the options of a sandbox', () => {
  test.each([
    [{ timeoutMs: 0 }, 'invalid timeoutMs: expected an integer of at least 1, got 0'],
    [{ memoryBytes: 1.5 }, 'invalid memoryBytes: expected an integer of at least 16777216, got 1.5'],
    [{ processes: Number.NaN }, 'invalid processes'],
    [
      { readable: ['opt'] },
      "invalid readable: expected absolute paths outside of /work, /tmp, /proc and /dev, got 'opt'",
    ],
    [{ readable: ['/tmp/tools'] }, "got '/tmp/tools'"],
    [{ provider: 'podman' }, "invalid provider: expected bubblewrap, docker, directory, got 'podman'"],
    [{ provider: 'toString' }, "got 'toString'"],
  ])('rejects %j: %s', async (options, message) => {
    await expect(createSandbox(options as Parameters<typeof createSandbox>[0])).rejects.toThrow(message);
  });
});
