import { lstat, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSandbox, type Sandbox, type SandboxHandle } from 'ors-kit/sandbox';
import { describeUnless } from '../support/optional.ts';
import { bubblewrapMissing } from '../support/sandbox.ts';

const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
const folderOf = (handle: SandboxHandle) => ('folder' in handle ? handle.folder : '');

describeUnless(bubblewrapMissing).each([['bubblewrap'], ['directory']] as const)(
  'files of a sandbox: %s',
  (provider) => {
    let sandbox: Sandbox;
    beforeAll(async () => {
      sandbox = await createSandbox({ provider });
    });
    afterAll(() => sandbox.remove());

    test.each([
      ['file.txt', 'text'],
      ['a/b/c/file', 'in folders'],
      ['-rf', 'a leading dash'],
      ['--help/--version', 'leading dashes'],
      ['a\nb\n', 'line breaks'],
      [' $(touch x) `touch y` "\'\\*', 'characters of the shell'],
      ['päth/日本', 'päth 日本'],
      ['empty', ''],
      ['bytes', everyByte],
      ['./a/../up', 'dots'],
    ])('writes %j, and reads the same content', async (path, content) => {
      await sandbox.write(path, content);

      expect(await sandbox.read(path)).toEqual(Buffer.from(content));
    });

    test('replaces a longer file', async () => {
      await sandbox.write('longer', 'before, and longer than what comes after');
      await sandbox.write('longer', 'after');

      expect(String(await sandbox.read('longer'))).toBe('after');
    });

    test('reads files of commands, and writes files for commands', async () => {
      await sandbox.write('in', 'to read');
      await sandbox.run('cat in > out; echo more >> out');

      expect((await sandbox.read('out')).toString()).toBe('to readmore\n');
    });

    test('writes and reads a large file, and rejects one above the limit', async () => {
      const content = Buffer.alloc(3_000_000, everyByte);

      await sandbox.write('large', content);

      expect((await sandbox.read('large', { maxBytes: 3_000_000 })).equals(content)).toBe(true);
      await expect(sandbox.read('large', { maxBytes: 2_999_999 })).rejects.toMatchObject({
        code: 'too-large',
        message: 'cannot read "large": it has more than 2999999 bytes; pass a larger maxBytes',
      });
    });

    test.each([
      ['a missing file', 'true', 'not-found'],
      ['a broken link', 'ln -s nowhere it', 'not-found'],
      ['a link to itself', 'ln -s it it', 'not-found'],
      ['a folder', 'mkdir it', 'no-file'],
      ['a pipe', 'mkfifo it', 'no-file'],
      ['a link to an endless device', 'ln -s /dev/zero it', 'no-file'],
      ['a link to a terminal', 'ln -s /dev/tty it', 'no-file'],
    ])('rejects reading %s with its own error code', async (_what, command, code) => {
      await sandbox.run(`rm -rf it; ${command}`);

      await expect(sandbox.read('it')).rejects.toMatchObject({ name: 'SandboxError', code });
    });

    test.each([
      ['a folder', 'mkdir it', 'it'],
      ['a pipe', 'mkfifo it', 'it'],
      ['a path through a file', 'echo > it', 'it/below'],
    ])('rejects writing to %s', async (_what, command, path) => {
      await sandbox.run(`rm -rf it; ${command}`);

      await expect(sandbox.write(path, 'x')).rejects.toMatchObject({ code: 'no-file' });
    });

    test('rejects a path with U+0000, and content larger than the disk', async () => {
      await using small = await createSandbox({ provider, diskBytes: 100_000 });

      await expect(small.read('a\0b')).rejects.toThrow('U+0000');
      await expect(small.write('a', Buffer.alloc(100_001))).rejects.toMatchObject({ code: 'too-large' });
    });
  },
);

describeUnless(bubblewrapMissing)('a link in a sandbox of bubblewrap', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox();
  });
  afterAll(() => sandbox.remove());

  test.each([
    '/etc/shadow',
    '/etc/hostname',
    '/root/.profile',
    '/proc/1/root/etc/shadow',
    '/proc/self/root/etc/shadow',
  ])('does not lead to %s of the host', async (target) => {
    const [folder, name] = [dirname(target), basename(target)];
    await sandbox.run(`rm -f it folder; ln -s ${target} it; ln -s ${folder} folder`);

    await expect(sandbox.read('it')).rejects.toMatchObject({ name: 'SandboxError' });
    await expect(sandbox.read(`folder/${name}`)).rejects.toMatchObject({ name: 'SandboxError' });
  });

  test('to a file of the host, to be written', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'host-'));
    await writeFile(join(folder, 'file'), 'as it was');
    await sandbox.run(`rm -f it folder; ln -s ${folder}/file it; ln -s ${folder} folder; ln -s / root`);

    // Some are written: they are files of the sandbox's own /tmp.
    await Promise.allSettled(
      ['it', 'folder/new', `root${folder}/file`, `../../../../..${folder}/file`].map((path) =>
        sandbox.write(path, 'x'),
      ),
    );

    expect(await readFile(join(folder, 'file'), 'utf8')).toBe('as it was');
    await expect(lstat(join(folder, 'new'))).rejects.toThrow('ENOENT');
    await rm(folder, { recursive: true });
  });

  test('to the files of another sandbox', async () => {
    await using other = await createSandbox();
    await sandbox.write('secret', 'of one');
    const place = join(folderOf(sandbox.handle), 'work', 'secret');

    await other.run(`ln -s ${place} it`);

    await expect(other.read('it')).rejects.toMatchObject({ code: 'not-found' });
    expect((await other.run(`cat ${place}; cat ../../*/*/secret; ls /tmp`)).stdout).toBe('');
  });

  test('rejects a file that becomes a pipe while it is read', async () => {
    await using swapped = await createSandbox({ timeoutMs: 500 });
    await swapped.run('mkfifo pipe; echo text > file');
    const swap = 'while :; do ln -sf file it; ln -sf pipe it; done';
    const swapping = expect(swapped.run(swap, { timeoutMs: 60_000 })).rejects.toMatchObject({ code: 'removed' });

    const outcomes = [];
    for (let n = 0; n < 4; n++) {
      outcomes.push(await swapped.read('it').then(String, (error: { code: string }) => error.code));
    }

    expect(['text\n', 'no-file', 'not-found', 'timeout']).toEqual(expect.arrayContaining([...new Set(outcomes)]));
    await swapped.remove();
    await swapping;
  });
});
