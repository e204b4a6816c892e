import { existsSync } from 'node:fs';

const APPARMOR = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';

/** What bubblewrap says of its failures, and what to do about each. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/bwrap: not found|bwrap: No such file/, "`apt-get install bubblewrap`, or use 'docker'"],
  [/(unshare|nsenter|sh): not found/, 'install util-linux and a shell, and let PATH name their folder'],
  [
    /Can't mount proc|Can't mount devpts/,
    'this seems to be a container whose /proc is masked. Start it with `--security-opt systempaths=unconfined ' +
      '--security-opt seccomp=unconfined --security-opt apparmor=unconfined` (Podman: `--security-opt unmask=ALL`), or ' +
      "use the provider 'docker' from outside of it",
  ],
  [
    /uid map|RTM_NEWADDR|loopback/,
    'AppArmor keeps programs from making user namespaces, as Ubuntu does since 23.10. Allow it for /usr/bin/bwrap by a ' +
      'profile (docs/sandboxes.md has it), or for all: `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`',
  ],
  [
    /namespace/,
    'the kernel or a container does not let this user make namespaces. Look at `sysctl kernel.unprivileged_userns_clone ' +
      'user.max_user_namespaces`: the first must be 1 where it is known, the second above 0. In Docker, also start the ' +
      'container with `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`',
  ],
  [/Unknown option/, 'this bubblewrap is too old: it must be 0.5 or newer, and 0.8 is better'],
  [/execvp/, '`setsid`, `nice`, `prlimit` and `sh` must be in /usr: they are in util-linux, coreutils and dash'],
  [
    /Can't find source path/,
    'the folder is not there, or was removed. The folders above it must be open to the user of the commands, which is ' +
      'not that of the server where it can be another. TMPDIR says where the folders of sandboxes are',
  ],
];

/** A failure of bubblewrap itself, with what to do. */
export function explainBubblewrapError(stderr: string): string {
  const output = stderr.trim().split('\n').at(-1) || 'it was ended from outside, or the machine had no memory left';
  const remedy = REMEDIES.find(([pattern]) => pattern.test(output))?.[1];
  const hint = remedy ?? (existsSync(APPARMOR) ? REMEDIES[1]?.[1] : undefined);
  return `bubblewrap cannot run commands here: ${output}${hint ? `. What to do: ${hint}` : ''}`;
}
