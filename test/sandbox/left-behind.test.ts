import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { createSandbox, removeSandbox, removeStaleSandboxes, type SandboxHandle } from 'ors-kit/sandbox';
import { loadEnvironments, serve } from 'ors-kit/server';
import { pino } from 'pino';
import { call, create } from '../support/client.ts';
import { describeUnless } from '../support/optional.ts';
import { bubblewrapMissing, marker, processesWith } from '../support/sandbox.ts';
import { until, withDeadline } from '../support/until.ts';

const source = new URL('../../dist/src/sandbox/index.js', import.meta.url).href;
const folderOf = (handle: SandboxHandle) => ('folder' in handle ? handle.folder : '');

/** A program that creates a sandbox, reports its handle and runs a command in it. */
const program = (command: string, tell: string, provider = 'bubblewrap') => `
  const { createSandbox } = await import('${source}');
  const sandbox = await createSandbox({ provider: '${provider}' });
  await sandbox.run('mkdir -p a/b; echo text > a/b/file; chmod 000 a/b');
  ${tell}(JSON.stringify(sandbox.handle));
  await sandbox.run(${JSON.stringify(command)});
`;

/** Starts a server that creates a sandbox, and kills it with SIGKILL while a command runs in the sandbox. */
async function killedServer(command: string, sign: string): Promise<SandboxHandle> {
  const args = ['--input-type=module', '--eval', program(command, 'console.log')];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await withDeadline(once(createInterface(child.stdout), 'line'), 'the handle of the sandbox');
  await until(() => processesWith(sign).some((pid) => pid !== child.pid));
  child.kill('SIGKILL');
  await withDeadline(once(child, 'exit'), 'the end of the killed server');
  return JSON.parse(line);
}

describeUnless(bubblewrapMissing)('cleanup after a server with bubblewrap', () => {
  test('leaves no process when the server is killed while a command runs', async () => {
    const sign = marker();

    const handle = await killedServer(`setsid sleep ${sign} & sleep ${sign}`, sign);

    await until(() => processesWith(sign).length === 0);
    expect(existsSync(folderOf(handle))).toBe(true);
    await removeSandbox(handle);
    expect(existsSync(folderOf(handle))).toBe(false);
    await removeSandbox(handle);
  });

  test.each([undefined, 4])(
    'leaves no process when the worker that runs a command is terminated (after %s ms); its handle removes the rest',
    async (milliseconds) => {
      const sign = marker();
      const tell = "(await import('node:worker_threads')).parentPort.postMessage";
      const code = program(`setsid sleep ${sign} & sleep ${sign}`, tell);
      const worker = new Worker(`(async () => {${code}})()`, { eval: true });
      const [told] = await withDeadline(once(worker, 'message'), 'the handle of the sandbox');

      if (milliseconds === undefined) await until(() => processesWith(`sleep\0${sign}`).length > 0);
      else await delay(milliseconds);
      await worker.terminate();
      await removeSandbox(JSON.parse(told));

      await until(() => processesWith(sign).length === 0);
      expect(existsSync(folderOf(JSON.parse(told)))).toBe(false);
    },
  );

  test('leaves nothing when a tool spins in a worker past its time limit: the handle from setup is reaped', async () => {
    const sign = marker();
    const module = new URL('./modules/spinning.mjs', import.meta.url);
    const environments = await loadEnvironments([module], { isolation: 'worker', threads: 1 });
    await using server = await serve(environments, {
      port: 0,
      callTimeoutMs: 1_500,
      deleteGraceMs: 100,
      log: pino({ level: 'silent' }),
    });
    const sid = await create(server, { env_name: 'spinning', split: 'train', index: 0 });
    const told = await call(server, sid, 'handle', {}, { environment: 'spinning' });
    const { folder } = JSON.parse(told.result?.output?.blocks[0].text ?? '');

    const spinning = call(server, sid, 'spin', { sign }, { environment: 'spinning' });
    await until(() => processesWith(`sleep\0${sign}`).length > 0);

    expect((await spinning).result).toBeUndefined();
    await until(() => processesWith(sign).length === 0 && !existsSync(folder));
  });

  test('removes what the previous server left, and keeps what is in use', async () => {
    const sign = marker();
    await using inUse = await createSandbox();
    const handle = await killedServer(`sleep ${sign}`, sign);
    await until(() => processesWith(sign).length === 0);

    const removed = await removeStaleSandboxes();

    expect(removed).toContainEqual(handle);
    expect(removed).not.toContainEqual(inUse.handle);
    expect(existsSync(folderOf(handle))).toBe(false);
    expect((await inUse.run('echo here')).stdout).toBe('here\n');
    expect(await removeStaleSandboxes()).not.toContainEqual(handle);
  });

  test('removes folders without permissions that are nested deeper than the longest path', async () => {
    const sandbox = await createSandbox();
    await sandbox.run([
      'bash',
      '-c',
      `name=$(printf 'x%.0s' {1..200}); for n in {1..60}; do mkdir $name; cd $name; done; chmod 000 ../../..`,
    ]);

    await sandbox.remove();

    expect(existsSync(folderOf(sandbox.handle))).toBe(false);
  });
});

test.each([
  [{ provider: 'bubblewrap', folder: '/home' }, 'cannot remove "/home": not the folder of a sandbox'],
  [{ provider: 'bubblewrap', folder: 'ors-sandbox-x' }, 'cannot remove "ors-sandbox-x"'],
  [{ provider: 'directory', folder: '/tmp/ors-sandbox-x/..' }, 'cannot remove '],
  [{ provider: 'directory', folder: '/tmp/ors-sandbox-x/../../home' }, 'cannot remove '],
  [{ provider: 'directory', folder: '/tmp' }, 'cannot remove "/tmp"'],
  [{ provider: 'docker', container: 'database' }, 'cannot remove "database": not the container of a sandbox'],
  [{ provider: 'docker', container: '--all' }, 'cannot remove '],
  [{ provider: 'elsewhere' }, 'not the handle of a sandbox: {"provider":"elsewhere"}'],
  [null, 'not the handle of a sandbox: null'],
])('removes nothing by the handle %j', async (handle, message) => {
  await expect(removeSandbox(handle)).rejects.toThrow(message);
});

test('keeps a folder that is named like a sandbox but is not one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ors-sandbox-'));
  await mkdir(join(folder, 'work'));
  await writeFile(join(folder, 'work', 'file'), 'mine');

  const removed = await removeStaleSandboxes('directory');

  expect(removed).not.toContainEqual({ provider: 'directory', folder });
  await expect(removeSandbox({ provider: 'directory', folder })).rejects.toThrow('not the folder of a sandbox');
  expect(existsSync(join(folder, 'work', 'file'))).toBe(true);
  await rm(folder, { recursive: true });
});
