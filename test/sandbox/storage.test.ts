import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';
import { createSandbox, findSandboxProblem, removeSandbox, type SandboxStorage } from 'ors-kit/sandbox';
import { describeUnless } from '../support/optional.ts';
import { bubblewrapMissing, processesWith } from '../support/sandbox.ts';
import { asOrdinaryUser, runProgram } from '../support/sandbox-attack.ts';
import { until, withDeadline } from '../support/until.ts';

const MiB = 1024 * 1024;
const isRoot = process.getuid?.() === 0;
const bash = (script: string) => ['bash', '-c', script];

/** Commands that try to write far more than the limit of 64 MiB, and print how many MiB they have written. */
const attacks = [
  ['allocated at once', 'for n in $(seq 10); do fallocate -l 50M $n && total=$((total + 50)); done; echo $total'],
  [
    'removed and still open',
    'for n in $(seq 10 19); do eval "exec $n>f"; rm f; fallocate -l 50M /proc/self/fd/$n && total=$((total + 50)); done; echo $total',
  ],
  [
    'in all folders',
    'for d in /work /tmp /dev/shm; do fallocate -l 50M $d/f && total=$((total + 50)); done; echo $total',
  ],
] as const;

async function whyMissing(storage: SandboxStorage): Promise<string | undefined> {
  const problem = bubblewrapMissing ?? (await findSandboxProblem({ storage }));
  return problem && `files of a sandbox in '${storage}': ${problem}`;
}

for (const storage of ['image', 'memory'] as const) {
  describeUnless(await whyMissing(storage))(`files of a sandbox in '${storage}'`, () => {
    test.each(attacks)('are limited by the kernel: %s', async (_what, attack) => {
      await using sandbox = await createSandbox({ storage, diskBytes: 64 * MiB });

      const attacked = await sandbox.run(bash(attack));
      await sandbox.run('rm -rf /work/* /tmp/* /dev/shm/*');
      const after = await sandbox.run('fallocate -l 50M file && rm file && echo room');

      expect(attacked).toMatchObject({ stdout: '50\n', exitCode: 0, stopped: null });
      expect(attacked.stderr).toContain('No space left on device');
      expect(after.stdout).toBe('room\n');
    });

    test('have room for about as many bytes as the limit, and for a limited number of files', async () => {
      await using sandbox = await createSandbox({ storage, diskBytes: 64 * MiB });

      const { stdout } = await sandbox.run('df --output=avail,iavail -B1 /work | tail -1');

      const [bytes = 0, files = 0] = stdout.trim().split(/ +/).map(Number);
      expect(bytes / (64 * MiB)).toBeGreaterThan(0.99);
      expect(bytes / (64 * MiB)).toBeLessThan(1.01);
      expect(files).toBeGreaterThan(8_000);
      expect(files).toBeLessThan(17_000);
    });

    test('are on no mount of the host, and are removed with the sandbox by its handle', async () => {
      const sandbox = await createSandbox({ storage, diskBytes: 64 * MiB });
      const folder = 'folder' in sandbox.handle ? sandbox.handle.folder : '';
      await sandbox.write('file', 'text');

      const [inside, outside] = [String(await sandbox.read('file')), existsSync(`${folder}/files/work/file`)];
      const holders = processesWith(folder).length;
      await removeSandbox(JSON.parse(JSON.stringify(sandbox.handle)));

      expect([inside, outside, holders]).toEqual(['text', false, 1]);
      await until(() => processesWith(folder).length === 0);
      expect(existsSync(folder)).toBe(false);
      await expect(sandbox.run('true')).rejects.toMatchObject({ name: 'SandboxError', code: 'failed' });
      await sandbox.remove();
    });

    test('are released when the server is killed', async () => {
      const source = new URL('../../dist/src/sandbox/index.js', import.meta.url).href;
      const code = `
        const { createSandbox } = await import('${source}');
        const { handle } = await createSandbox({ storage: '${storage}', diskBytes: ${64 * MiB} });
        console.log(handle.folder);
        setInterval(() => {}, 1_000);`;
      const args = ['--input-type=module', '--eval', code];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      const line = once(createInterface(child.stdout), 'line');
      const [folder] = (await withDeadline(line, 'the folder of the sandbox')) as [string];

      const before = processesWith(folder).length;
      child.kill('SIGKILL');
      await until(() => processesWith(folder).length === 0);
      await removeSandbox({ provider: 'bubblewrap', folder });

      expect([before, existsSync(folder)]).toEqual([1, false]);
    });
  });
}

describeUnless(await whyMissing('image'))('the image of a sandbox', () => {
  test('returns the space of removed files to the host', async () => {
    await using sandbox = await createSandbox({ storage: 'image' });
    const folder = 'folder' in sandbox.handle ? sandbox.handle.folder : '';
    const taken = async () => (await stat(`${folder}/image`)).blocks * 512;
    await sandbox.run('head -c 200000000 /dev/zero > big; sync big');
    const full = await taken();

    await sandbox.run('rm big; sync -f .');

    expect(full).toBeGreaterThan(200_000_000);
    // Otherwise the image would keep the space of everything ever written.
    await until(async () => (await taken()) < full - 100_000_000, 'space that the image returns');
  });
});

describeUnless(bubblewrapMissing)('the storage of a sandbox', () => {
  test('does not keep a program alive that does not remove it', async () => {
    const code = "await createSandbox(); console.log('made');";

    expect(await runProgram(code, [])).toEqual(['made', '0']);
  });

  test('is named in the warning if the kernel does not enforce the limit', async () => {
    await using sandbox = await createSandbox({ storage: 'folder' });

    expect(sandbox.guarantees.diskLimit).toBe(false);
  });

  test('is rejected with its requirement if the server cannot use it', async () => {
    const code = `console.log(await sandboxes.findSandboxProblem({ storage: 'image' }));`;
    const asUser = isRoot ? asOrdinaryUser : [];

    expect(await runProgram(code, asUser)).toEqual(["the storage 'image' needs a server that runs as root", '0']);
  });

  test('is rejected if it is unknown', async () => {
    await expect(createSandbox({ storage: 'cloud' as SandboxStorage })).rejects.toThrow(
      "invalid storage: expected image, memory or folder, got 'cloud'",
    );
  });
});
