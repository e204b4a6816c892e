import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { endingOf, killGroup, tailOf } from '../../../core/node/index.ts';

/** A running adapter: a program that drives the client under test. */
export interface AdapterProcess {
  readonly input: Writable;
  readonly output: Readable;
  /** The end of what it wrote to standard error. */
  readonly stderrText: () => string;
  /** How it ended: `exit code 1`, `signal SIGKILL`. Never rejects. */
  readonly exited: Promise<string>;
  /** Ends it, and what it has started, at once. */
  readonly kill: () => void;
}

/** Starts an adapter with these variables in its environment. */
export type LaunchAdapter = (variables: Readonly<Record<string, string>>) => AdapterProcess;

const MAX_STDERR_CHARACTERS = 4_000;

/** Starts adapters by a command line of the shell. */
export function launchAdapterCommand(command: string): LaunchAdapter {
  return (variables) => {
    // A group of its own, so that nothing is left of a shell's children.
    const detached = process.platform !== 'win32';
    const child = spawn(command, { shell: true, detached, env: { ...process.env, ...variables } });
    // An adapter that ends while it is written to is told by its end.
    child.stdin.on('error', () => undefined);
    return {
      input: child.stdin,
      output: child.stdout,
      stderrText: tailOf(child.stderr, MAX_STDERR_CHARACTERS),
      exited: new Promise((resolve) => {
        child.on('error', (error) => resolve(error.message));
        child.on('close', (code, signal) => resolve(endingOf(code, signal)));
      }),
      kill: () => killGroup(child, 'SIGKILL'),
    };
  };
}
