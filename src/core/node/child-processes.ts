import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { hasCode } from '../index.ts';

/**
 * Sends a signal to a child process that was spawned as `detached`, and to its process group. On Windows, which has no
 * groups, to the process alone. Does nothing if all have ended.
 */
export function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch (error) {
    // EPERM: what is left of the group has changed its user.
    if (!hasCode(error, 'ESRCH', 'EPERM')) throw error;
  }
}

/** Describes how a child process ended, as its events `exit` and `close` report it: `exit code 1`, `signal SIGKILL`. */
export const endingOf = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `exit code ${code}` : `signal ${signal}`;

/** Reads a stream as UTF-8. @returns the end of what it has said so far, at most `max` UTF-16 code units. */
export function tailOf(stream: Readable, max: number): () => string {
  let tail = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-max);
  });
  return () => tail;
}
