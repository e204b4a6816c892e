import { Worker } from 'node:worker_threads';
import { RemoteError } from './errors.ts';
import type { HostMessage, WorkerMessage } from './worker-messages.ts';

/** A worker thread as the thread of the server sees it. */
export interface WorkerThread {
  post(message: HostMessage): void;
  onMessage(listener: (message: WorkerMessage) => void): void;
  /** Calls the listener once after the thread has ended, with the reason and the uncaught error that ended it, if any. */
  onEnd(listener: (why: string, error?: unknown) => void): void;
  terminate(): Promise<void>;
}

/**
 * Starts a worker that loads a module.
 *
 * @param memoryMiB limit for the objects of the worker.
 */
export function startWorkerThread(module: string, memoryMiB: number | undefined): WorkerThread {
  const isBuilt = import.meta.url.endsWith('.js');
  const file = isBuilt ? builtWorker() : new URL('./worker.ts', import.meta.url);
  const options = {
    workerData: { module },
    ...(memoryMiB !== undefined && { resourceLimits: { maxOldGenerationSizeMb: memoryMiB } }),
  };
  const worker = isBuilt ? new Worker(file, options) : new Worker(sourceLoader(file), { ...options, eval: true });
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => void worker.on('message', listener),
    onEnd(listener) {
      let why = 'its worker ended';
      let cause: unknown;
      worker.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
          why = `its worker took more than ${memoryMiB} MiB of memory`;
        } else {
          why = 'its worker ended with an uncaught error';
          cause = uncaughtError(error);
        }
      });
      worker.on('exit', () => listener(why, cause));
    },
    terminate: async () => void (await worker.terminate()),
  };
}

/** Node passes the uncaught error of a worker as an object with the fields of an error, or as the thrown value. */
function uncaughtError(error: unknown): unknown {
  const { name, message, stack } = (error ?? {}) as Partial<Error>;
  return typeof stack === 'string' ? new RemoteError({ message: `${name}: ${message}`, stack }) : error;
}

/** The build bundles modules, so the worker is not next to this file. */
const builtWorker = (): URL => new URL('dist/src/hosting/worker.js', import.meta.resolve('ors-kit/package.json'));

/** Returns a script that registers tsx, then loads the source of the worker. */
function sourceLoader(file: URL): string {
  const tsx = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const module = JSON.stringify(file.href);
  return `import(${tsx}).then(({ register }) => register()).then(() => import(${module}));`;
}
