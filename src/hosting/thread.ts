import { Worker } from 'node:worker_threads';
import type { HostMessage, WorkerMessage } from './messages.ts';
import { RemoteError } from './thrown.ts';

/** Where an environment's code runs, seen from the server's thread. */
export interface WorkerThread {
  post(message: HostMessage): void;
  onMessage(listener: (message: WorkerMessage) => void): void;
  /** Told once, when the thread is gone: why, and the error that ended it if one did. */
  onEnd(listener: (why: string, error?: unknown) => void): void;
  terminate(): Promise<void>;
}

/** Starts a worker that loads a module. `memoryMiB` bounds the objects that it holds. */
export function startWorkerThread(module: string, memoryMiB: number | undefined): WorkerThread {
  const isBuilt = import.meta.url.endsWith('.js');
  const file = isBuilt ? builtWorker() : new URL('./worker.ts', import.meta.url);
  const options = {
    workerData: { module },
    ...(memoryMiB !== undefined && { resourceLimits: { maxOldGenerationSizeMb: memoryMiB } }),
  };
  const worker = isBuilt ? new Worker(file, options) : new Worker(loading(file), { ...options, eval: true });
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => void worker.on('message', listener),
    onEnd(listener) {
      let [why, cause]: [string, unknown?] = ['its worker ended'];
      worker.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') why = `its worker took more than ${memoryMiB} MiB of memory`;
        else [why, cause] = ['its worker ended by an error that nothing caught', thrownThere(error)];
      });
      worker.on('exit', () => listener(why, cause));
    },
    terminate: async () => void (await worker.terminate()),
  };
}

/** What ended a worker arrives as an object that looks like an error, or as whatever else was thrown. */
function thrownThere(error: unknown): unknown {
  const { name, message, stack } = (error ?? {}) as Partial<Error>;
  return typeof stack === 'string' ? new RemoteError({ message: `${name}: ${message}`, stack }) : error;
}

/** The built modules are bundled, and do not stand where their sources do. */
const builtWorker = (): URL => new URL('dist/src/hosting/worker.js', import.meta.resolve('ors-kit/package.json'));

/** A script that loads a module of our sources, which Node does not read by itself. */
function loading(file: URL): string {
  const [reader, module] = [import.meta.resolve('tsx/esm/api'), file.href].map((url) => JSON.stringify(url));
  return `import(${reader}).then(({ register }) => register()).then(() => import(${module}));`;
}
