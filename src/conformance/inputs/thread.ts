import { Worker } from 'node:worker_threads';
import { startTimer } from '../../core/index.ts';
import type { InputJob, InputJobResult } from './answer.ts';

/** How long the thread may take to load its code. */
const START_MS = 30_000;
const ENDED: InputJobResult = { untestable: 'the run has ended' };

export interface WorkerLimits {
  /** For one job, in milliseconds. */
  readonly timeoutMs: number;
  /** For the values that the thread holds. */
  readonly megabytes: number;
}

/**
 * A thread for work on strangers' schemas, which may never end or need all memory there is. It begins with the first
 * job, is replaced after one that it did not survive, and keeps no process alive while it has nothing to do.
 */
export class InputWorker implements AsyncDisposable {
  readonly #limits: WorkerLimits;
  #worker: Worker | undefined;
  #isOver = false;

  constructor(limits: WorkerLimits) {
    this.#limits = limits;
  }

  /** One job at a time. */
  async run(job: InputJob): Promise<InputJobResult> {
    if (this.#isOver) return ENDED;
    const worker = this.#worker ?? newWorker(this.#limits);
    worker.ref();
    if (worker !== this.#worker) {
      this.#worker = worker;
      const start = await nextMessage(worker, START_MS);
      if (!('message' in start))
        return await this.#end(worker, { bug: `its thread does not start: ${JSON.stringify(start)}` });
    }
    worker.postMessage(job);
    const reply = await nextMessage(worker, this.#limits.timeoutMs);
    worker.unref();
    // What the thread sends is an answer.
    return 'message' in reply ? (reply.message as InputJobResult) : await this.#end(worker, reply);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#worker?.terminate();
  }

  async #end(worker: Worker, response: InputJobResult): Promise<InputJobResult> {
    this.#worker = undefined;
    await worker.terminate();
    return this.#isOver ? ENDED : response;
  }
}

function newWorker({ megabytes }: WorkerLimits): Worker {
  const isBuilt = import.meta.url.endsWith('.js');
  const file = isBuilt ? builtWorker() : new URL('./worker.ts', import.meta.url);
  const options = { env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: megabytes } };
  const worker = isBuilt ? new Worker(file, options) : new Worker(loading(file), { ...options, eval: true });
  // An error ends the thread, and whoever waits hears of it.
  return worker.on('error', () => {});
}

/** The built modules are bundled, and do not stand where their sources do. */
const builtWorker = (): URL =>
  new URL('dist/src/conformance/inputs/worker.js', import.meta.resolve('ors-kit/package.json'));

/** A script that loads a module of our sources, which Node does not read by itself. */
function loading(file: URL): string {
  const [reader, module] = [import.meta.resolve('tsx/esm/api'), file.href].map((url) => JSON.stringify(url));
  return `import(${reader}).then(({ register }) => register()).then(() => import(${module}));`;
}

type WorkerOutcome = { readonly message: unknown } | Exclude<InputJobResult, { readonly inputs: unknown }>;

/** What the thread sends next, or why it sends nothing. */
function nextMessage(worker: Worker, ms: number): Promise<WorkerOutcome> {
  return new Promise((resolve) => {
    const end = (outcome: WorkerOutcome) => {
      cancelTimer();
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      resolve(outcome);
    };
    const onMessage = (message: unknown) => end({ message });
    const onExit = () => end({ bug: 'its thread ended' });
    const onError = (error: NodeJS.ErrnoException) =>
      end(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? { untestable: 'it takes too much memory' }
          : { bug: String(error.stack) },
      );
    // Where it is this thread that was busy, an answer may be there already.
    const onTimeout = () => end({ untestable: `it takes longer than ${ms / 1_000} s` });
    const cancelTimer = startTimer(ms, onTimeout, { afterIo: true });
    worker.once('message', onMessage).once('error', onError).once('exit', onExit);
  });
}
