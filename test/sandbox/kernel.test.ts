import { expect, test } from '@jest/globals';
import { createSandbox } from 'ors-kit/sandbox';
import { describeUnless } from '../support/optional.ts';
import { bubblewrapMissing } from '../support/sandbox.ts';
import { attackMissing, call, perl, runProgram } from '../support/sandbox-attack.ts';

describeUnless(bubblewrapMissing ?? attackMissing)('a command in a sandbox of bubblewrap', () => {
  test.each([
    [{}, '1'],
    [{ loopback: true }, '1 2 10 16'],
  ])('opens only the sockets that the options allow: %j', async (options, expected) => {
    await using sandbox = await createSandbox(options);
    const script =
      'use Socket; for $f (1..45) { for $t (1, 2, 3, 5) {' +
      '$open{$f} = 1 if socket(S, $f, $t, 0) || socketpair(A, B, $f, $t, 0) } }' +
      'print join(" ", sort { $a <=> $b } keys %open)';

    const result = await sandbox.run(perl(script));

    expect(result).toMatchObject({ stdout: expected, exitCode: 0 });
  });

  test('reaches itself by its loopback, if the options allow one', async () => {
    await using sandbox = await createSandbox({ loopback: true });
    const script =
      'use IO::Socket::INET; $s = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1"); $p = $s->sockport;' +
      'if (!fork) { print {IO::Socket::INET->new("127.0.0.1:$p")} "hello"; exit } print $s->accept->getline';

    const { stdout } = await sandbox.run(perl(script));

    expect(stdout).toBe('hello');
  });

  test('cannot use keyrings, bpf, perf, userfaultfd and io_uring, and sees no keys', async () => {
    await using sandbox = await createSandbox();
    const { keyctl, add_key, request_key, bpf, perf, uffd } = call;
    const script =
      'sub attempt { $! = 0; syscall($_[0], @_[1..$#_]); print $! + 0, " " } $t = "user"; $n = "ors:covert"; $v = "secret";' +
      `attempt(${keyctl}, 0, -3, 0); attempt(${keyctl}, 1, 0); attempt(${keyctl}, 10, -3, $t, $n, 0);` +
      `attempt(${add_key}, $t, $n, $v, 6, -3); attempt(${request_key}, $t, $n, 0, -3); attempt(${bpf}, 0, 0, 0);` +
      `attempt(${perf}, 0, 0, -1, -1, 0); attempt(${uffd}, 1); attempt(425, 1, 0)`;

    const errors = await sandbox.run(perl(script));
    const shown = await sandbox.run('cat /proc/keys /proc/key-users');

    expect(errors.stdout).toBe('1 1 1 1 1 1 1 1 38 ');
    expect(shown.stdout).toBe('');
  });

  test('has small limits for resources that the kernel counts per user: signals, message queues, locked memory', async () => {
    await using sandbox = await createSandbox();

    const { stdout } = await sandbox.run('prlimit --noheadings --output SOFT,HARD --sigpending --msgqueue --memlock');

    const limits = stdout.trim().split(/\s+/).map(Number);
    expect(limits.sort((a, b) => a - b)).toEqual([1_024, 1_024, 65_536, 65_536, 131_072, 131_072]);
  });

  test('sees the PATH of the server in no process', async () => {
    const code = `
      const sandbox = await createSandbox();
      const { stdout } = await sandbox.run('cat /proc/[0-9]*/environ');
      console.log(/PATH=/.test(stdout), /canary/.test(stdout));
      await sandbox.remove();`;
    const path = '/canary:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

    expect(await runProgram(code, [], { PATH: path })).toEqual(['true false', '0']);
  });
});
