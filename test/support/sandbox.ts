import { readdirSync, readFileSync } from 'node:fs';
import { findSandboxProblem } from 'ors-kit/sandbox';
import { hasCode } from '../../src/core/index.ts';

const problem = await findSandboxProblem();

/** Why sandboxes of bubblewrap cannot be tested on this machine. undefined: they can. */
export const bubblewrapMissing = problem && `the tests of sandboxes: ${problem}`;

/** A random number for the arguments of a command, by which its processes are found. */
export const marker = () => `${1_000_000 + Math.floor(Math.random() * 1_000_000_000)}`;

/** The processes of this machine whose command line has the text. */
export function processesWith(text: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => commandLine(pid).includes(text)).map(Number);
}

/** Program and arguments of a process, each followed by U+0000. */
export function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch (error) {
    // It has ended meanwhile.
    if (hasCode(error, 'ENOENT', 'ESRCH')) return '';
    throw error;
  }
}
