import type { Worker } from 'node:worker_threads';
import { BoundedMap, Mutex, startTimer } from '../../core/index.ts';
import { startPackageWorker } from '../../core/node/index.ts';
import { HarnessError, UntestableError } from '../assertions.ts';

/** A generated input of a tool; `what` describes it: "the minimal input", "'x' left out". */
export interface GeneratedInput {
  readonly value: Record<string, unknown>;
  readonly what: string;
  /** The input lacks a required parameter without a default. */
  readonly isMissingRequired?: true;
}

export interface ToolInputs {
  /** At least one, simplest first. */
  readonly valid: readonly GeneratedInput[];
  readonly invalid: readonly GeneratedInput[];
}

/** Generates inputs for untrusted schemas. */
export interface InputGenerator extends AsyncDisposable {
  /**
   * Generates inputs for an `input_schema`; null is a tool without parameters. Rejects with UntestableError if the schema
   * is not valid, or takes too long.
   *
   * @param options.random number of further valid inputs from a seeded random generator. @default 0
   */
  generate(inputSchema: unknown, options?: { readonly random?: number }): Promise<ToolInputs>;
}

export interface InputGeneratorOptions {
  /** Time limit for one schema, in milliseconds. @default 2_000 */
  readonly timeoutMs?: number;
  /** Seed of random inputs. @default 1 */
  readonly seed?: number;
}

const MAX_SCHEMA_LENGTH = 4_000_000;
const MAX_MEGABYTES = 256;
/** Prompts and refusals can make many schemas. */
const MAX_CACHED = 1_000;

/**
 * Creates a generator of inputs for untrusted schemas. It works in a worker thread with a time and a memory limit, and
 * caches the inputs of each schema.
 *
 * @example
 * await using inputs = createInputGenerator();
 * const { valid, invalid } = await inputs.generate({ type: 'object', properties: { x: { type: 'number' } } });
 */
export function createInputGenerator({ timeoutMs = 2_000, seed = 1 }: InputGeneratorOptions = {}): InputGenerator {
  const worker = new InputWorker({ timeoutMs, megabytes: MAX_MEGABYTES });
  const cache = new BoundedMap<string, Promise<ToolInputs>>(MAX_CACHED);
  const mutex = new Mutex();
  const make = (schema: string, random: number): Promise<ToolInputs> =>
    mutex.run(() => worker.run({ schema, random, seed })).then(inputsOf);
  return {
    async generate(inputSchema, { random = 0 } = {}) {
      if (inputSchema === null || inputSchema === undefined) return WITHOUT_PARAMETERS;
      const schema = textOf(inputSchema);
      const key = `${random} ${schema}`;
      const inputs = cache.get(key) ?? make(schema, random);
      cache.set(key, inputs);
      return await inputs;
    },
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  };
}

const WITHOUT_PARAMETERS: ToolInputs = { valid: [{ value: {}, what: 'the empty input' }], invalid: [] };

function inputsOf(response: InputJobResult): ToolInputs {
  if ('inputs' in response) return response.inputs;
  if ('bug' in response) throw new HarnessError(`generating inputs failed: ${response.bug}`);
  throw new UntestableError(reason(response.untestable));
}

function textOf(schema: unknown): string {
  const text = attempt(() => JSON.stringify(schema));
  if (text === undefined) throw new UntestableError(reason('it is nested too deeply'));
  if (text.length <= MAX_SCHEMA_LENGTH) return text;
  throw new UntestableError(reason(`it has ${text.length} characters, more than the limit of ${MAX_SCHEMA_LENGTH}`));
}

const reason = (what: string) => `no inputs can be generated for the tool's input_schema: ${what}`;

function attempt(write: () => string | undefined): string | undefined {
  try {
    return write();
  } catch {
    return undefined;
  }
}

/** A job of the worker. */
export interface InputJob {
  /** JSON text of the schema. */
  readonly schema: string;
  readonly random: number;
  readonly seed: number;
}

/** Inputs, or why there are none: because of the schema, or of a bug. */
export type InputJobResult =
  | { readonly inputs: ToolInputs }
  | { readonly untestable: string }
  | { readonly bug: string };

/** Time limit for loading the code of the worker. */
const START_MS = 30_000;
const ENDED: InputJobResult = { untestable: 'the run has ended' };

export interface WorkerLimits {
  /** Time limit for one job, in milliseconds. */
  readonly timeoutMs: number;
  /** Heap limit. */
  readonly megabytes: number;
}

/**
 * A worker thread for untrusted schemas, on which work may never end or exhaust the memory. It starts with the first job,
 * is replaced after a failed one, and does not keep the process alive while idle.
 */
export class InputWorker implements AsyncDisposable {
  readonly #limits: WorkerLimits;
  #worker: Worker | undefined;
  #isDisposed = false;

  constructor(limits: WorkerLimits) {
    this.#limits = limits;
  }

  /** Runs a job; one at a time. */
  async run(job: InputJob): Promise<InputJobResult> {
    if (this.#isDisposed) return ENDED;
    const worker = this.#worker ?? newWorker(this.#limits);
    worker.ref();
    if (worker !== this.#worker) {
      this.#worker = worker;
      const start = await nextMessage(worker, START_MS);
      if (!('message' in start))
        return await this.#end(worker, { bug: `the worker does not start: ${JSON.stringify(start)}` });
    }
    worker.postMessage(job);
    const reply = await nextMessage(worker, this.#limits.timeoutMs);
    worker.unref();
    // The worker sends only results.
    return 'message' in reply ? (reply.message as InputJobResult) : await this.#end(worker, reply);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await this.#worker?.terminate();
  }

  async #end(worker: Worker, response: InputJobResult): Promise<InputJobResult> {
    this.#worker = undefined;
    await worker.terminate();
    return this.#isDisposed ? ENDED : response;
  }
}

function newWorker({ megabytes }: WorkerLimits): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: megabytes };
  const worker = startPackageWorker('src/conformance/inputs/worker.ts', { env: {}, execArgv: [], resourceLimits });
  // The listener of `nextMessage` handles errors.
  return worker.on('error', () => {});
}

type WorkerOutcome = { readonly message: unknown } | Exclude<InputJobResult, { readonly inputs: unknown }>;

/** Resolves with the next message of the worker, or with the reason why there is none. */
function nextMessage(worker: Worker, ms: number): Promise<WorkerOutcome> {
  return new Promise((resolve) => {
    const end = (outcome: WorkerOutcome) => {
      cancelTimer();
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      resolve(outcome);
    };
    const onMessage = (message: unknown) => end({ message });
    const onExit = () => end({ bug: 'the worker exited' });
    const onError = (error: NodeJS.ErrnoException) =>
      end(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? { untestable: 'it takes too much memory' }
          : { bug: String(error.stack) },
      );
    // If this thread was busy, the message may already have arrived.
    const onTimeout = () => end({ untestable: `it takes longer than ${ms / 1_000} s` });
    const cancelTimer = startTimer(ms, onTimeout, { afterIo: true });
    worker.once('message', onMessage).once('error', onError).once('exit', onExit);
  });
}
