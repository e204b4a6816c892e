import { setTimeout as sleep } from 'node:timers/promises';
import {
  defineTool,
  image,
  type JSONObject,
  jsonSchema,
  type ToolDefinition,
  ToolError,
  type ToolResult,
  text,
} from 'ors-kit';
import { BAD_OUTPUTS, bigText, IMAGE_METADATA, ODD_TEXTS, PATTERNS, POINT, sha256 } from './values.ts';

export type Task = JSONObject & {
  readonly id?: string;
  readonly setup_ms?: number;
  readonly setup_fail?: string;
  readonly prompt_fail?: string;
  readonly prompt_image?: boolean;
  readonly conversation?: boolean;
  readonly key?: string;
};

export type State = {
  counter: number;
  /** Number of started runs by tool. */
  readonly runs: Map<string, number>;
  /** Number of started runs of all tools. */
  started: number;
  /** Number of runs that have not ended. */
  active: number;
  /** Number of started group scorings. */
  scorings: number;
  readonly secrets: Readonly<Record<string, string>>;
};

/** Numbers of setups and teardowns of all episodes, by the keys of their tasks. */
export const lifecycles = new Map<string, { setups: number; teardowns: number }>();

/** `defineTool` with the types of this environment. */
const tool = <I extends object | undefined>(definition: ToolDefinition<I, Task, State>) =>
  defineTool<I, Task, State>(definition);

const object = <Input>(properties: JSONObject, required = Object.keys(properties)) =>
  jsonSchema<Input>({ type: 'object', properties, ...(required.length > 0 && { required }) });
const nothing = object<Record<string, never>>({});
const choice = (of: object): JSONObject => ({ type: 'string', enum: Object.keys(of) });

const coordinate = { type: 'number', minimum: 0, maximum: 10 };

/** The shared tools. */
export const tools = countRuns({
  echo: tool({
    description: 'Returns the text, and the metadata as metadata.',
    input: object<{ text: string; metadata?: JSONObject }>({ text: { type: 'string' }, metadata: { type: 'object' } }, [
      'text',
    ]),
    run: ({ input }) => ({ text: input.text, metadata: input.metadata ?? null }),
  }),

  count: tool({
    description: 'Adds to the counter of the episode and returns it.',
    input: object<{ by: number }>({ by: { type: 'integer', default: 1 } }, []),
    run: ({ input, state }) => {
      state.counter += input.by;
      return { text: String(state.counter) };
    },
  }),

  runs: tool({
    description: 'Returns how many runs of a tool have started in this episode.',
    input: object<{ tool: string }>({ tool: { type: 'string' } }),
    run: ({ input, state }) => ({ text: String(state.runs.get(input.tool) ?? 0) }),
  }),

  sleep: tool({
    description: 'Waits without blocking the server.',
    input: object<{ ms: number }>({ ms: { type: 'integer', minimum: 0, maximum: 3_600_000 } }),
    run: async ({ input, signal }) => {
      await sleep(input.ms, undefined, { signal });
      return { text: 'slept' };
    },
  }),

  block: tool({
    description: 'Blocks its thread for that long.',
    input: object<{ ms: number }>({ ms: { type: 'integer', minimum: 0, maximum: 60_000 } }),
    run: ({ input }) => {
      const end = performance.now() + input.ms;
      while (performance.now() < end);
      return { text: 'blocked' };
    },
  }),

  big: tool({
    description: 'Returns a text with exactly this number of code points.',
    input: object<{ characters: number; pattern: keyof typeof PATTERNS }>({
      characters: { type: 'integer', minimum: 1, maximum: 20_000_000 },
      pattern: choice(PATTERNS),
    }),
    run: ({ input }) => ({ text: bigText(input.characters, input.pattern) }),
  }),

  odd_text: tool({
    description: 'Returns a text that is hard to send.',
    input: object<{ kind: keyof typeof ODD_TEXTS }>({ kind: choice(ODD_TEXTS) }),
    run: ({ input }) => ({ text: ODD_TEXTS[input.kind] }),
  }),

  image: tool({
    description: 'Returns an image between two texts, and metadata.',
    input: nothing,
    run: () => ({ blocks: [text('before'), image(POINT, 'image/png'), text('after')], metadata: IMAGE_METADATA }),
  }),

  fail: tool({
    description: 'Reports a failure that the agent can handle.',
    input: object<{ message: string }>({ message: { type: 'string', default: 'It failed.' } }, []),
    run: ({ input }) => {
      throw new ToolError(input.message);
    },
  }),

  crash: tool({
    description: 'Throws an unexpected error, after this time.',
    input: object<{ message: string; ms: number }>(
      {
        message: { type: 'string', default: 'It crashed.' },
        ms: { type: 'integer', minimum: 0, maximum: 60_000, default: 0 },
      },
      [],
    ),
    run: async ({ input, signal }) => {
      if (input.ms > 0) await sleep(input.ms, undefined, { signal });
      throw new Error(input.message);
    },
  }),

  cancel: tool({
    description: 'Fails like a cancelled task.',
    input: nothing,
    run: () => {
      throw new DOMException('It was cancelled.', 'AbortError');
    },
  }),

  reward: tool({
    description: 'Returns that reward.',
    input: object<{ value: number | null }>({ value: { type: ['number', 'null'] } }),
    run: ({ input }) => ({ text: 'rewarded', reward: input.value }),
  }),

  finish: tool({
    description: 'Ends the episode with reward 1.',
    input: nothing,
    run: () => ({ text: 'done', reward: 1, finished: true }),
  }),

  noargs: tool({
    description: 'Runs without parameters.',
    run: () => ({ text: 'ran' }),
  }),

  nested: tool({
    description: 'Returns its input as metadata.',
    input: object<JSONObject>(
      {
        mode: { enum: ['fast', 'slow'] },
        point: {
          type: 'object',
          properties: { x: coordinate, y: coordinate },
          required: ['x', 'y'],
          additionalProperties: false,
        },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
        level: { type: 'integer', minimum: 1, maximum: 5 },
      },
      ['mode', 'point'],
    ),
    run: ({ input }) => ({ text: 'nested', metadata: { input } }),
  }),

  show_task: tool({
    description: 'Returns the whole task as metadata.',
    input: nothing,
    run: ({ task }) => ({ text: task.id ?? 'inline', metadata: { task } }),
  }),

  secret_digest: tool({
    description: 'Returns the SHA-256 of a secret of the episode.',
    input: object<{ name: string }>({ name: { type: 'string' } }),
    run: ({ input: { name }, state: { secrets } }) => ({
      text: Object.hasOwn(secrets, name) ? sha256(secrets[name] ?? '') : 'none',
    }),
  }),

  bad_output: tool({
    description: 'Returns an invalid output, which a server must not send.',
    input: object<{ kind: keyof typeof BAD_OUTPUTS }>({ kind: choice(BAD_OUTPUTS) }),
    // Invalid by type; untyped code can return them.
    run: ({ input }) => BAD_OUTPUTS[input.kind] as unknown as ToolResult,
  }),

  lifecycle: tool({
    description: 'Returns the number of setups and teardowns of episodes with that key.',
    input: object<{ key: string }>({ key: { type: 'string' } }),
    run: ({ input }) => {
      const { setups, teardowns } = lifecycles.get(input.key) ?? { setups: 0, teardowns: 0 };
      return { text: 'counted', metadata: { setups, teardowns } };
    },
  }),
});

