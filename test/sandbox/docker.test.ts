import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, jest, test } from '@jest/globals';
import { createSandbox, findSandboxProblem, removeSandbox, removeStaleSandboxes } from 'ors-kit/sandbox';
import { identityToText, processIdentity } from '../../src/core/node/index.ts';
import { dockerStandIn } from '../support/docker-stand-in.ts';
import { describeUnless, testUnless } from '../support/optional.ts';

jest.setTimeout(300_000);

const run = promisify(execFile);

describe('the docker provider, against a stand-in for the program `docker`', () => {
  test('starts a container without network, privileges and swap, with the given limits', async () => {
    await using docker = await dockerStandIn();
    const limits = { memoryBytes: 100_000_000, processes: 40, diskBytes: 5_000_000 };
    await using sandbox = await createSandbox({ provider: 'docker', image: 'alpine:3', ...limits });

    const [started] = await docker.calls('run');

    const name = 'container' in sandbox.handle ? sandbox.handle.container : '';
    expect(started?.join(' ')).toBe(
      `run --detach --rm --init --name ${name} --hostname sandbox --label ors-kit.owner=${identityToText(processIdentity())} ` +
        '--log-driver none --network none --cap-drop ALL --security-opt no-new-privileges --memory 100000000 ' +
        '--memory-swap 100000000 --pids-limit 40 --ulimit core=0 --ulimit nofile=1024 --ulimit fsize=5000000 ' +
        '--ulimit sigpending=1024 --ulimit msgqueue=131072 --ulimit memlock=65536 --ipc private ' +
        '--storage-opt size=5000000 --entrypoint sleep alpine:3 86400',
    );
  });

  test('runs commands in it, with their input and variables, and reports how they end', async () => {
    await using docker = await dockerStandIn();
    await using sandbox = await createSandbox({ provider: 'docker', env: { A: '1' } });

    const result = await sandbox.run('cat; echo " $A $B"; echo hello > file; exit 3', {
      stdin: 'in',
      env: { B: '2 3' },
    });
    const again = await sandbox.run(['cat', 'file']);

    expect(result).toMatchObject({ exitCode: 3, stopped: null, stdout: 'in 1 2 3\n', stderr: '' });
    expect(again).toMatchObject({ exitCode: 0, stdout: 'hello\n' });
    const [, ran] = await docker.calls('exec');
    expect(ran?.slice(0, 6)).toEqual(['exec', '--interactive', '--env', 'A=1', '--env', 'B=2 3']);
  });

  test('reads and writes files in it', async () => {
    await using _docker = await dockerStandIn();
    await using sandbox = await createSandbox({ provider: 'docker' });

    await sandbox.write('a/-b\n', Buffer.from([0, 255]));

    expect(await sandbox.read('a/-b\n')).toEqual(Buffer.from([0, 255]));
    await expect(sandbox.read('nothing')).rejects.toMatchObject({ code: 'not-found' });
  });

  test('restarts the container when a command reaches its time limit, since Docker cannot end only the command', async () => {
    await using docker = await dockerStandIn();
    await using sandbox = await createSandbox({ provider: 'docker' });

    const result = await sandbox.run('echo before; sleep 1000', { timeoutMs: 2_000 });

    expect(result).toMatchObject({ exitCode: null, stopped: 'time', stdout: 'before\n' });
    const name = 'container' in sandbox.handle ? sandbox.handle.container : '';
    expect(await docker.calls('restart')).toEqual([['restart', '-t', '0', name]]);
  });

  test('removes the container, also by its handle and if it is already gone', async () => {
    await using docker = await dockerStandIn();
    const sandbox = await createSandbox({ provider: 'docker' });

    await sandbox.remove();
    await removeSandbox(JSON.parse(JSON.stringify(sandbox.handle)));

    const name = 'container' in sandbox.handle ? sandbox.handle.container : '';
    const removal = ['rm', '--force', '--volumes', name];
    expect(await docker.calls('rm')).toEqual([removal, removal]);
  });

  test('does not mistake a failure of Docker for the end of a command', async () => {
    await using docker = await dockerStandIn();
    await using sandbox = await createSandbox({ provider: 'docker' });

    const pretended = await sandbox.run('echo "Error response from daemon: pretended" >&2; exit 1');
    await docker.loseContainers();

    expect(pretended).toMatchObject({ exitCode: 1, stopped: null });
    await expect(sandbox.run('true')).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('is no longer running: Error response from daemon: No such container'),
    });
  });

  test('removes the containers of processes that are gone, and no others', async () => {
    await using docker = await dockerStandIn();
    const here = processIdentity();
    await docker.list([
      ['ors-sandbox-gone', identityToText({ ...here, pid: 4_194_304, start: '1' })],
      ['ors-sandbox-reused', identityToText({ ...here, start: '1' })],
      ['ors-sandbox-before-reboot', identityToText({ ...here, boot: 'another' })],
      ['ors-sandbox-mine', identityToText(here)],
      ['ors-sandbox-of-another-machine', identityToText({ ...here, host: 'another', pid: 4_194_304 })],
      ['ors-sandbox-of-another-container', identityToText({ ...here, namespace: 'pid:[1]', pid: 4_194_304 })],
      ['ors-sandbox-odd', 'odd'],
    ]);

    const removed = await removeStaleSandboxes('docker');

    const names = ['ors-sandbox-gone', 'ors-sandbox-reused', 'ors-sandbox-before-reboot'];
    expect(removed).toEqual(names.map((container) => ({ provider: 'docker', container })));
  });

  test.each([
    [
      'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
      'start Docker',
    ],
    ['permission denied while trying to connect to the Docker daemon socket', 'usermod -aG docker'],
    ['Error response from daemon: pull access denied for x, repository does not exist', 'the option `image`'],
    ['exec: "sleep": executable file not found in $PATH: unknown', 'the image needs `sh`'],
  ])('suggests what to do about: %s', async (said, remedy) => {
    await using docker = await dockerStandIn();
    await docker.failWith(said);

    const problem = await findSandboxProblem({ provider: 'docker' });

    expect(problem).toContain(`docker run failed: ${said}. What to do: `);
    expect(problem).toContain(remedy);
  });

  test('suggests what to install if the program is missing', async () => {
    await using docker = await dockerStandIn();
    await docker.takeAway();

    expect(await findSandboxProblem({ provider: 'docker' })).toBe(
      "the program 'docker' is missing: install Docker, or use 'bubblewrap'",
    );
  });
});

