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
  readonly key?: string;
};

export type State = {
  counter: number;
  /** How often each tool has begun to run. */
  readonly runs: Map<string, number>;
  readonly secrets: Readonly<Record<string, string>>;
};

/** Setups and teardowns by the keys of tasks, of all episodes that there ever were. */
export const lifecycles = new Map<string, { setups: number; teardowns: number }>();

/** Gives a tool its types. */
const tool = <I extends object | undefined>(definition: ToolDefinition<I, Task, State>) =>
  defineTool<I, Task, State>(definition);

const object = <Input>(properties: JSONObject, required = Object.keys(properties)) =>
  jsonSchema<Input>({ type: 'object', properties, ...(required.length > 0 && { required }) });
const nothing = object<Record<string, never>>({});
const choice = (of: object): JSONObject => ({ type: 'string', enum: Object.keys(of) });

const coordinate = { type: 'number', minimum: 0, maximum: 10 };

/** The tools that every task shares. */
export const tools = counting({
  echo: tool({
    description: 'Gives the text back, and the metadata as its metadata.',
    input: object<{ text: string; metadata?: JSONObject }>({ text: { type: 'string' }, metadata: { type: 'object' } }, [
      'text',
    ]),
    run: ({ input }) => ({ text: input.text, metadata: input.metadata ?? null }),
  }),

  count: tool({
    description: "Adds to the episode's counter and gives it.",
    input: object<{ by: number }>({ by: { type: 'integer', default: 1 } }, []),
    run: ({ input, state }) => {
      state.counter += input.by;
      return { text: String(state.counter) };
    },
  }),

  runs: tool({
    description: 'Gives how often a tool has begun to run in this episode.',
    input: object<{ tool: string }>({ tool: { type: 'string' } }),
    run: ({ input, state }) => ({ text: String(state.runs.get(input.tool) ?? 0) }),
  }),

  sleep: tool({
    description: 'Waits without holding the server up.',
    input: object<{ ms: number }>({ ms: { type: 'integer', minimum: 0, maximum: 3_600_000 } }),
    run: async ({ input, signal }) => {
      await sleep(input.ms, undefined, { signal });
      return { text: 'slept' };
    },
  }),

  block: tool({
    description: 'Holds its thread for that long, as a badly written tool does.',
    input: object<{ ms: number }>({ ms: { type: 'integer', minimum: 0, maximum: 60_000 } }),
    run: ({ input }) => {
      const end = performance.now() + input.ms;
      while (performance.now() < end);
      return { text: 'blocked' };
    },
  }),

  big: tool({
    description: 'Gives a text of exactly so many code points.',
    input: object<{ characters: number; pattern: keyof typeof PATTERNS }>({
      characters: { type: 'integer', minimum: 1, maximum: 20_000_000 },
      pattern: choice(PATTERNS),
    }),
    run: ({ input }) => ({ text: bigText(input.characters, input.pattern) }),
  }),

  odd_text: tool({
    description: 'Gives a text that is hard to send.',
    input: object<{ kind: keyof typeof ODD_TEXTS }>({ kind: choice(ODD_TEXTS) }),
    run: ({ input }) => ({ text: ODD_TEXTS[input.kind] }),
  }),

  image: tool({
    description: 'Gives an image between two texts, and metadata.',
    input: nothing,
    run: () => ({ blocks: [text('before'), image(POINT, 'image/png'), text('after')], metadata: IMAGE_METADATA }),
  }),

  fail: tool({
    description: 'Reports a failure that the player can mend.',
    input: object<{ message: string }>({ message: { type: 'string', default: 'It failed.' } }, []),
    run: ({ input }) => {
      throw new ToolError(input.message);
    },
  }),

  crash: tool({
    description: 'Throws an error that nobody foresaw.',
    input: object<{ message: string }>({ message: { type: 'string', default: 'It crashed.' } }, []),
    run: ({ input }) => {
      throw new Error(input.message);
    },
  }),

  cancel: tool({
    description: 'Ends as a task does that was cancelled.',
    input: nothing,
    run: () => {
      throw new DOMException('It was cancelled.', 'AbortError');
    },
  }),

  reward: tool({
    description: 'Gives that reward.',
    input: object<{ value: number | null }>({ value: { type: ['number', 'null'] } }),
    run: ({ input }) => ({ text: 'rewarded', reward: input.value }),
  }),

  finish: tool({
    description: 'Ends the episode with reward 1.',
    input: nothing,
    run: () => ({ text: 'done', reward: 1, finished: true }),
  }),

  noargs: tool({
    description: 'Runs; takes no parameters at all.',
    run: () => ({ text: 'ran' }),
  }),

  nested: tool({
    description: 'Gives its input back as metadata.',
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
    description: 'Gives the whole task as metadata.',
    input: nothing,
    run: ({ task }) => ({ text: task.id ?? 'inline', metadata: { task } }),
  }),

  secret_digest: tool({
    description: "Gives the SHA-256 of one of the episode's secrets.",
    input: object<{ name: string }>({ name: { type: 'string' } }),
    run: ({ input: { name }, state: { secrets } }) => ({
      text: Object.hasOwn(secrets, name) ? sha256(secrets[name] ?? '') : 'none',
    }),
  }),

  bad_output: tool({
    description: 'Returns to the server what no server may pass on.',
    input: object<{ kind: keyof typeof BAD_OUTPUTS }>({ kind: choice(BAD_OUTPUTS) }),
    // The compiler refuses these, and code that no compiler has seen returns them.
    run: ({ input }) => BAD_OUTPUTS[input.kind] as unknown as ToolResult,
  }),

  lifecycle: tool({
    description: 'Gives how many episodes with that key were set up and torn down.',
    input: object<{ key: string }>({ key: { type: 'string' } }),
    run: ({ input }) => {
      const { setups, teardowns } = lifecycles.get(input.key) ?? { setups: 0, teardowns: 0 };
      return { text: 'counted', metadata: { setups, teardowns } };
    },
  }),
});

/** The tools of a task. */
export const taskTools = counting({
  only_here: tool({
    description: 'Is a tool of the task.',
    input: nothing,
    run: () => ({ text: 'here' }),
  }),
});

/** The same tools, which count their runs. */
function counting<Tools extends object>(tools: Tools): Tools {
  const counted = Object.entries(tools).map(([name, tool]: [string, ToolDefinition<object, Task, State>]) => {
    const run: typeof tool.run = (context) => {
      const { runs } = context.state;
      runs.set(name, (runs.get(name) ?? 0) + 1);
      return tool.run(context);
    };
    return [name, { ...tool, run }];
  });
  // fromEntries forgets the names.
  return Object.fromEntries(counted) as Tools;
}
