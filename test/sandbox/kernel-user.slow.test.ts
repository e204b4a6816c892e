import { existsSync, readFileSync, watch } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createSandbox, type Sandbox } from 'ors-kit/sandbox';
import { epollLimits } from '../../src/sandbox/limits.ts';
import { describeUnless, testUnless } from '../support/optional.ts';
import { bubblewrapMissing, commandLine, marker, processesWith } from '../support/sandbox.ts';
import { asOrdinaryUser, attackMissing, call, perl, runProgram } from '../support/sandbox-attack.ts';
import { until } from '../support/until.ts';

const isRoot = process.getuid?.() === 0;
const notRoot = isRoot ? undefined : 'kernel users of sandboxes: only root has others';

/** Returns the user id that a running command has outside of its sandbox. */
async function kernelUser(sandbox: Sandbox): Promise<number> {
  const sign = marker();
  const controller = new AbortController();
  const running = sandbox.run(['sleep', sign], { signal: controller.signal });
  const ended = expect(running).rejects.toThrow('seen');
  // Excludes the processes around it, whose command lines end with the same words.
  const sleeping = () => processesWith(sign).find((pid) => commandLine(`${pid}`) === `sleep\0${sign}\0`);
  await until(() => sleeping() !== undefined);
  const status = readFileSync(`/proc/${sleeping()}/status`, 'latin1');
  controller.abort(new Error('seen'));
  await ended;
  return Number(/^Uid:\t(\d+)/m.exec(status)?.[1]);
}

/** Node, if it is not in /usr, which commands see anyway. */
const readableNode = process.execPath.startsWith('/usr/') ? [] : [process.execPath];

/** Program that opens all inotify instances that it can, and keeps them open for a while. */
const takeInotify = perl(
  `$| = 1; while (syscall(${call.inotify}, 0) >= 0) { $count++ } print $count; open(F, ">", "/work/full"); sleep 60`,
);

describeUnless(bubblewrapMissing ?? notRoot)('a server that is root', () => {
  test('runs each sandbox as a separate kernel user within `uidRange`', async () => {
    const uidRange = { first: 1_800_000_000, count: 3 };
    const sandboxes = await Promise.all([1, 2, 3].map(() => createSandbox({ uidRange })));

    const users = await Promise.all(sandboxes.map(kernelUser));
    const refused = await createSandbox({ uidRange }).catch((error) => error);
    await sandboxes[0]?.remove();
    await using next = await createSandbox({ uidRange });
    const freed = await kernelUser(next);
    await Promise.all(sandboxes.map((sandbox) => sandbox.remove()));

    expect([...users].sort()).toEqual([1_800_000_000, 1_800_000_001, 1_800_000_002]);
    expect(refused).toMatchObject({ code: 'failed', message: expect.stringContaining('pass a larger uidRange') });
    expect(freed).toBe(users[0]);
    expect(next.guarantees).toEqual({ ownUser: true, diskLimit: true, systemCalls: true, copyOnWrite: false });
  });

  test.each([
    { first: -1, count: 3 },
    { first: 1.5, count: 3 },
    { first: 1_000, count: 0 },
    { first: 4e9, count: 1e9 },
  ])('rejects uidRange %j', async (uidRange) => {
    await expect(createSandbox({ uidRange })).rejects.toThrow('invalid uidRange: expected { first, count }');
  });

  describeUnless(attackMissing)('whose sandbox uses all inotify instances of its user', () => {
    test('still watches files, and so does a command of another sandbox', async () => {
      await using attacker = await createSandbox();
      await using other = await createSandbox();

      const controller = new AbortController();
      const attack = attacker.run(takeInotify, { signal: controller.signal });
      const ended = expect(attack).rejects.toThrow('enough');
      await until(async () => (await attacker.run('test -e full')).exitCode === 0);
      const watcher = watch('/tmp');
      watcher.close();
      const beside = await other.run(perl(`print syscall(${call.inotify}, 0) >= 0 ? "watches" : $!`));
      controller.abort(new Error('enough'));
      await ended;

      expect(beside.stdout).toBe('watches');
    });
  });
});

