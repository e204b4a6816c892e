import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { explainBubblewrapError } from '../../src/sandbox/host-programs.ts';
import { describeUnless } from '../support/optional.ts';
import { bubblewrapMissing } from '../support/sandbox.ts';

const source = new URL('../../dist/src/sandbox/index.js', import.meta.url).href;
const inLinux = process.platform === 'linux' ? undefined : 'the tests of bubblewrap: they need Linux';
const isRoot = process.getuid?.() === 0;

/** Runs a program that imports the sandbox module in a separate process, and returns its output. */
async function runProgram(
  code: string,
  wrap: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<string> {
  const script = `const sandboxes = await import('${source}'); ${code}`;
  const args = [...wrap, process.execPath, '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(args[0] ?? '', args.slice(1), {
    env: { PATH: process.env.PATH, HOME: '/tmp', ...env },
  });
  return stdout.trim();
}

const tellProblem = (options = '') => `console.log(await sandboxes.findSandboxProblem(${options}));`;

/** Creates a folder that contains only a program of the given name. */
async function folderWith(name: string, script: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'programs-'));
  await chmod(folder, 0o755);
  await writeFile(join(folder, name), script, { mode: 0o755 });
  return folder;
}

describeUnless(inLinux)('if sandboxes are unavailable', () => {
  test('suggests what to install if the program is missing, and leaves nothing behind', async () => {
    const code = `
      ${tellProblem()}
      await sandboxes.createSandbox().catch(({ name, code }) => console.log(name, code));
      const { readdirSync } = await import('node:fs');
      console.log(readdirSync(process.env.TMPDIR).filter((file) => file.startsWith('ors-sandbox-')).length);`;
    const folder = await mkdtemp(join(tmpdir(), 'empty-'));
    await chmod(folder, 0o755);
    // The other programs that it needs are available.
    await Promise.all(['sh', 'rm', 'chmod'].map((name) => symlink(`/bin/${name}`, join(folder, name))));

    const printed = await runProgram(code, [], { PATH: folder, TMPDIR: folder });

    await rm(folder, { recursive: true });
    expect(printed.split('\n')).toEqual([
      expect.stringMatching(/bwrap: not found\. What to do: `apt-get install bubblewrap`, or use 'docker'$/),
      'SandboxError unavailable',
      '0',
    ]);
  });

  test.each([
    ['Creating new namespace failed: Operation not permitted', 'user.max_user_namespaces'],
    ['No permissions to create a new namespace, likely because the kernel does not allow', 'unprivileged_userns_clone'],
    ['setting up uid map: Permission denied', 'apparmor_restrict_unprivileged_userns'],
    ['loopback: Failed RTM_NEWADDR: Operation not permitted', 'apparmor_restrict_unprivileged_userns'],
    ["Can't mount proc on /newroot/proc: Operation not permitted", 'systempaths=unconfined'],
    ['Unknown option --clearenv', 'install 0.5 or newer'],
    ['execvp nice: No such file or directory', 'util-linux'],
    ["Can't find source path /tmp/x: Permission denied", 'TMPDIR'],
  ])('reports an error of bubblewrap with advice: %s', (said, remedy) => {
    const explained = explainBubblewrapError(`warning\nbwrap: ${said}\n`);

    expect(explained).toContain(`bubblewrap cannot run commands here: bwrap: ${said}. What to do: `);
    expect(explained).toContain(remedy);
  });

  test('names the restriction of AppArmor for an unknown error only on machines that have it', () => {
    const explain = (isRestricted: boolean) => explainBubblewrapError('bwrap: something new', isRestricted);

    expect(explain(true)).toContain('apparmor_restrict_unprivileged_userns');
    expect(explain(false)).toBe('bubblewrap cannot run commands here: bwrap: something new');
  });
});

