import { readFileSync } from 'node:fs';

export type User = { uid: number; gid: number };

const NOBODY: User = { uid: 65_534, gid: 65_534 };

/**
 * Whom commands run as: the user of this process, or `nobody` where that is root. Root is exempt from limits of
 * processes, owns files that commands must not read, and without a sandbox around it could remove the machine.
 */
export function commandUser(): User | undefined {
  return isSuperuser() ? NOBODY : undefined;
}

/** Root of the machine, or of a container; root of a namespace that has no other users is an ordinary user outside. */
function isSuperuser(): boolean {
  if (process.getuid?.() !== 0) return false;
  if (process.platform !== 'linux') return true;
  const ranges = readFileSync('/proc/self/uid_map', 'latin1').trim().split('\n');
  return ranges.some((range) => {
    const [first = 0, , count = 0] = range.trim().split(/ +/).map(Number);
    return first <= NOBODY.uid && NOBODY.uid < first + count;
  });
}
