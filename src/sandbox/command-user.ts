import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { hasCode } from '../core/index.ts';
import type { UidRange } from './types.ts';

export type CommandUser = { uid: number; gid: number };

const NOBODY: CommandUser = { uid: 65_534, gid: 65_534 };

/** Ranges that Linux distributions, systemd and shadow (/etc/subuid) do not assign; the second is for containers. */
const UNASSIGNED: readonly UidRange[] = [
  { first: 1_900_000_000, count: 65_536 },
  { first: 61_184, count: 4_336 },
];

/**
 * Returns the user for commands without isolation: undefined for the user of this process, or `nobody` if that is root.
 * Root is exempt from the process limit, owns files that commands must not read, and could destroy the machine.
 */
export function getCommandUser(): CommandUser | undefined {
  return isSuperuser() ? NOBODY : undefined;
}

/**
 * Returns whether this process is root of the machine or of a container. Root of a namespace without other users is an
 * ordinary user outside of it.
 */
export function isSuperuser(): boolean {
  if (process.getuid?.() !== 0) return false;
  return process.platform !== 'linux' || isMapped({ first: NOBODY.uid, count: 1 });
}

/**
 * Returns the kernel users as which root can run commands, one per sandbox. Many kernel limits are counted per user: epoll
 * and inotify watches, keys, pipe buffers, descriptors in flight. With a shared user, a command could exhaust those of the
 * server.
 *
 * @throws TypeError if `requested` is not available to this process.
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

/** Returns the subordinate user ids that this user may use with `newuidmap`; undefined if /etc/subuid has none. */
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

/** Returns no name for a user without an entry in /etc/passwd. */
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
