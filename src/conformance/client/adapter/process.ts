import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** A running adapter: a program that drives the client under test. */
export interface AdapterProcess {
  readonly input: Writable;
  readonly output: Readable;
  /** The end of what it wrote to standard error. */
  readonly complaints: () => string;
  /** How it ended: `exit code 1`, `signal SIGKILL`. Never rejects. */
  readonly ended: Promise<string>;
  /** Ends it, and what it has started, at once. */
  readonly kill: () => void;
}

/** Starts an adapter with these variables in its environment. */
export type LaunchAdapter = (variables: Readonly<Record<string, string>>) => AdapterProcess;

const MOST_COMPLAINTS = 4_000;

/** Starts adapters by a command line of the shell. */
export function adapterCommand(command: string): LaunchAdapter {
  return (variables) => {
    // A group of its own, so that nothing is left of a shell's children.
    const detached = process.platform !== 'win32';
    const child = spawn(command, { shell: true, detached, env: { ...process.env, ...variables } });
    let complaints = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaints = (complaints + text).slice(-MOST_COMPLAINTS);
    });
    // An adapter that ends while it is written to is told by its end.
    child.stdin.on('error', () => undefined);
    return {
      input: child.stdin,
      output: child.stdout,
      complaints: () => complaints,
      ended: new Promise((resolve) => {
        child.on('error', (error) => resolve(error.message));
        child.on('close', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
      }),
      kill: () => killGroup(child, detached),
    };
  };
}

function killGroup(child: ChildProcess, isGroup: boolean): void {
  if (child.pid === undefined) return;
  try {
    process.kill(isGroup ? -child.pid : child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
