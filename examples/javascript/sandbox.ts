import { Worker } from 'node:worker_threads';
import type { JSONValue } from 'ors-kit';

/** The JSON text that a call returned, or an error. */
export type CallOutcome = { json: string } | { error: string };

/** A script that defines a function, and the arguments of each call. */
export type Program = {
  code: string;
  functionName: string;
  calls: readonly JSONValue[][];
  /** Timeout of a call inside the engine. @default 1000 */
  milliseconds?: number;
};

/**
 * Runs each call in a new engine, in a worker thread that can be terminated and does not block the server. If a call
 * can only be stopped with the thread, the calls after it do not run.
 *
 * Only the arguments are passed in. The expected results stay outside, where submitted code cannot read them.
 */
export function runInSandbox(program: Program, signal: AbortSignal): Promise<CallOutcome[]> {
  const { milliseconds = 1_000 } = program;
  // The engine cannot interrupt some built-in operations: the thread is terminated if a call takes this time. The start of
  // the thread is not part of it, because it can take seconds on a busy machine, which no code should fail for.
  const threadTimeout = 3 * milliseconds;
  const worker = new Worker(new URL('./sandbox-worker.mjs', import.meta.url), {
    workerData: { ...program, milliseconds },
    execArgv: [],
    env: {},
    // Enough for the deepest recursion that the engine allows, so that the error occurs inside the engine.
    resourceLimits: { stackSizeMb: 16, maxOldGenerationSizeMb: 64 },
  });
  const outcomes: CallOutcome[] = [];

  return new Promise((resolve, reject) => {
    const stop = () => void worker.terminate();
    let timer: NodeJS.Timeout | undefined;
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();

    worker.on('message', (message: CallOutcome | 'running') => {
      clearTimeout(timer);
      if (message === 'running') timer = setTimeout(stop, threadTimeout);
      else outcomes.push(message);
    });
    worker.on('error', (error) => isEngineCrash(error) || reject(error));
    worker.on('exit', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      const stopped: CallOutcome = { error: 'stopped: exceeded the limit of time, memory or stack depth' };
      resolve(program.calls.map((_, index) => outcomes[index] ?? stopped));
    });
  });
}

/** Detects a crash of the engine by submitted code. Any other error of the thread is a bug of this example. */
function isEngineCrash(error: Error): boolean {
  return (
    ['RangeError', 'RuntimeError'].includes(error.name) ||
    ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
  );
}
