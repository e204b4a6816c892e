import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineEnvironment } from 'ors-kit';
import { OrsClient } from 'ors-kit/client';
import { openJournal } from 'ors-kit/journal';
import { createSandbox, discardSnapshot, findSandboxProblem, type SandboxOptions } from 'ors-kit/sandbox';
import { serve } from 'ors-kit/server';
import { copySnapshot, removeOldSnapshots } from '../../src/sandbox/snapshots.ts';
import { describeUnless } from '../support/optional.ts';
import { bubblewrapMissing } from '../support/sandbox.ts';
import { asOrdinaryUser, runProgram } from '../support/sandbox-attack.ts';
import { until, withDeadline } from '../support/until.ts';

const MiB = 1024 * 1024;
const WEEK_MS = 7 * 86_400_000;
const isRoot = process.getuid?.() === 0;

let snapshotFolder = '';
beforeAll(async () => {
  snapshotFolder = await mkdtemp(join(tmpdir(), 'snapshots-'));
});
afterAll(() => rm(snapshotFolder, { recursive: true, force: true }));

const LIST = `find . -printf '%y %m %s %T@ %l %p\\0' | sort -z | tr '\\0' '\\n'; find . -type f -exec md5sum {} + | sort`;

/** Files that a careless copy would lose, change, or follow out of the sandbox. */
const HOSTILE = `
  mkdir -p 'a/b c/--help' empty closed
  echo text > 'a/b c/--help/file'; chmod 640 'a/b c/--help/file'
  printf x > "$(printf 'new\\nline')"; printf y > "$(printf 'bytes\\377')"; printf z > '-rf'
  ln -s /etc/passwd secret; ln -s ../../../../etc folder; ln -s nowhere broken
  printf same > one; ln one other
  truncate -s 40M sparse; touch -d '2001-02-03 04:05:06.789' -- old
  echo closed > closed/file; chmod 555 closed`;

const storages: readonly [string, SandboxOptions][] = [
  ['image', { storage: 'image' }],
  ['memory', { storage: 'memory' }],
  ['folder', { storage: 'folder' }],
  ['directory', { provider: 'directory' }],
];

/** Storages in which everything is tested. The others differ from them only in how a sandbox gets the files of a snapshot. */
const TESTED_IN_FULL = ['memory', 'directory'];

