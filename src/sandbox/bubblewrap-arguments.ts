import { existsSync, lstatSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { LOCKED_BYTES, MESSAGE_QUEUE_BYTES, QUEUED_SIGNALS } from './limits.ts';
import type { SandboxVolume } from './storage.ts';
import type { SandboxLimits } from './types.ts';

const USER = 1_000;
/** Files of the host's /etc that programs need and that contain no secrets. */
const ETC = [
  'alternatives',
  'ld.so.cache',
  'localtime',
  'mime.types',
  'os-release',
  'protocols',
  'services',
  'ssl/certs',
];
/** Folders that are links into /usr on most systems. */
const USR_LINKS = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];
/** Files of /proc with keys of other users, or activity of the kernel for them. */
const MASKED = ['keys', 'key-users', 'kcore', 'timer_list', 'latency_stats', 'sched_debug', 'kallsyms'];
const NICENESS = 10;

/** Arguments for all namespaces: a separate loopback as the only network, and no processes of others. */
export const NAMESPACES = [
  ...['--unshare-all', '--unshare-user', '--uid', `${USER}`, '--gid', `${USER}`, '--hostname', 'sandbox'],
  ...['--die-with-parent', '--as-pid-1'],
];

/**
 * Init of a command's process namespace, which reaps orphans. bubblewrap does not wait for its own init, which would stay
 * a zombie if this process is the init of a container. Messages of the init itself are discarded.
 */
const INIT = 'exec 3>&2 2>/dev/null; (exec "$@" 2>&3 3>&-); exit $?';

/** Writes files with names for the user of the commands; without them programs show numbers, and some fail. */
export async function writeUserFiles(folder: string): Promise<void> {
  await writeFile(join(folder, 'passwd'), `agent:x:${USER}:${USER}::/work:/bin/sh\n`, { mode: 0o644 });
  await writeFile(join(folder, 'group'), `agent:x:${USER}:\n`, { mode: 0o644 });
  await writeFile(join(folder, 'hosts'), '127.0.0.1 localhost sandbox\n::1 localhost\n', { mode: 0o644 });
  await writeFile(join(folder, 'empty'), '', { mode: 0o444 });
}

/**
 * Returns the arguments for the files that a command sees: those of its sandbox, and public ones of the host. Paths in
 * `readable` are the same as on the host.
 */
export function bubblewrapArguments(
  { folder, files, isNamespaceRoot }: Pick<SandboxVolume, 'folder' | 'files' | 'isNamespaceRoot'>,
  env: Readonly<Record<string, string>>,
  readable: readonly string[],
  closesNamespaces: boolean,
): string[] {
  const variables = {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    HOME: '/work',
    USER: 'agent',
    LANG: 'C.UTF-8',
  };
  return [
    ...(closesNamespaces ? ['--disable-userns'] : []),
    ...(isNamespaceRoot ? ['--cap-drop', 'ALL'] : []),
    '--clearenv',
    ...Object.entries({ ...variables, ...env }).flatMap(([name, value]) => ['--setenv', name, value]),

    ...['--ro-bind', '/usr', '/usr', ...USR_LINKS.flatMap(linkOrBind)],
    ...ETC.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...['passwd', 'group', 'hosts'].flatMap((name) => ['--ro-bind', join(folder, name), `/etc/${name}`]),
    ...readable.flatMap((path) => ['--ro-bind', path, path]),

    ...['--proc', '/proc', ...MASKED.flatMap((name) => mask(folder, `/proc/${name}`))],
    ...['--dev', '/dev', '--bind', join(files, 'shm'), '/dev/shm', '--remount-ro', '/dev'],
    ...['--bind', join(files, 'tmp'), '/tmp', '--bind', join(files, 'work'), '/work'],
    ...['--remount-ro', '/', '--chdir', '/'],
  ];
}

/**
 * Returns the command line that starts a command with the limits that the kernel enforces. It runs inside the sandbox,
 * where processes are counted separately. If the disk is full (`isFull`), files can only be removed.
 */
export function limitCommand(
  argv: readonly string[],
  limits: SandboxLimits,
  openFiles: number,
  isFull: boolean,
): string[] {
  const { memoryBytes, processes, diskBytes } = limits;
  const rlimits = {
    nproc: processes,
    data: memoryBytes,
    core: 0,
    nofile: openFiles,
    sigpending: QUEUED_SIGNALS,
    msgqueue: MESSAGE_QUEUE_BYTES,
    memlock: LOCKED_BYTES,
    fsize: isFull ? 0 : diskBytes,
  };
  // The limits apply to the init too, since commands can attach to it with ptrace and run code in it.
  const init = ['prlimit', ...Object.entries(rlimits).map(([name, max]) => `--${name}=${max}`), '--', 'sh', '-c', INIT];
  // A separate session, so that signals of a command to its process group do not reach the init.
  return [...init, 'init', 'setsid', 'nice', '-n', `${NICENESS}`, ...argv];
}

/** @throws TypeError for a path that is not absolute, or that the sandbox replaces. */
export function assertReadablePaths(paths: readonly string[]): void {
  for (const path of paths) {
    const isValid = isAbsolute(path) && !/^\/(work|tmp|proc|dev)?(\/|$)/.test(path);
    if (isValid) continue;
    const expected = 'absolute paths outside of /work, /tmp, /proc and /dev';
    throw new TypeError(`invalid readable: expected ${expected}, got '${path}'`);
  }
}

function mask(folder: string, path: string): string[] {
  return existsSync(path) ? ['--ro-bind', join(folder, 'empty'), path] : [];
}

function linkOrBind(name: string): string[] {
  const stat = lstatSync(`/${name}`, { throwIfNoEntry: false });
  if (!stat) return [];
  return stat.isSymbolicLink() ? ['--symlink', `usr/${name}`, `/${name}`] : ['--ro-bind', `/${name}`, `/${name}`];
}
