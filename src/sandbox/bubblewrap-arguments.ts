import { lstatSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { SandboxLimits } from './types.ts';

/** The folders that commands may write to, in the folder of a sandbox. They are all on disk: memory is for processes. */
export const FOLDERS = ['work', 'tmp', 'shm'] as const;

const USER = 1_000;
/** Of the host's /etc, what programs need and everybody may know. */
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
/** The folders that are links into /usr on most systems. */
const BESIDE_USR = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];
/** What is the commands' own. */
const TAKEN = '/work, /tmp, /proc and /dev';
const NICENESS = 10;
const OPEN_FILES = 1_024;

/** All namespaces: no network but a loopback of its own, and no process but its own. */
export const NAMESPACES = [
  ...['--unshare-all', '--unshare-user', '--uid', `${USER}`, '--gid', `${USER}`, '--hostname', 'sandbox'],
  '--die-with-parent',
];

/** Names for the user of the commands; without them programs show numbers, and some fail. */
export async function writeUserFiles(folder: string): Promise<void> {
  await writeFile(join(folder, 'passwd'), `agent:x:${USER}:${USER}::/work:/bin/sh\n`, { mode: 0o644 });
  await writeFile(join(folder, 'group'), `agent:x:${USER}:\n`, { mode: 0o644 });
  await writeFile(join(folder, 'hosts'), '127.0.0.1 localhost sandbox\n::1 localhost\n', { mode: 0o644 });
}

/** What a command finds around it. A path in `readable` is seen where it is on the host. */
export function bubblewrapArguments(
  folder: string,
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
    '--clearenv',
    ...Object.entries({ ...variables, ...env }).flatMap(([name, value]) => ['--setenv', name, value]),

    ...['--ro-bind', '/usr', '/usr', ...BESIDE_USR.flatMap(besideUsr)],
    ...ETC.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...['passwd', 'group', 'hosts'].flatMap((name) => ['--ro-bind', join(folder, name), `/etc/${name}`]),
    ...readable.flatMap((path) => ['--ro-bind', path, path]),

    ...['--proc', '/proc', '--dev', '/dev', '--bind', join(folder, 'shm'), '/dev/shm', '--remount-ro', '/dev'],
    ...['--bind', join(folder, 'tmp'), '/tmp', '--bind', join(folder, 'work'), '/work'],
    ...['--remount-ro', '/', '--chdir', '/'],
  ];
}

/** Starts a command with the limits that the system itself holds. It is run inside, where processes are counted apart. */
export function limitCommand(argv: readonly string[], limits: SandboxLimits, isFull: boolean): string[] {
  const { memoryBytes, processes, diskBytes } = limits;
  return [
    // A session of its own: what a command sends to its process group must not come to those who look after it.
    ...['setsid', 'nice', '-n', `${NICENESS}`, 'prlimit', `--nproc=${processes}`, `--data=${memoryBytes}`, '--core=0'],
    // Once the disk is full, files can only be removed.
    ...[`--nofile=${OPEN_FILES}`, `--fsize=${isFull ? 0 : diskBytes}`, '--', ...argv],
  ];
}

/** The paths that an author lets commands read, outside of where commands find things of their own. */
export function checkReadable(paths: readonly string[]): readonly string[] {
  for (const path of paths) {
    const isPossible = isAbsolute(path) && !/^\/(work|tmp|proc|dev)?(\/|$)/.test(path);
    if (!isPossible) throw new TypeError(`readable has '${path}'; it takes absolute paths outside of ${TAKEN}`);
  }
  return paths;
}

function besideUsr(name: string): string[] {
  const stat = lstatSync(`/${name}`, { throwIfNoEntry: false });
  if (!stat) return [];
  return stat.isSymbolicLink() ? ['--symlink', `usr/${name}`, `/${name}`] : ['--ro-bind', `/${name}`, `/${name}`];
}