for (const [name, storage] of storages) {
  const isShared = name === 'image' || name === 'memory';
  const problem = storage.provider ? undefined : (bubblewrapMissing ?? (await findSandboxProblem(storage)));
  const create = (options: SandboxOptions = {}) =>
    createSandbox({ ...storage, diskBytes: 128 * MiB, snapshotFolder, ...options });

  describeUnless(problem && `snapshots of '${name}': ${problem}`)(`snapshots of a sandbox in '${name}'`, () => {
    // Concurrent, since they mostly wait for programs.
    test.concurrent('restore names, content, permissions, times and links', async () => {
      await using sandbox = await create();
      expect(await sandbox.run(HOSTILE)).toMatchObject({ exitCode: 0, stderr: '' });

      await using branch = await create({ from: await sandbox.save() });

      const [original, restored] = [await sandbox.run(LIST), await branch.run(LIST)];
      // The size of a folder depends on its file system.
      const comparable = (text: string) => text.replaceAll(/^(d \d+) \d+/gm, '$1');
      expect(comparable(restored.stdout)).toBe(comparable(original.stdout));
      expect(restored.stdout).toContain('/etc/passwd ./secret');
      expect(await branch.run('echo more >> "a/b c/--help/file" && rm -- -rf && mkdir a/new')).toMatchObject({
        exitCode: 0,
        stderr: '',
      });
    });

    test.concurrent('do not change with the sandbox or with its branches', async () => {
      await using sandbox = await create();
      await sandbox.run('echo saved > file; echo saved > removed');
      const from = await sandbox.save();

      await using first = await create({ from });
      await sandbox.run('echo original > file');
      await first.run('echo first > file; rm removed');
      await using second = await create({ from });

      const contents = [sandbox, first, second].map(async ({ run }) => (await run('cat file; ls removed')).stdout);
      expect(await Promise.all(contents)).toEqual(['original\nremoved\n', 'first\n', 'saved\nremoved\n']);
    });

    if (isShared) {
      test.concurrent('count only for the limits of a branch that changes them', async () => {
        const limits = { diskBytes: 32 * MiB, memoryBytes: 16 * MiB };
        await using sandbox = await create(limits);
        await sandbox.run('head -c 16M /dev/zero > base');
        await using branch = await create({ from: await sandbox.save(), ...limits });

        const added = await branch.run('fallocate -l 24M more && echo added');
        const beyond = await branch.run('fallocate -l 24M beyond; echo x >> base');
        const open = await branch.run(
          'rm more beyond; exec 5>open; rm open; head -c 24M /dev/zero >&5; sleep 2; echo open',
        );

        // A removed file that is open counts as a file, not as memory.
        expect([added.stdout, open.stdout]).toEqual(['added\n', 'open\n']);
        expect(beyond.stderr.match(/No space left on device/g)).toHaveLength(2);
      });
    }

    if (!TESTED_IN_FULL.includes(name)) return;

    test.concurrent('leave out sockets, pipes and setuid bits', async () => {
      await using sandbox = await create();
      await sandbox.run('mkfifo pipe; echo x > program; chmod 6755 program');

      await using branch = await create({ from: await sandbox.save() });

      const { stdout } = await branch.run("find . -mindepth 1 -printf '%m %p\\n'");
      expect(stdout).toBe('755 ./program\n');
    });

    test.concurrent('share files that did not change, also those of a branch', async () => {
      await using sandbox = await create();
      await sandbox.run('head -c 5000000 /dev/urandom > large; echo 1 > small');
      const inodeOf = async (id: string, file: string) => (await stat(join(snapshotFolder, id, 'work', file))).ino;

      const first = await sandbox.save();
      const unchanged = await sandbox.save();
      await sandbox.run('echo 2 > small');
      const second = await sandbox.save();
      await using branch = await create({ from: second });
      const untouched = await branch.save();
      await branch.run('mv small moved');
      const third = await branch.save();

      expect([unchanged, untouched]).toEqual([first, second]);
      expect(await inodeOf(second, 'large')).toBe(await inodeOf(first, 'large'));
      expect(await inodeOf(third, 'large')).toBe(await inodeOf(first, 'large'));
      expect(await inodeOf(second, 'small')).not.toBe(await inodeOf(first, 'small'));
      expect((await readdir(join(snapshotFolder, third, 'work'))).sort()).toEqual(['large', 'moved']);
    });

    test.concurrent('notice a change that keeps size and time, and folders that exchange their names', async () => {
      await using sandbox = await create();
      await sandbox.run('for n in 1 2 3; do mkdir $n; echo $n > $n/f; touch -d 2001-02-03 $n/f; done');
      await sandbox.save();

      await sandbox.run('mv 1 x; mv 2 1; mv x 2; echo 9 > 3/f; touch -d 2001-02-03 3/f');
      await using branch = await create({ from: await sandbox.save() });

      expect((await branch.run('cat 1/f 2/f 3/f')).stdout).toBe('2\n1\n9\n');
    });

    test.concurrent('wait for running commands, which continue after them', async () => {
      await using sandbox = await create();
      const running = sandbox.run('sleep 0.5; echo done > file');

      const [from, later] = await Promise.all([sandbox.save(), sandbox.run('echo later >> file; cat file')]);

      await using branch = await create({ from });
      expect((await running).exitCode).toBe(0);
      expect(later.stdout).toBe('done\nlater\n');
      expect((await branch.run('cat file')).stdout).toBe('done\n');
    });

    test.concurrent('reject a file that commands cannot read, and leave nothing behind', async () => {
      const ownFolder = await mkdtemp(join(snapshotFolder, 'store-'));
      await using sandbox = await create({ snapshotFolder: ownFolder });
      await sandbox.run('echo secret > file; chmod 000 file');

      await expect(sandbox.save()).rejects.toMatchObject({ name: 'SandboxError', code: 'failed' });

      await sandbox.run('chmod 600 file');
      expect(await sandbox.save()).toMatch(/^[0-9a-f]{32}$/);
      expect((await readdir(ownFolder)).filter((entry) => entry.endsWith('.partial'))).toEqual([]);
    });

    test.concurrent('remain for branches that share their files after they were discarded', async () => {
      await using sandbox = await create();
      await sandbox.run('echo kept > file');
      const from = await sandbox.save();
      await using branch = await create({ from });

      await discardSnapshot(from, { snapshotFolder });
      await discardSnapshot(from, { snapshotFolder });

      expect(branch.guarantees.copyOnWrite).toBe(isShared);
      expect(existsSync(join(snapshotFolder, `${from}.discarded`))).toBe(isShared);
      expect((await branch.run('cat file; echo more >> file')).stdout).toBe('kept\n');
      await expect(create({ from })).rejects.toMatchObject({ name: 'SandboxError', code: 'not-found' });
      await using next = await create({ from: await branch.save() });
      expect((await next.run('cat file')).stdout).toBe('kept\nmore\n');
    });

    test.concurrent('outlive a server that is killed', async () => {
      const source = new URL('../../dist/src/sandbox/index.js', import.meta.url).href;
      const code = `
        const { createSandbox } = await import('${source}');
        const sandbox = await createSandbox(${JSON.stringify({ ...storage, snapshotFolder })});
        await sandbox.run('echo saved > file');
        console.log(await sandbox.save());
        setInterval(() => {}, 1_000);`;
      const args = ['--no-warnings', '--input-type=module', '--eval', code];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      const [from] = await withDeadline(once(createInterface(child.stdout), 'line'), 'the id of the snapshot');

      child.kill('SIGKILL');
      await withDeadline(once(child, 'exit'), 'the end of the killed server');
      await using branch = await create({ from });

      expect((await branch.run('cat file')).stdout).toBe('saved\n');
    });
  });
}

