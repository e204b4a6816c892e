import { Worker } from 'node:worker_threads';
import type { JSONValue } from 'ors-kit';

/** What became of a call: the JSON text of what it returned, or why there is none. */
export type Outcome = { json: string } | { error: string };

/** Code to run: a script that defines a function, and the arguments of each call to it. */
export type Program = {
  code: string;
  functionName: string;
  calls: readonly JSONValue[][];
  /** Time for a call inside of the engine, which itself stops code that needs longer. Default: a second. */
  milliseconds?: number;
};

/**
 * Runs each call in an engine of its own and gives an outcome for each. Where one cannot be stopped but with the whole
 * thread, the calls after it are not run any more.
 *
 * The thread keeps the server answering while code runs, can be ended whatever it does, and takes its memory with it.
 * Only the arguments go in: what a call ought to return stays out here, where no submitted code can find it.
 */
export function runInSandbox(program: Program, signal: AbortSignal): Promise<Outcome[]> {
  const { milliseconds = 1_000 } = program;
  // A few built-in operations cannot be interrupted but from outside.
  const patience = 3 * milliseconds;
  const worker = new Worker(new URL('./sandbox-worker.mjs', import.meta.url), {
    workerData: { ...program, milliseconds },
    execArgv: [],
    env: {},
    // Room for the deepest recursion that the engine allows, so that it fails inside of the engine.
    resourceLimits: { stackSizeMb: 16, maxOldGenerationSizeMb: 64 },
  });
  const outcomes: Outcome[] = [];

  return new Promise((resolve, reject) => {
    const stop = () => void worker.terminate();
    const timer = setTimeout(stop, patience);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();

    worker.on('message', (outcome: Outcome) => {
      outcomes.push(outcome);
      timer.refresh();
    });
    worker.on('error', (error) => isBreakdown(error) || reject(error));
    worker.on('exit', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      const stopped: Outcome = { error: 'stopped: it needed too much time, memory or depth' };
      resolve(program.calls.map((_, index) => outcomes[index] ?? stopped));
    });
  });
}

/** Whether submitted code has broken the engine; any other error of the thread is a mistake of ours. */
function isBreakdown(error: Error): boolean {
  return (
    ['RangeError', 'RuntimeError'].includes(error.name) ||
    ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
  );
}
