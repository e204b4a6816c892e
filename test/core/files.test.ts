import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createFile,
  endingOf,
  identityFromText,
  identityToText,
  killGroup,
  lockFile,
  makeFolder,
  processIdentity,
  processState,
  replaceFile,
  tailOf,
  unlessMissing,
} from '../../src/core/node/index.ts';
import { describeUnless } from '../support/optional.ts';
import { until } from '../support/until.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ors-kit-core-'));
});
afterEach(() => rm(folder, { recursive: true }));

const offLinux = process.platform === 'linux' ? undefined : 'what identifies a process is known on Linux only';

describe('replaceFile', () => {
  test('replaces the content, with the mode that is asked for, and leaves no other file', async () => {
    await replaceFile(join(folder, 'a'), 'one', 0o600);
    await replaceFile(join(folder, 'a'), 'two', 0o600);

    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('two');
    expect((await stat(join(folder, 'a'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['a']);
  });

  test('leaves neither a part nor a change if it fails', async () => {
    await mkdir(join(folder, 'a'));

    await expect(replaceFile(join(folder, 'a'), 'text')).rejects.toMatchObject({ code: 'EISDIR' });

    expect(await readdir(folder)).toEqual(['a']);
  });
});

describe('createFile', () => {
  test('creates a file, and leaves one that exists as it is', async () => {
    expect(await createFile(join(folder, 'a'), 'one')).toBe(true);
    expect(await createFile(join(folder, 'a'), 'two')).toBe(false);

    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('one');
  });

  test('leaves no part of a file that cannot be written', async () => {
    const text = { toString: () => 'not a string' } as unknown as string;

    await expect(createFile(join(folder, 'a'), text)).rejects.toThrow();

    expect(await readdir(folder)).toEqual([]);
  });
});

describe('makeFolder', () => {
  test('creates a folder with its parents, and accepts one that exists', async () => {
    const path = join(folder, 'a', 'b', 'c');

    await Promise.all([makeFolder(path), makeFolder(path)]);
    await makeFolder(path);

    expect((await stat(path)).isDirectory()).toBe(true);
  });

  test('rejects below a file', async () => {
    await writeFile(join(folder, 'a'), '');

    await expect(makeFolder(join(folder, 'a', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });
});

test('replaces the result of an operation only for a missing file', async () => {
  expect(await unlessMissing(readFile(join(folder, 'none')), 'none')).toBe('none');
  await expect(unlessMissing(readFile(folder), 'none')).rejects.toMatchObject({ code: 'EISDIR' });
});

describe('processState', () => {
  const own = processIdentity();

  test('survives its text', () => {
    expect(identityFromText(identityToText(own))).toEqual(own);
    for (const text of ['', '4711', 'a|b|c|x|e', 'a|b|c|0|e', 'a|b|c|1|e|f']) {
      expect(identityFromText(text)).toBeUndefined();
    }
  });

  test('is known for processes of this machine', async () => {
    const child = spawn('sleep', ['60']);
    const identity = processIdentity(child.pid);
    expect(processState(identity)).toBe('running');
    child.kill('SIGKILL');
    await once(child, 'exit');

    expect(processState(identity)).toBe('gone');
    expect(processState(own)).toBe('running');
  });

  describeUnless(offLinux)('on Linux', () => {
    test.each([
      ['another process that has the id now', { start: '1' }, 'gone'],
      ['a process before the machine was restarted', { boot: 'another' }, 'gone'],
      ['a process of another host', { host: `not-${hostname()}` }, 'unknown'],
      ['a process of another container', { namespace: 'pid:[1]' }, 'unknown'],
    ])('is right for %s', (_, difference, state) => {
      expect(processState({ ...own, ...difference })).toBe(state);
    });
  });
});

describe('lockFile', () => {
  const HEARTBEAT_MS = 20;
  const lock = (name = 'a') => lockFile(join(folder, name), 'wait', { heartbeatMs: HEARTBEAT_MS });
  const path = () => join(folder, 'a.lock');
  const other = () => identityToText({ ...processIdentity(), host: 'other', pid: 4711 });

  test('refuses a second user until the first unlocks', async () => {
    const unlock = await lock();
    await expect(lock()).rejects.toThrow(/a is in use by this process already; wait/);
    await unlock();

    const again = await lock();
    await again();
    expect(await readdir(folder)).toEqual([]);
  });

  test('names the process that holds it', async () => {
    await writeFile(path(), identityToText(processIdentity(process.ppid)));

    await expect(lock()).rejects.toThrow(
      new RegExp(`in use by process ${process.ppid} of ${hostname()}, according to .*a.lock; wait; .* delete .*a.lock`),
    );
  });

  describeUnless(offLinux)('on Linux', () => {
    test.each([
      ['a process that is gone', { start: '1' }],
      ['the machine before it was restarted', { boot: 'another' }],
    ])('takes over the lock of %s at once', async (_, difference) => {
      await writeFile(path(), identityToText({ ...processIdentity(process.ppid), ...difference }));

      const unlock = await lockFile(join(folder, 'a'), 'wait', { heartbeatMs: 1_000_000 });

      expect(await readFile(path(), 'utf8')).toBe(identityToText(processIdentity()));
      await unlock();
    });

    test.each([
      ['another host', { host: 'other' }],
      ['another container in which it has the same id', { namespace: 'pid:[1]', pid: process.pid }],
    ])('refuses the lock of a process of %s while that process touches it', async (_, difference) => {
      await writeFile(path(), identityToText({ ...processIdentity(), ...difference }));
      const touch = () => utimes(path(), new Date(), new Date());
      const heartbeat = setInterval(touch, HEARTBEAT_MS);

      await expect(lock()).rejects.toThrow(/in use by process \d+ of/);

      clearInterval(heartbeat);
    });
  });

  test.each([
    ['of another host', () => other()],
    ['without an identity', () => ''],
    ['of this process that it does not know of', () => identityToText(processIdentity())],
  ])('takes over a lock %s that is not touched', async (_, text) => {
    await writeFile(path(), text());

    const unlock = await lock();

    expect(await readFile(path(), 'utf8')).toBe(identityToText(processIdentity()));
    await unlock();
    expect(await readdir(folder)).toEqual([]);
  });

  test('touches its file, so that other hosts see that the holder is alive', async () => {
    const unlock = await lock();
    const before = new Date(0);
    await utimes(path(), before, before);

    await until(async () => (await stat(path())).mtimeMs > 0, 'a heartbeat');
    await unlock();
  });

  test('does not unlock what another process has taken over', async () => {
    const unlock = await lock();
    await writeFile(path(), other());

    await unlock();

    expect(await readFile(path(), 'utf8')).toBe(other());
  });

  test('lets one of many processes take over an abandoned lock', async () => {
    await writeFile(path(), identityToText({ ...processIdentity(process.ppid), boot: 'another', start: '1' }));
    const source = new URL('../../src/core/node/index.ts', import.meta.url).href;
    const code = `
      const { lockFile } = await import('${source}');
      const got = await lockFile(${JSON.stringify(join(folder, 'a'))}, 'wait', { heartbeatMs: 50 }).then(() => 'won', () => 'lost');
      process.stdout.write(got);
      process.stdin.on('data', () => process.exit());
    `;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', code];
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] }),
    );

    const results = await Promise.all(children.map(async ({ stdout }) => String((await once(stdout, 'data'))[0])));

    for (const child of children) child.stdin.end('end');
    expect(results.sort()).toEqual(['lost', 'lost', 'lost', 'won']);
  });
});

describe('child processes', () => {
  test('are killed with their group, and once more without an error', async () => {
    const child = spawn('sh', ['-c', 'sleep 60 & echo $!; wait'], { detached: true });
    const [line] = await once(child.stdout, 'data');
    const inner = processIdentity(Number(line));

    killGroup(child, 'SIGKILL');
    const [code, signal] = await once(child, 'exit');
    killGroup(child, 'SIGKILL');

    expect(endingOf(code, signal)).toBe('signal SIGKILL');
    await until(() => processState(inner) === 'gone', 'the end of the inner process');
  });

  test('have an ending in words', () => {
    expect(endingOf(1, null)).toBe('exit code 1');
  });

  test('say the end of what they print, in whole characters', () => {
    const stream = new PassThrough();
    const tail = tailOf(stream, 4);
    const bytes = Buffer.from('beginning é€');

    for (const byte of bytes) stream.write(Buffer.from([byte]));

    expect(tail()).toBe('g é€');
  });
});