describeUnless(bubblewrapMissing ?? notRoot ?? attackMissing)('a server of a user without subordinate ids', () => {
  test('warns, and prevents a command from using all inotify instances of the user', async () => {
    const code = `
      const warnings = [];
      process.on('warning', ({ code }) => warnings.push(code));
      const sandbox = await createSandbox();
      let isOver = false;
      const attack = sandbox.run(${JSON.stringify(takeInotify)}, { timeoutMs: 5_000 }).finally(() => (isOver = true));
      while ((await sandbox.run('test -e full')).exitCode !== 0) {
        if (isOver) throw new Error('the attack ended before it had taken all instances');
      }
      (await import('node:fs')).watch('/tmp').close();
      console.log(Number((await attack).stdout) <= 16, sandbox.guarantees.ownUser, warnings.join());
      await sandbox.remove();`;

    expect(await runProgram(code, asOrdinaryUser)).toEqual(['true false ORS_SANDBOX_WEAKER', '0']);
  });

  test('limits descriptors so that all processes of a command together cannot watch each by each', async () => {
    const most = Number(readFileSync('/proc/sys/fs/epoll/max_user_watches', 'latin1'));
    // As many epoll instances as other files. Each instance watches each file.
    const script =
      '$event = pack("LQ", 1, 0); push @open, $fd while ($fd = syscall(' +
      `${call.eventfd}, 0, 0)) >= 0; POSIX::close($_) for splice @open, @open / 2; push @epolls, $fd while ($fd = ` +
      `syscall(${call.epoll_create}, 0)) >= 0; for $epoll (@epolls) { ` +
      `$count += syscall(${call.epoll_ctl}, $epoll, 1, $_, $event) == 0 for @open } print $count`;
    const code = `
      const processes = ${Math.min(128, Math.floor(most / 4_096))};
      const sandbox = await createSandbox({ processes });
      const { stdout } = await sandbox.run('ulimit -Sn; ulimit -Hn; prlimit --pid 1 --nofile --output SOFT,HARD --noheadings');
      const watching = await sandbox.run(${JSON.stringify(['perl', '-MPOSIX', '-e', script])});
      console.log(processes, Number(watching.stdout), stdout.trim().split(/\\s+/).join(' '));
      await sandbox.remove();`;

    const [printed = '', exitCode] = await runProgram(code, asOrdinaryUser);
    const [processes = 0, watches = 0, ...openFiles] = printed.split(' ').map(Number);

    expect(exitCode).toBe('0');
    expect(openFiles).toEqual(Array(4).fill(epollLimits(processes, most).openFiles));
    expect(watches).toBeGreaterThan(100);
    expect(processes * watches).toBeLessThanOrEqual(most / 2);
  });

  // A bit less than half of `ulimit -n` (the argument), since perl itself opens files.
  const start = '$n = int(($ARGV[0] - 16) / 2); $event = pack("LQ", 1, 0);';
  const open =
    `@events = map { syscall(${call.eventfd}, 0, 0) } 1..$n; ` +
    `@epolls = map { syscall(${call.epoll_create}, 0) } 1..$n;`;
  const watchAll = `for $epoll (@epolls) { syscall(${call.epoll_ctl}, $epoll, 1, $_, $event) for @events }`;
  // A file counts again under another descriptor, so each file is moved to the descriptor of its neighbor.
  const watchRenumbered =
    `${open} while (1) { ${watchAll} $first = POSIX::dup($events[0]); ` +
    'POSIX::dup2($events[$_ + 1], $events[$_]) for 0..$n - 2; POSIX::dup2($first, $events[-1]); POSIX::close($first) }';

  test.each([
    ['in many processes', `for (1..100) { next if fork; ${open} ${watchAll} sleep 60 } sleep 60`],
    ['of the same files under other numbers', watchRenumbered],
    [
      'in a process whose main thread has exited',
      `threads->create(sub { sleep 1; ${watchRenumbered} })->detach; syscall(${call.exit}, 0)`,
    ],
  ])('ends a command that has more epoll watches than its descriptors need: %s', async (_, script) => {
    const argv = ['perl', '-MPOSIX', '-Mthreads', '-e', `${start} ${script}`];
    const code = `
      const sandbox = await createSandbox();
      const openFiles = (await sandbox.run('ulimit -n')).stdout.trim();
      const { stopped, stderr } = await sandbox.run([...${JSON.stringify(argv)}, openFiles], { timeoutMs: 60_000 });
      console.log(stopped, stderr);
      await sandbox.remove();`;

    expect(await runProgram(code, asOrdinaryUser)).toEqual(['memory ', '0']);
  });

  test('runs Node within its smaller limit of descriptors', async () => {
    const code = `
      const sandbox = await createSandbox({ memoryBytes: 2 ** 31, readable: ${JSON.stringify(readableNode)} });
      const node = ${JSON.stringify(process.execPath)};
      const script = 'console.log(require("node:child_process").execFileSync("echo", ["child"], { encoding: "utf8" }).trim())';
      const run = await sandbox.run([node, '-e', script]);
      console.log(run.stdout.trim(), run.exitCode);
      await sandbox.remove();`;

    expect(await runProgram(code, asOrdinaryUser)).toEqual(['child 0', '0']);
  });
});

const noSubordinate = existsSync('/usr/bin/newuidmap') ? undefined : 'subordinate ids: newuidmap is not installed';
const subordinateUser = readSubordinateUser();

