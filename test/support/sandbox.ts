import { readdirSync, readFileSync } from 'node:fs';
import { sandboxProblem } from 'ors-kit/sandbox';

const problem = await sandboxProblem();

/** What keeps bubblewrap's sandboxes from being tested on this machine; undefined: nothing does. */
export const bubblewrapMissing = problem && `the tests of sandboxes: ${problem}`;

/** A number that stands in the arguments of a command, to find its processes on this machine. */
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
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}
