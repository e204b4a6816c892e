import { Worker } from 'node:worker_threads';
import { Mutex, startTimer } from '../../core/index.ts';
import { HarnessError, UntestableError } from '../assertions.ts';
import type { InputJob, InputJobResult } from './worker.ts';

/** An input of a tool, and how it was made: "the minimal input", "'x' left out". */
export interface GeneratedInput {
  readonly value: Record<string, unknown>;
  readonly what: string;
  /** Of an invalid one: a parameter is left out that the schema requires, and that has no default. */
  readonly isMissingRequired?: true;
}

export interface ToolInputs {
  /** Matches the schema, simplest first; at least one. */
  readonly valid: readonly GeneratedInput[];
  /** Does not match it. */
  readonly invalid: readonly GeneratedInput[];
}

/** Makes inputs out of the schemas of strangers. */
export interface InputGenerator extends AsyncDisposable {
  /**
   * Inputs for an `input_schema`; null is a tool without parameters. `random` further valid ones come from a seeded
   * generator. Rejects with Untestable where the schema is none, or takes too long.
   */
  generate(inputSchema: unknown, options?: { readonly random?: number }): Promise<ToolInputs>;
}

export interface InputGeneratorOptions {
  /** How long the work on one schema may take, in milliseconds. Default: 2 000. */
  readonly timeoutMs?: number;
  /** Of random inputs. Default: 1. */
  readonly seed?: number;
}

const MAX_SCHEMA_LENGTH = 4_000_000;
const MAX_MEGABYTES = 256;

/**
 * Inputs for tools whose schemas nobody has vetted: all work on these happens in a thread, within a time and a memory
 * limit. What was made of a schema is kept.
 */
export function createInputGenerator({ timeoutMs = 2_000, seed = 1 }: InputGeneratorOptions = {}): InputGenerator {
  const thread = new InputWorker({ timeoutMs, megabytes: MAX_MEGABYTES });
  const made = new Map<string, Promise<ToolInputs>>();
  const mutex = new Mutex();
  const make = (schema: string, random: number): Promise<ToolInputs> =>
    mutex.run(() => thread.run({ schema, random, seed })).then(inputsOf);
  return {
    async generate(inputSchema, { random = 0 } = {}) {
      if (inputSchema === null || inputSchema === undefined) return WITHOUT_PARAMETERS;
      const schema = textOf(inputSchema);
      const key = `${random} ${schema}`;
      const inputs = made.get(key) ?? make(schema, random);
      made.set(key, inputs);
      return await inputs;
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}

const WITHOUT_PARAMETERS: ToolInputs = { valid: [{ value: {}, what: 'the empty input' }], invalid: [] };

function inputsOf(response: InputJobResult): ToolInputs {
  if ('inputs' in response) return response.inputs;
  if ('bug' in response) throw new HarnessError(`making inputs failed: ${response.bug}`);
  throw new UntestableError(reason(response.untestable));
}

function textOf(schema: unknown): string {
  const text = attempt(() => JSON.stringify(schema));
  if (text === undefined) throw new UntestableError(reason('it is nested too deeply'));
  if (text.length <= MAX_SCHEMA_LENGTH) return text;
  throw new UntestableError(reason(`it has ${text.length} characters, of which at most ${MAX_SCHEMA_LENGTH} are read`));
}

const reason = (what: string) => `no inputs can be made of the tool's input_schema: ${what}`;

function attempt(write: () => string | undefined): string | undefined {
  try {
    return write();
  } catch {
    return undefined;
  }
}

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
