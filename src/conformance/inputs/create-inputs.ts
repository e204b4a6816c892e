import { Mutex } from '../../core/index.ts';
import { HarnessError, UntestableError } from '../verdict.ts';
import type { InputJobResult } from './answer.ts';
import type { InputGenerator, ToolInputs } from './inputs.ts';
import { InputWorker } from './thread.ts';

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
