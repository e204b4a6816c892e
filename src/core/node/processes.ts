import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { hasCode } from '../index.ts';

/**
 * Sends a signal to a child process that was spawned as `detached`, and to its process group; on Windows, which has no
 * groups, only to the process. Does nothing if all have ended.
 */
export function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch (error) {
    // EPERM: the rest of the group runs as another user now.
    if (!hasCode(error, 'ESRCH', 'EPERM')) throw error;
  }
}

/** Describes how a child process ended, by the arguments of `exit` and `close`: `exit code 1`, `signal SIGKILL`. */
export const endingOf = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `exit code ${code}` : `signal ${signal}`;

/** Reads a stream as UTF-8. @returns returns the end of the text so far, at most `max` UTF-16 code units. */
export function tailOf(stream: Readable, max: number): () => string {
  let tail = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-max);
  });
  return () => tail;
}
