import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { hasCode } from '../core/index.ts';
import type { UidRange } from './types.ts';

export type CommandUser = { uid: number; gid: number };

const NOBODY: CommandUser = { uid: 65_534, gid: 65_534 };

/** Not assigned to anything by Linux distributions, systemd or shadow (/etc/subuid); the second is for containers. */
const UNASSIGNED: readonly UidRange[] = [
  { first: 1_900_000_000, count: 65_536 },
  { first: 61_184, count: 4_336 },
];

/**
 * User that commands without a sandbox around them run as: the user of this process, or `nobody` if that is root. Root
 * is exempt from the process limit, owns files that commands must not read, and could destroy the machine.
 */
export function getCommandUser(): CommandUser | undefined {
  return isSuperuser() ? NOBODY : undefined;
}

/** Root of the machine or of a container. Root of a namespace without other users is an ordinary user outside of it. */
export function isSuperuser(): boolean {
  if (process.getuid?.() !== 0) return false;
  return process.platform !== 'linux' || isMapped({ first: NOBODY.uid, count: 1 });
}

/**
 * Kernel users that root can run commands as, one per sandbox. Many kernel limits are counted per user: epoll and inotify
 * watches, keys, pipe buffers, descriptors in flight. Shared ones would let a command exhaust what the server needs.
 *
 * @throws TypeError if `wanted` is not available to this process.
 */
export function rootUids(requested?: UidRange): UidRange {
  if (requested) {
    const isValid = [requested.first, requested.count].every((number) => Number.isSafeInteger(number) && number > 0);
    if (isValid && isMapped(requested)) return requested;
    throw new TypeError(
      'invalid uidRange: expected { first, count } of user ids that exist in this user namespace, got ' +
        JSON.stringify(requested),
    );
  }
  return UNASSIGNED.find(isMapped) ?? { first: NOBODY.uid, count: 1 };
}

/** Subordinate user ids of this user, as `newuidmap` lets them be used. undefined: /etc/subuid has none. */
export function readSubordinateUids(): UidRange | undefined {
  const names = [`${process.getuid?.()}`, ...userNames()];
  try {
    const entries = readFileSync('/etc/subuid', 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
    const [, first, count] = entries.find(([name = '']) => names.includes(name)) ?? [];
    return count === undefined ? undefined : { first: Number(first), count: Number(count) };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Empty for a user without an entry in /etc/passwd. */
function userNames(): string[] {
  try {
    return [userInfo().username];
  } catch (error) {
    if (hasCode(error, 'ERR_SYSTEM_ERROR')) return [];
    throw error;
  }
}

function isMapped({ first, count }: UidRange): boolean {
  return ['uid_map', 'gid_map'].every((map) => {
    const ranges = readFileSync(`/proc/self/${map}`, 'latin1').trim().split('\n');
    return ranges.some((range) => {
      const [start = 0, , length = 0] = range.trim().split(/ +/).map(Number);
      return start <= first && first + count <= start + length;
    });
  });
}