/** Tools for extensions of the standard. */
export const extensionTools = countRuns({
  final: tool({
    description: 'Waits, and reports how many other tools ran meanwhile.',
    input: object<{ ms: number; finish: boolean }>(
      { ms: { type: 'integer', minimum: 0, maximum: 60_000, default: 0 }, finish: { type: 'boolean', default: false } },
      [],
    ),
    exclusive: true,
    run: async ({ input, state, signal }) => {
      const { active, started } = state;
      await sleep(input.ms, undefined, { signal });
      return { text: 'final', finished: input.finish, metadata: { running: active - 1 + state.started - started } };
    },
  }),

  answer: tool({
    description: 'Grades the final message.',
    input: object<{ text: string }>({ text: { type: 'string' } }),
    terminal: true,
    run: ({ input, state }) => ({
      text: 'graded',
      reward: input.text === 'right' ? 1 : 0,
      finished: true,
      metadata: { text: input.text, running: state.active - 1 },
    }),
  }),
});

/** Tools of the toolset `spare`. */
export const spareTools = {
  spare_only: tool({
    description: 'Exists only in the toolset.',
    run: () => ({ text: 'spare' }),
  }),
  noargs: tool({
    description: 'Replaces the tool of the environment.',
    run: () => ({ text: 'spare noargs' }),
  }),
};

/** Toolsets whose terminal tool grades an answer of another type than text, by name. */
export const answerToolsets = {
  integer_answer: { answer: typedAnswer('integer', 42) },
  number_answer: { answer: typedAnswer('number', 2.5) },
  boolean_answer: { answer: typedAnswer('boolean', true) },
};

/** Returns a terminal tool whose parameter has this type. */
function typedAnswer(type: string, right: number | boolean) {
  return tool({
    description: `Grades an answer of the type ${type}.`,
    input: object<{ value: number | boolean }>({ value: { type } }),
    terminal: true,
    run: ({ input: { value } }) => ({
      text: 'graded',
      reward: value === right ? 1 : 0,
      finished: true,
      metadata: { value },
    }),
  });
}

/** The task tools. */
export const taskTools = countRuns({
  only_here: tool({
    description: 'Exists only as a tool of the task.',
    input: nothing,
    run: () => ({ text: 'here' }),
  }),
});

/** Makes tools count their runs, and those that have not ended. */
function countRuns<Tools extends object>(tools: Tools): Tools {
  const counted = Object.entries(tools).map(([name, tool]: [string, ToolDefinition<object, Task, State>]) => {
    const run: typeof tool.run = (context) => {
      const { state } = context;
      state.runs.set(name, (state.runs.get(name) ?? 0) + 1);
      state.started += 1;
      state.active += 1;
      const end = () => {
        state.active -= 1;
      };
      try {
        const result = tool.run(context);
        if (!(result instanceof Promise)) end();
        return result instanceof Promise ? result.finally(end) : result;
      } catch (error) {
        end();
        throw error;
      }
    };
    return [name, { ...tool, run }];
  });
  // `fromEntries` loses the type of the keys.
  return Object.fromEntries(counted) as Tools;
}
