import { startPackageWorker } from '../core/node/index.ts';
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
  const worker = startPackageWorker('src/hosting/worker.ts', {
    workerData: { module },
    ...(memoryMiB !== undefined && { resourceLimits: { maxOldGenerationSizeMb: memoryMiB } }),
  });
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