test('removes snapshots that were not used for a week when another one is saved', async () => {
  const store = await mkdtemp(join(snapshotFolder, 'store-'));
  const save = async (folder: string, options: SandboxOptions = {}) => {
    await using sandbox = await createSandbox({ provider: 'directory', snapshotFolder: folder, ...options });
    await sandbox.run('mkdir -p a; date +%N > a/file; chmod 555 a');
    return await sandbox.save();
  };
  const [old, used] = [await save(store), await save(store)];
  const age = (id: string) => utimes(join(store, id), new Date(), new Date(Date.now() - WEEK_MS - 1_000));
  await age(old);
  await age(used);
  // A process searches a folder once an hour; it has not searched this path.
  const path = `${store}-of-another-process`;
  await symlink(store, path);

  const newest = await save(path, { from: used });

  await until(async () => !(await readdir(store)).some((name) => name.startsWith(old)));
  expect((await readdir(store)).sort()).toEqual([used, newest].sort());
});

test('removes nothing of others in the folder for snapshots', async () => {
  const store = await mkdtemp(join(snapshotFolder, 'store-'));
  const old = new Date(Date.now() - 2 * WEEK_MS);
  const id = '0123456789abcdef'.repeat(2);
  for (const name of ['data', 'notes.discarded', id, `${id}.partial`]) {
    await mkdir(join(store, name));
    await utimes(join(store, name), old, old);
  }

  await removeOldSnapshots(store);

  expect((await readdir(store)).sort()).toEqual(['data', 'notes.discarded']);
});

test('removes old snapshots although others cannot be removed', async () => {
  const store = await mkdtemp(join(snapshotFolder, 'store-'));
  const old = new Date(Date.now() - 2 * WEEK_MS);
  const names = Array.from({ length: 20 }, (_, number) => number.toString(16).padStart(32, '0'));
  for (const name of ['f'.repeat(32), ...names]) {
    await mkdir(join(store, name));
    await utimes(join(store, name), old, old);
  }
  // A snapshot cannot be renamed to the name of a file, unless the file is removed first.
  for (const name of names) await writeFile(join(store, `${name}.discarded`), '');

  await removeOldSnapshots(store);

  expect(await readdir(store)).not.toContain('f'.repeat(32));
});

test('saves files whose times are in the future, however many there are', async () => {
  await using sandbox = await createSandbox({ provider: 'directory', snapshotFolder });
  const folder = `${'x'.repeat(200)}/`.repeat(15);
  await sandbox.run(`mkdir -p ${folder} && cd ${folder} && seq 400 | xargs touch -d 2040-01-01`);

  expect(await sandbox.save()).toMatch(/^[0-9a-f]{32}$/);
});

test('can be discarded twice at the same time', async () => {
  await using sandbox = await createSandbox({ provider: 'directory', snapshotFolder });
  const id = await sandbox.save();

  await Promise.all([discardSnapshot(id, { snapshotFolder }), discardSnapshot(id, { snapshotFolder })]);

  expect(existsSync(join(snapshotFolder, id))).toBe(false);
});

test('is copied completely, or not at all if it is discarded meanwhile', async () => {
  const target = await mkdtemp(join(snapshotFolder, 'target-'));

  const copying = copySnapshot(join(snapshotFolder, 'f'.repeat(32)), ['work', 'tmp'], target);

  await expect(copying).rejects.toMatchObject({ name: 'SandboxError', code: 'not-found' });
});