describeUnless(bubblewrapMissing)('on this machine', () => {
  test('reports a kernel that does not allow namespaces, and what to check', async () => {
    const forbid = ['unshare', '-Ur', 'sh', '-c', 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', 'sh'];

    const problem = await runProgram(tellProblem(), forbid);

    expect(problem).toMatch(
      /^bubblewrap cannot run commands here: bwrap: .*namespace.*What to do:.*max_user_namespaces/,
    );
  });

  test('reports a masked /proc, as in a container', async () => {
    const mask = ['unshare', '-Urm', 'sh', '-c', 'mount --bind /dev/null /proc/version && exec "$@"', 'sh'];

    const problem = await runProgram(tellProblem(), mask);

    expect(problem).toMatch(/Can't mount proc.*What to do:.*systempaths=unconfined/);
  });

  test('uses a bubblewrap that cannot disable user namespaces', async () => {
    // Parses its arguments like version 0.6, and passes them on.
    const folder = await folderWith(
      'bwrap',
      `#!/bin/bash
      args=$(cat <&3 | tr '\\0' '\\n')
      if grep -q -e --disable-userns <<< "$args"; then echo 'bwrap: Unknown option --disable-userns' >&2; exit 1; fi
      exec /usr/bin/bwrap "$@" 3< <(tr '\\n' '\\0' <<< "$args")\n`,
    );
    const code =
      "const s = await sandboxes.createSandbox(); console.log((await s.run('echo works')).stdout); await s.remove();";

    const printed = await runProgram(code, [], { PATH: `${folder}:${process.env.PATH}` });

    await rm(folder, { recursive: true });
    expect(printed).toBe('works');
  });

  test('reports a bubblewrap that breaks while in use as an error, not as an exit code of the command', async () => {
    const folder = await folderWith(
      'bwrap',
      `#!/bin/bash
      if [ -e "$(dirname "$0")/broken" ]; then echo 'bwrap: Creating new namespace failed: no space' >&2; exit 1; fi
      exec /usr/bin/bwrap "$@"\n`,
    );
    const code = `
      const s = await sandboxes.createSandbox();
      (await import('node:fs')).writeFileSync('${folder}/broken', '');
      await s.run('true').catch(({ name, code, message }) => console.log(name, code, message));
      await s.remove();`;

    const printed = await runProgram(code, [], { PATH: `${folder}:${process.env.PATH}` });

    await rm(folder, { recursive: true });
    expect(printed).toMatch(/^SandboxError failed bubblewrap cannot run commands here: bwrap: Creating new namespace/);
  });

  test('does not leave files of the server open in a sandbox', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'open-'));
    await writeFile(join(folder, 'secret'), 'canary');
    const open = ['bash', '-c', `exec "$@" 7<${folder}/secret 77<${folder}/secret 251<${folder}/secret`, 'bash'];
    const code = `
      const s = await sandboxes.createSandbox();
      const script = 'for fd in /proc/self/fd/*; do echo "\${fd##*/} $(readlink $fd)"; done; cat <&7 <&77 <&251';
      console.log((await s.run(['bash', '-c', script])).stdout);
      await s.remove();`;

    const printed = await runProgram(code, open);

    await rm(folder, { recursive: true });
    expect(printed).toMatch(/^0 \/dev\/null$/m);
    expect(printed).toMatch(/^251 \/dev\/null$/m);
    expect(printed).not.toMatch(/canary|secret/);
    // Nor are the pipes that control the sandbox itself.
    expect(printed).not.toMatch(/^[345] \S/m);
  });

  const user = isRoot ? undefined : 'a server of another user: only root can start one';
  describeUnless(user)('for a server of an ordinary user', () => {
    test('sandboxes work, and enforce their limits', async () => {
      const code = `
        const s = await sandboxes.createSandbox({ storage: 'folder', diskBytes: 4 * 2 ** 20, memoryBytes: 64 * 2 ** 20, processes: 20 });
        const tell = async (command) => {
          const { exitCode, stopped, stdout } = await s.run(command);
          console.log(exitCode, stopped, stdout.trim());
        };
        await tell('id -un; cat /etc/shadow');
        await tell(['dash', '-c', 'for n in 1 2 3 4 5 6 7 8 9 a b c d e f g h i j k l m n; do sleep 60 & done']);
        await tell('(head -c 40000000 /dev/zero; sleep 60) | tail -c 40000000 & (head -c 40000000 /dev/zero; sleep 60) | tail -c 40000000');
        await tell('mkdir d; cd d; for n in 1 2 3 4 5 6 7 8; do head -c 1000000 /dev/zero > $n; done; chmod 000 .; sleep 60');
        await s.remove();
        console.log((await import('node:fs')).existsSync(s.handle.folder));`;
      const asNobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'];

      const printed = await runProgram(code, asNobody, { TMPDIR: '/tmp' });

      expect(printed.split('\n')).toEqual(['1 null agent', '2 null ', 'null memory ', 'null disk ', 'false']);
    });
  });
});
