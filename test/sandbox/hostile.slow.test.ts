import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { createSandbox } from 'ors-kit/sandbox';
import { describeUnless, testUnless } from '../support/optional.ts';
import { bubblewrapMissing, marker, processesWith } from '../support/sandbox.ts';
import { attackMissing, call } from '../support/sandbox-attack.ts';
import { until } from '../support/until.ts';

const MiB = 1024 * 1024;
/** Harmful commands, which run only in a sandbox of bubblewrap. */
const onlyInside = '[ "$(id -un):$(hostname)" = agent:sandbox ] && [ ! -w /usr ] || exit 99;';
const bash = (script: string) => ['bash', '-c', script];

describeUnless(bubblewrapMissing)('a sandbox of bubblewrap withstands', () => {
  test.each([
    [':(){ :|:& };:; sleep 60'],
    ['f() { while :; do f & done; }; f; wait'],
    ['while :; do setsid sh -c "sleep 60 &" & done'],
  ])('a fork bomb: %s', async (bomb) => {
    const sign = marker();
    await using sandbox = await createSandbox({ timeoutMs: 1_000, processes: 40 });
    await using other = await createSandbox();

    const bombing = sandbox.run(bash(`${onlyInside} : ${sign}; ${bomb}`));
    await until(() => processesWith(sign).length > 0);
    const meanwhile = await other.run('echo fine');

    expect(meanwhile).toMatchObject({ stdout: 'fine\n', exitCode: 0 });
    expect(processesWith(sign).length).toBeLessThan(50);
    // Some shells give up before the time is over.
    expect((await bombing).exitCode).not.toBe(0);
    await until(() => processesWith(sign).length === 0);
    expect((await sandbox.run('echo alive')).stdout).toBe('alive\n');
  });

  test('more processes than allowed, which fail only in that command', async () => {
    await using sandbox = await createSandbox({ processes: 20 });
    const start = (count: number) => `for n in ${'x '.repeat(count)}; do sleep 60 & done; echo all`;

    const few = await sandbox.run(['dash', '-c', start(12)]);
    const many = await sandbox.run(['dash', '-c', start(25)]);

    expect(few).toMatchObject({ stdout: 'all\n', exitCode: 0 });
    expect(many).toMatchObject({ stdout: '', exitCode: 2 });
    expect(many.stderr).toContain('Cannot fork');
  });

  test.each(['rm -rf /', 'rm -rf --no-preserve-root /bin /etc /dev /proc/1 /tmp /work', 'rm -rf ./* /tmp/* ~'])(
    '%s, which leaves it usable and all others as they are',
    async (command) => {
      await using sandbox = await createSandbox();
      await using other = await createSandbox();
      await other.write('kept', 'kept');

      const { exitCode } = await sandbox.run(`${onlyInside} ${command}`);

      expect(exitCode).not.toBe(99);

      expect((await sandbox.run('echo again > file; cat file')).stdout).toBe('again\n');
      expect((await other.run('cat kept; ls /bin/sh')).stdout).toBe('kept/bin/sh\n');
    },
  );

  test('a process that allocates memory endlessly', async () => {
    await using sandbox = await createSandbox({ memoryBytes: 64 * MiB });

    const result = await sandbox.run('tail /dev/zero; echo "tail: $?"');

    // Either the kernel rejects the allocation or the command is ended; the machine keeps its memory in both cases.
    expect(result.stopped ?? result.stderr).toMatch(/^memory$|memory exhausted|Cannot allocate memory/);
    expect(result.stdout).not.toBe('tail: 0\n');
  });

  test('processes that together exceed the memory limit, each within it', async () => {
    await using sandbox = await createSandbox({ memoryBytes: 64 * MiB });

    const hold = '(head -c 30000000 /dev/zero; sleep 60) | tail -c 30000000';
    const result = await sandbox.run(bash(`for n in 1 2 3 4; do ${hold} & done; wait`));

    expect(result).toMatchObject({ exitCode: null, stopped: 'memory' });
  });

  testUnless(attackMissing)(
    'processes that together exceed the memory limit after their main threads have exited',
    async () => {
      await using sandbox = await createSandbox({ memoryBytes: 128 * MiB });

      const thread = 'threads->create(sub { sleep 1; $taken = "x" x 40_000_000; sleep 60 })->detach;';
      const script = `for (1..4) { next if fork; ${thread} syscall(${call.exit}, 0) } sleep 60`;
      const result = await sandbox.run(['perl', '-Mthreads', '-e', script]);

      expect(result).toMatchObject({ exitCode: null, stopped: 'memory' });
    },
  );

  test('processes that share memory within the limit', async () => {
    await using sandbox = await createSandbox({ memoryBytes: 64 * MiB });

    const script =
      'data=$(head -c 20000000 /dev/zero | tr "\\0" x); for n in 1 2 3 4 5 6; do (read -t 1 < <(sleep 60)) & done';
    const result = await sandbox.run(bash(`${script}; wait; echo fine`));

    expect(result).toMatchObject({ exitCode: 0, stdout: 'fine\n' });
  });

  test('code in the init of a command, which has the same limits', async () => {
    await using sandbox = await createSandbox({ memoryBytes: 64 * MiB, processes: 20, diskBytes: 8 * MiB });

    const { stdout } = await sandbox.run('cat /proc/1/limits; echo; cat /proc/self/limits');
    const [init, own] = stdout.split('\n\n').map((limits) => limits.trim());

    expect(own).toMatch(/^Max processes +20 +20 /m);
    expect(init).toBe(own);
  });

  test('endless output', async () => {
    await using sandbox = await createSandbox({ outputBytes: 10_000 });

    const result = await sandbox.run('yes');

    expect(result).toMatchObject({ exitCode: null, stopped: 'output', stderr: '' });
    expect(result.stdout.length).toBeLessThan(10_100);
    expect(result.stdout).toMatch(/^y\n(y\n)+\n?\[\.\.\. \d+ bytes left out \.\.\.]\n/);
    expect(result.stdoutOmitted).toBeGreaterThan(60 * MiB);
  });

  test('invalid UTF-8', async () => {
    await using sandbox = await createSandbox();

    const { stdout, stderr } = await sandbox.run("printf '\\377\\000\\303\\050é'; printf '\\360\\237' >&2");

    expect([stdout, stderr]).toEqual(['\ufffd\0\ufffd(é', '\ufffd']);
  });

  test('a command that takes too long, with children in separate sessions that ignore signals', async () => {
    const sign = marker();
    await using sandbox = await createSandbox();

    const script = `trap '' TERM INT HUP; (trap '' TERM; setsid sleep ${sign}) & sleep ${sign}`;
    const result = await sandbox.run(bash(script), { timeoutMs: 500 });

    expect(result).toMatchObject({ exitCode: null, stopped: 'time' });
    await until(() => processesWith(sign).length === 0);
  });

  test('a file larger than the disk', async () => {
    await using sandbox = await createSandbox({ diskBytes: 4 * MiB });

    const result = await sandbox.run('dd if=/dev/zero of=big bs=1M count=10000');

    expect(result.exitCode).toBe(153);
    expect((await sandbox.run('stat -c %s big')).stdout).toBe(`${4 * MiB}\n`);
  });

  test.each([
    ['many files', 'for n in $(seq 100000); do head -c 1000000 /dev/zero > $n; sleep 0.01; done'],
    ['empty files', 'for n in $(seq 100000); do : > $n; done; sleep 60'],
    [
      'files in a folder that is closed',
      'mkdir d; cd d; chmod 300 .; for n in $(seq 1000); do head -c 1000000 /dev/zero > $n; sleep 0.01; done',
    ],
    [
      'files that are removed and still open',
      'for n in 5 6 7 8 9; do eval "exec $n>f"; rm f; head -c 6000000 /dev/zero >&$n; done; sleep 60',
    ],
  ])(
    '%s that fill a folder whose size is measured; then files can be removed and nothing else',
    async (_what, command) => {
      await using sandbox = await createSandbox({ storage: 'folder', diskBytes: 8 * MiB, timeoutMs: 60_000 });

      const filling = await sandbox.run(bash(command));
      const kept = await sandbox.run('test -e 1 -o -e d');
      const writing = await sandbox.run('head -c 1000 /dev/zero > more');
      await sandbox.run('chmod -R u+rwX .; rm -rf -- *');
      const writingAgain = await sandbox.run('head -c 1000 /dev/zero > more');

      expect(filling).toMatchObject({ exitCode: null, stopped: 'disk' });
      if (kept.exitCode === 0) expect(writing.exitCode).not.toBe(0);
      expect(writingAgain.exitCode).toBe(0);
    },
  );

  test('attempts to reach a server on the loopback of the host, which a plain directory reaches', async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const command = bash(`exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`);
    await using sandbox = await createSandbox({ loopback: true });
    await using open = await createSandbox({ provider: 'directory' });

    const isolated = await sandbox.run(command);
    const plain = await open.run(command);

    server.close();
    expect(isolated.stderr).toContain('Connection refused');
    expect(plain.stdout).toContain('200 OK');
    expect(requests).toBe(1);
  });

  test.each(['kill -9 0', 'kill -9 -1; exit 137', 'kill -9 1; kill -9 $$', 'kill 0'])(
    '%s, which ends the command alone',
    async (command) => {
      await using sandbox = await createSandbox();

      const result = await sandbox.run(bash(`${onlyInside} sleep 60 & ${command}; sleep 60`));

      expect(result.exitCode).toBeGreaterThan(128);
      expect(result.stopped).toBeNull();
    },
  );

  test('attempts to make namespaces, mounts and devices', async () => {
    await using sandbox = await createSandbox();

    const results = await Promise.all(
      ['unshare -U true', 'unshare -Ur mount -t tmpfs none /tmp', 'mknod null c 1 3', 'chroot / true'].map((command) =>
        sandbox.run(command),
      ),
    );

    expect(results.map(({ exitCode }) => exitCode)).not.toContain(0);
  });
});
