import { openSync, readdirSync, readFileSync } from 'node:fs';
import { hasCode } from '../core/index.ts';

const CLOSE_ON_EXEC = 0o2000000;

let standIns: (number | 'ignore')[] | undefined;

/**
 * Files that this process was started with stay open in all that it starts, commands of sandboxes included. Node closes
 * low ones and opens none of its own like that. Gives, from the seventh place of `stdio` on, an empty file for each other.
 */
export function inheritedFiles(): readonly (number | 'ignore')[] {
  if (standIns) return standIns;
  const open = readdirSync('/proc/self/fd').map(Number);
  const inherited = open.filter((fd) => fd > 6 && isInherited(fd));
  const nothing = inherited.length === 0 ? -1 : openSync('/dev/null', 'r');
  standIns = Array.from({ length: Math.max(6, ...inherited) - 6 }, (_, at) =>
    inherited.includes(at + 7) ? nothing : 'ignore',
  );
  return standIns;
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch (error) {
    // The one by which the list was read.
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
