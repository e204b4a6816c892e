import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const source = new URL('../../dist/src/sandbox/index.js', import.meta.url).href;

/** System call numbers of this machine, for attacks by perl's `syscall`. */
export const call: Readonly<Record<string, number>> =
  {
    x64: {
      ...{ keyctl: 250, add_key: 248, request_key: 249, bpf: 321, perf: 298, uffd: 323, inotify: 294 },
      ...{ epoll_create: 291, epoll_ctl: 233, eventfd: 290, exit: 60, memfd_create: 319 },
    },
    arm64: {
      ...{ keyctl: 219, add_key: 217, request_key: 218, bpf: 280, perf: 241, uffd: 282, inotify: 26 },
      ...{ epoll_create: 20, epoll_ctl: 21, eventfd: 19, exit: 93, memfd_create: 279 },
    },
  }[process.arch as string] ?? {};

/** Reason why attacks with perl are not possible on this machine, if any. */
export const attackMissing = !existsSync('/usr/bin/perl')
  ? 'attacks by perl: there is no /usr/bin/perl'
  : call.keyctl === undefined
    ? `attacks by number of system call: the numbers of ${process.arch} are unknown`
    : undefined;

export const perl = (script: string) => ['perl', '-e', script];

/** Ordinary user without subordinate ids and a home. */
export const asOrdinaryUser = ['setpriv', '--reuid', '31337', '--regid', '31337', '--clear-groups'];

/**
 * Runs a program with the functions of the built sandbox in a separate process. Returns the lines of its output, and its
 * exit code or signal as a last line.
 */
export async function runProgram(code: string, wrap: readonly string[], env: Record<string, string> = {}) {
  const script = `const sandboxes = await import('${source}'); const { createSandbox } = sandboxes; ${code}`;
  const node = [process.execPath, '--no-warnings', '--input-type=module', '--eval', script];
  const [file = '', ...args] = [...wrap, ...node];
  const variables = { PATH: process.env.PATH, HOME: '/tmp', TMPDIR: '/tmp', ...env };
  const child = spawn(file, args, { env: variables, stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed, [exitCode, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return `${printed}${signal ?? exitCode}`.split('\n');
}
