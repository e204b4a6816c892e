import { fork } from 'node:child_process';
import { settlesWithin } from '../../core/index.ts';
import { endingOf } from '../../core/node/index.ts';
import { WORKER_VARIABLE } from './as-worker.ts';
import { pipeLinesWithPrefix } from './prefixed-lines.ts';

const OUTPUT_FLUSH_MS = 1_000;

/** SIGTERM lets sessions go on until they end, SIGINT does not. */
export type WorkerStopSignal = 'SIGTERM' | 'SIGINT';

/** One process of several that serve the same environments. */
export interface WorkerProcess {
  readonly pid: number | undefined;
  /** Resolves to false if it ends before it listens. */
  readonly ready: Promise<boolean>;
  /** How it ended: an exit code or the name of a signal. */
  readonly ended: Promise<string>;
  readonly signal: (name: WorkerStopSignal | 'SIGKILL') => void;
}

/** Runs this same command line once more, as the worker of a place; what it says begins with its tag. */
export function startWorkerProcess(place: number, tag: string): WorkerProcess {
  const child = fork(process.argv[1] ?? '', process.argv.slice(2), {
    env: { ...process.env, [WORKER_VARIABLE]: String(place) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Ctrl-C reaches all processes of a terminal's group; workers are told once, by the process above.
    detached: true,
  });
  if (child.stdout) pipeLinesWithPrefix(child.stdout, process.stdout, `[${tag}] `);
  if (child.stderr) pipeLinesWithPrefix(child.stderr, process.stderr, `[${tag}] `);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      // Its last words first; but what it started itself may keep its output open for ever.
      const closed = new Promise((close) => child.once('close', close));
      void settlesWithin(OUTPUT_FLUSH_MS, closed).then(() => resolve(endingOf(code, signal)));
    });
  });
  return {
    pid: child.pid,
    ready: Promise.race([
      new Promise<boolean>((resolve) => child.once('message', () => resolve(true))),
      ended.then(() => false),
    ]),
    ended,
    signal: (name) => void child.kill(name),
  };
}