const hasProgram = await run('docker', ['--version']).then(
  () => true,
  () => false,
);
const noProgram = hasProgram ? undefined : 'flags of Docker: the program `docker` is not installed';

testUnless(noProgram)('passes only flags that the real program `docker` knows, with or without a daemon', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'no-daemon-'));
  const container = 'ors-sandbox-flags';
  const calls: string[][] = [];
  {
    await using docker = await dockerStandIn();
    await using sandbox = await createSandbox({ provider: 'docker', env: { A: '1' } });
    await sandbox.run('cat', { stdin: '' });
    await sandbox.run('sleep 100', { timeoutMs: 1_000 });
    await removeStaleSandboxes('docker');
    for (const task of ['run', 'exec', 'restart', 'rm', 'ps']) calls.push(...(await docker.calls(task)));
  }
  calls.push(['rm', '--force', '--volumes', container], ['inspect', '--format', '{{.State.Running}}', container]);

  const said = await Promise.all(
    calls.map((args) =>
      run('docker', ['--host', `unix://${folder}/none.sock`, ...args], { env: process.env }).then(
        () => 'succeeded',
        (error: { stderr: string }) => error.stderr,
      ),
    ),
  );

  await rm(folder, { recursive: true });
  expect(new Set(calls.map(([task]) => task)).size).toBe(6);
  for (const text of said)
    expect(text).toMatch(/Cannot connect to the Docker daemon|error during connect|no such file/i);
});

// Must be the last test with a stand-in, since a refusal is remembered.
test('limits single files if the daemon cannot limit the container, and warns once', async () => {
  await using docker = await dockerStandIn();
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
  await using limited = await createSandbox({ provider: 'docker' });
  await docker.refuse('--storage-opt', "--storage-opt is supported only for overlay over xfs with 'pquota'");

  await using first = await createSandbox({ provider: 'docker' });
  await using second = await createSandbox({ provider: 'docker' });

  const warnings = warn.mock.calls.map(([, options]) => options);
  warn.mockRestore();
  const asked = (await docker.calls('run')).map((args) => args.includes('--storage-opt'));
  expect([limited, first, second].map(({ guarantees }) => guarantees.diskLimit)).toEqual([true, false, false]);
  expect(asked).toEqual([true, true, false, false]);
  expect(warnings).toEqual([{ type: 'SandboxWarning', code: 'ORS_SANDBOX_WEAKER' }]);
  expect((await second.run('echo works')).stdout).toBe('works\n');
});

const problem = await findSandboxProblem({ provider: 'docker' });

describeUnless(problem && `real containers of Docker: ${problem}`)('the docker provider, with a real daemon', () => {
  test('runs commands, keeps files, holds limits and removes everything', async () => {
    const sandbox = await createSandbox({ provider: 'docker', memoryBytes: 64 * 2 ** 20, processes: 40 });

    await sandbox.write('file', 'hello');
    const seen = await sandbox.run('cat file; cat /proc/net/dev | grep -c :; id -u');
    const late = await sandbox.run('sleep 1000 & sleep 1000', { timeoutMs: 2_000 });
    const bomb = await sandbox.run(['bash', '-c', ':(){ :|:& };:; sleep 60'], { timeoutMs: 1_000 });
    const hungry = await sandbox.run('tail /dev/zero');
    const after = await sandbox.run('cat file');
    await sandbox.remove();
    await removeSandbox(sandbox.handle);

    expect(seen.stdout).toMatch(/^hello1\n/);
    expect([late.stopped, bomb.stopped]).toEqual(['time', 'time']);
    expect(hungry.exitCode).not.toBe(0);
    expect(after.stdout).toBe('hello');
    await expect(sandbox.run('true')).rejects.toMatchObject({ code: 'removed' });
  });
});
