import { accessSync, constants, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { hasCode } from '../core/index.ts';
import { SandboxError } from './types.ts';

/** PATH of the processes around a sandbox. The server's PATH would reveal folders of the host in /proc/1/environ. */
export const SANDBOX_PATH_VARIABLE = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Returns the absolute path of a program in the server's PATH.
 *
 * @throws SandboxError that names the package to install.
 */
export function findProgram(name: string): string {
  const paths = (process.env.PATH ?? SANDBOX_PATH_VARIABLE).split(delimiter).map((folder) => join(folder, name));
  const found = paths.find(isExecutable);
  if (found !== undefined) return found;
  throw new SandboxError('unavailable', explainBubblewrapError(`${name}: not found`));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const CLOSE_ON_EXEC = 0o2000000;

let replacements: (number | 'ignore')[] | undefined;

/**
 * Returns the entries of `stdio` from the seventh on that replace inherited files by an empty one. Files that were open
 * when this process was started stay open in all processes that it starts, including commands of sandboxes. Node closes
 * those with low numbers, and always opens files with close-on-exec.
 */
export function inheritedFiles(): readonly (number | 'ignore')[] {
  if (replacements) return replacements;
  const open = readdirSync('/proc/self/fd').map(Number);
  const inherited = open.filter((fd) => fd > 6 && isInherited(fd));
  const empty = inherited.length === 0 ? -1 : openSync('/dev/null', 'r');
  replacements = Array.from({ length: Math.max(6, ...inherited) - 6 }, (_, at) =>
    inherited.includes(at + 7) ? empty : 'ignore',
  );
  return replacements;
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch (error) {
    // The descriptor with which the list was read.
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

const APPARMOR = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';

const APPARMOR_REMEDY =
  'AppArmor prevents programs from creating user namespaces, as in Ubuntu since 23.10. Allow it for /usr/bin/bwrap with ' +
  'a profile (see docs/sandboxes.md), or for all: `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`';

/** Messages of bubblewrap, and what to do about them. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/bwrap: not found|bwrap: No such file/, "`apt-get install bubblewrap`, or use 'docker'"],
  [/(unshare|nsenter|sh): not found/, 'install util-linux and a shell, and add their folder to PATH'],
  [
    /Can't mount proc|Can't mount devpts/,
    'this seems to be a container with a masked /proc. Start it with `--security-opt systempaths=unconfined ' +
      '--security-opt seccomp=unconfined --security-opt apparmor=unconfined` (Podman: `--security-opt unmask=ALL`), or ' +
      "use the provider 'docker' outside of it",
  ],
  [/uid map|RTM_NEWADDR|loopback/, APPARMOR_REMEDY],
  [
    /namespace/,
    'the kernel or a container does not let this user create namespaces. Check `sysctl kernel.unprivileged_userns_clone ' +
      'user.max_user_namespaces`: the first must be 1 if it exists, the second above 0. In Docker, also start the ' +
      'container with `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`',
  ],
  [/Unknown option/, 'this bubblewrap is too old: install 0.5 or newer, preferably 0.8'],
  [/execvp/, '`setsid`, `nice`, `prlimit` and `sh` must be in /usr: install util-linux, coreutils and dash'],
  [
    /Can't find source path/,
    'the folder does not exist, or was removed. The user of the commands, which may differ from that of the server, ' +
      'must be able to enter the folders above it. TMPDIR sets the location of the folders of sandboxes',
  ],
];

/**
 * Explains a failure of bubblewrap itself, with what to do.
 *
 * @param isRestricted whether AppArmor restricts user namespaces here, the likely cause of an unknown message.
 */
export function explainBubblewrapError(stderr: string, isRestricted = existsSync(APPARMOR)): string {
  const output = stderr.trim().split('\n').at(-1) || 'it was killed, or the machine had no memory left';
  const remedy = REMEDIES.find(([pattern]) => pattern.test(output))?.[1];
  const hint = remedy ?? (isRestricted ? APPARMOR_REMEDY : undefined);
  return `bubblewrap cannot run commands here: ${output}${hint ? `. What to do: ${hint}` : ''}`;
}
