import type { ChildProcess } from 'node:child_process';
import { errorCode } from '../core/index.ts';

/** Kills a process that was started as `detached`, and its process group. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: all have ended already.
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
