import { readdirSync, readFileSync } from 'node:fs';
import { findSandboxProblem } from 'ors-kit/sandbox';
import { hasCode } from '../../src/core/index.ts';

const problem = await findSandboxProblem();

/** Reason why bubblewrap sandboxes cannot be tested on this machine, if any. */
export const bubblewrapMissing = problem && `the tests of sandboxes: ${problem}`;

/** Returns a random number for the arguments of a command, so that tests can find its processes. */
export const marker = () => `${1_000_000 + Math.floor(Math.random() * 1_000_000_000)}`;

/** Returns the processes of this machine whose command line contains a text. */
export function processesWith(text: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => commandLine(pid).includes(text)).map(Number);
}

/** Returns the program and arguments of a process, each followed by U+0000. */
export function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch (error) {
    // The process has ended meanwhile.
    if (hasCode(error, 'ENOENT', 'ESRCH')) return '';
    throw error;
  }
}
