import { Mutex } from '../../core/index.ts';
import { HarnessError, Untestable } from '../verdict.ts';
import type { Answer } from './answer.ts';
import type { Inputs, ToolInputs } from './inputs.ts';
import { Thread } from './thread.ts';

export interface InputsOptions {
  /** How long the work on one schema may take, in milliseconds. Default: 2 000. */
  readonly timeoutMs?: number;
  /** Of random inputs. Default: 1. */
  readonly seed?: number;
}

const LONGEST_SCHEMA = 4_000_000;
const MOST_MEGABYTES = 256;

/**
 * Inputs for tools whose schemas nobody has vetted: all work on these happens in a thread, within a time and a memory
 * limit. What was made of a schema is kept.
 */
export function createInputs({ timeoutMs = 2_000, seed = 1 }: InputsOptions = {}): Inputs {
  const thread = new Thread({ timeoutMs, megabytes: MOST_MEGABYTES });
  const made = new Map<string, Promise<ToolInputs>>();
  const mutex = new Mutex();
  const make = (schema: string, random: number): Promise<ToolInputs> =>
    mutex.run(() => thread.run({ schema, random, seed })).then(inputsOf);
  return {
    async of(inputSchema, { random = 0 } = {}) {
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

function inputsOf(answer: Answer): ToolInputs {
  if ('inputs' in answer) return answer.inputs;
  if ('bug' in answer) throw new HarnessError(`making inputs failed: ${answer.bug}`);
  throw new Untestable(reason(answer.untestable));
}

function textOf(schema: unknown): string {
  const text = attempt(() => JSON.stringify(schema));
  if (text === undefined) throw new Untestable(reason('it is nested too deeply'));
  if (text.length <= LONGEST_SCHEMA) return text;
  throw new Untestable(reason(`it has ${text.length} characters, of which at most ${LONGEST_SCHEMA} are read`));
}

const reason = (what: string) => `no inputs can be made of the tool's input_schema: ${what}`;

function attempt(write: () => string | undefined): string | undefined {
  try {
    return write();
  } catch {
    return undefined;
  }
}