test.each(['../../etc', '/etc', '', 'x'.repeat(32), 5, null, {}])('rejects the id %j', async (id) => {
  const from = id as string;
  const refusal = { name: 'SandboxError', code: 'not-found' };

  await expect(createSandbox({ provider: 'directory', from, snapshotFolder })).rejects.toMatchObject(refusal);
  await expect(discardSnapshot(from, { snapshotFolder })).rejects.toMatchObject(refusal);
});

test('is not possible with docker, which says so', async () => {
  await using sandbox = await createSandbox({ provider: 'directory', snapshotFolder });
  const from = await sandbox.save();

  await expect(createSandbox({ provider: 'docker', from, snapshotFolder })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining("use 'bubblewrap'"),
  });
});

describeUnless(bubblewrapMissing)('snapshots of an ordinary user', () => {
  test.concurrent('are shared by overlays in a user namespace', async () => {
    const folder = await mkdtemp('/tmp/snapshots-of-user-');
    const code = `
      const sandbox = await createSandbox({ storage: 'memory', diskBytes: ${MiB} });
      await sandbox.run('echo saved > file; chmod 640 file');
      const branch = await createSandbox({ storage: 'memory', diskBytes: ${MiB}, from: await sandbox.save() });
      console.log((await branch.run('cat file; stat -c %a file; echo more >> file && cat file')).stdout);
      console.log((await sandbox.run('cat file')).stdout, branch.guarantees.copyOnWrite);
      await branch.remove();
      await sandbox.remove();`;
    if (isRoot) await chown(folder, 31_337, 31_337);

    const lines = await runProgram(code, isRoot ? asOrdinaryUser : [], { ORS_SANDBOX_SNAPSHOTS: folder });

    expect(lines).toEqual(['saved', '640', 'saved', 'more', '', 'saved', ' true', '0']);
    await rm(folder, { recursive: true });
  });

  test.concurrent('leave nothing behind that could not be completed', async () => {
    const folder = await mkdtemp('/tmp/snapshots-of-user-');
    const code = `
      const sandbox = await createSandbox({ provider: 'directory' });
      await sandbox.run('mkdir a; echo x > a/file; chmod 555 a; echo secret > file; chmod 000 file');
      await sandbox.save().catch(({ name, code }) => console.log(name, code));
      await sandbox.remove();`;
    if (isRoot) await chown(folder, 31_337, 31_337);

    const [refusal] = await runProgram(code, isRoot ? asOrdinaryUser : [], { ORS_SANDBOX_SNAPSHOTS: folder });

    expect(refusal).toBe('SandboxError failed');
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  test.concurrent('let an episode be forked after each call, with the files of that call', async () => {
    const environment = defineEnvironment({
      name: 'files',
      splits: { test: [{}] },
      setup: async () => ({ sandbox: await createSandbox({ snapshotFolder }) }),
      snapshot: ({ state }) => state.sandbox.save(),
      restore: async (from: string) => ({ sandbox: await createSandbox({ snapshotFolder, from }) }),
      teardown: ({ state }) => state.sandbox.remove(),
      prompt: () => 'Write.',
      tools: {
        append: {
          description: 'Appends a line, and returns all lines.',
          input: { type: 'object', properties: { line: { type: 'string' } }, required: ['line'] },
          run: async ({ input, state }) => {
            const { line } = input as { line: string };
            return { text: (await state.sandbox.run(['sh', '-c', 'echo "$0" >> log; cat log', line])).stdout };
          },
        },
      },
    });
    await using journal = await openJournal(join(snapshotFolder, 'episodes.db'));
    await using server = await serve([environment], { journal, port: 0 });
    await using client = new OrsClient(server.url);
    await using session = await client.environment('files').session({ split: 'test', index: 0 });
    const ids: string[] = [];
    for (const line of ['one', 'two']) {
      await session.call('append', { line }, { onStart: ({ task_id }) => void ids.push(task_id) });
    }

    const texts = [];
    for (const at of ids) {
      await using branch = await session.fork({ at });
      texts.push((await branch.call('append', { line: 'branch' })).text);
    }
    const last = await session.call('append', { line: 'three' });

    expect(texts).toEqual(['one\nbranch\n', 'one\ntwo\nbranch\n']);
    expect(last.text).toBe('one\ntwo\nthree\n');
  });
});