describeUnless(
  bubblewrapMissing ??
    notRoot ??
    noSubordinate ??
    (subordinateUser ? undefined : 'subordinate ids: /etc/subuid has none'),
)('a server of a user with subordinate ids', () => {
  test('runs commands as one of them, within their limits, and leaves nothing behind', async () => {
    const { uid, first, count } = subordinateUser as { uid: number; first: number; count: number };
    const sign = marker();
    const code = `
      const sandbox = await createSandbox({ diskBytes: 4 * 2 ** 20, memoryBytes: 64 * 2 ** 20, processes: 20 });
      const { run } = sandbox;
      const { readdirSync, readFileSync, existsSync } = await import('node:fs');
      let isOver = false;
      const running = run(['sleep', '${sign}'], { timeoutMs: 4_000 }).finally(() => (isOver = true));
      const isSleeping = (pid) => {
        try { return readFileSync('/proc/' + pid + '/cmdline', 'latin1') === 'sleep\\0' + '${sign}' + '\\0'; } catch { return false; }
      };
      const sleeping = () => readdirSync('/proc').find((pid) => /^\\d+$/.test(pid) && isSleeping(pid));
      while (!sleeping()) {
        if (isOver) throw new Error('the command ended before its process was found');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const user = Number(/^Uid:\\t(\\d+)/m.exec(readFileSync('/proc/' + sleeping() + '/status', 'latin1'))[1]);
      console.log(user >= ${first} && user < ${first + count}, sandbox.guarantees.ownUser, (await running).stopped);
      await sandbox.write('file', 'text');
      console.log(String(await sandbox.read('file')), (await run('stat -c %U file')).stdout.trim());
      console.log((await run(['dash', '-c', 'for n in 1 2 3 4 5 6 7 8 9 a b c d e f g h i j k l m n; do sleep 60 & done'])).exitCode);
      console.log((await run('(head -c 40000000 /dev/zero; sleep 60) | tail -c 40000000 & (head -c 40000000 /dev/zero; sleep 60) | tail -c 40000000')).stopped);
      await sandbox.remove();
      console.log(existsSync(sandbox.handle.folder));`;
    const asUser = setpriv(uid);

    expect(await runProgram(code, asUser)).toEqual(['true true time', 'text agent', '2', 'memory', 'false', '0']);
    await until(() => processesWith(sign).length === 0);
  });

  testUnless(attackMissing)('counts files in memory that a command has open and not mapped', async () => {
    const { uid } = subordinateUser as { uid: number };
    // Written in small pieces, so that the processes themselves stay small.
    const script =
      `$name = "file"; fork; $fd = syscall(${call.memfd_create}, $name, 0); open(F, ">&=", $fd); ` +
      'print F "x" x 1_000_000 for 1..40; sleep 60';
    const code = `
      const sandbox = await createSandbox({ memoryBytes: 64 * 2 ** 20 });
      const take = ${JSON.stringify(perl(script))};
      console.log((await sandbox.run(take, { timeoutMs: 20_000 })).stopped);
      await sandbox.remove();`;

    expect(await runProgram(code, setpriv(uid))).toEqual(['memory', '0']);
  });
});

const setpriv = (uid: number) => ['setpriv', '--reuid', `${uid}`, '--regid', `${uid}`, '--clear-groups'];

/** Finds a user with a range in /etc/subuid. Only root can become that user. */
function readSubordinateUser() {
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
  const [name, first, count] = read('/etc/subuid')[0]?.split(':') ?? [];
  const uid = read('/etc/passwd')
    .find((line) => line.startsWith(`${name}:`))
    ?.split(':')[2];
  return uid === undefined || !name ? undefined : { uid: Number(uid), first: Number(first), count: Number(count) };
}

describeUnless(bubblewrapMissing ?? notRoot)('a server that is the init of a container', () => {
  test('has no zombies after commands that end, are ended, or leave processes behind', async () => {
    const code = `
      const sandbox = await createSandbox();
      for (let n = 0; n < 20; n++) await sandbox.run('(setsid sleep 0.01 &); true');
      for (let n = 0; n < 5; n++) await sandbox.run('sleep 60 & sleep 60', { timeoutMs: 100 });
      for (let n = 0; n < 10; n++) {
        const controller = new AbortController();
        const running = sandbox.run('sleep 60', { signal: controller.signal }).catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 3 * n));
        controller.abort();
        await running;
      }
      const { readdirSync, readFileSync } = await import('node:fs');
      const states = readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).map((pid) => /^State:\\t(\\S)/m.exec(readFileSync('/proc/' + pid + '/status', 'latin1'))[1]);
      console.log(process.pid, states.filter((state) => state === 'Z').length);
      await sandbox.remove();`;

    expect(await runProgram(code, ['unshare', '--pid', '--fork', '--mount-proc'])).toEqual(['1 0', '0']);
  });
});
