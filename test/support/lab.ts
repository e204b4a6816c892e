import { defineEnvironment, jsonSchema, type SetupContext, ToolError } from 'ors-kit';

/** Events of the lab, in order. */
export interface Lab {
  readonly environment: ReturnType<typeof defineEnvironment>;
  readonly events: string[];
  /** Opens a gate at which a `wait` tool waits. */
  open(gate: string): void;
}

interface LabOptions {
  readonly name?: string;
  readonly setup?: (context: SetupContext<object>) => unknown;
}

/** Creates an environment that records its events, and whose tools wait until the test opens their gates. */
export function lab({ name = 'lab', setup }: LabOptions = {}): Lab {
  const events: string[] = [];
  const gates = new Map<string, { opened: Promise<void>; open: () => void }>();
  const gate = (key: string) => {
    const known = gates.get(key);
    if (known) return known;
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    gates.set(key, { opened, open });
    return { opened, open };
  };
  const waiting = jsonSchema<{ gate: string }>({
    type: 'object',
    properties: { gate: { type: 'string' } },
    required: ['gate'],
  });
  const wait = async ({ gate: key }: { gate: string }) => {
    events.push(`start ${key}`);
    await gate(key).opened;
    events.push(`end ${key}`);
    return { text: key };
  };

  const environment = defineEnvironment({
    name,
    splits: { train: [{ n: 0 }, { n: 1 }], test: [], hard: { count: 1_000_000, get: (n) => ({ n }) } },
    setup: async (context) => {
      events.push('setup');
      await setup?.(context);
      return { count: 0 };
    },
    prompt: ({ task, state }) => `task ${JSON.stringify(task)}, count ${state.count}`,
    tools: {
      count: { description: 'Count.', run: ({ state }) => ({ text: `${++state.count}` }) },
      wait: { description: 'Wait at a gate.', input: waiting, run: ({ input }) => wait(input) },
      wait_too: { description: 'Wait at a gate.', input: waiting, run: ({ input }) => wait(input) },
      wait_together: {
        description: 'Wait at a gate.',
        input: waiting,
        concurrent: true,
        run: ({ input }) => wait(input),
      },
      until_aborted: {
        description: 'Wait for the signal.',
        run: ({ signal }) =>
          new Promise((resolve) => {
            events.push('start until_aborted');
            signal.addEventListener('abort', () => {
              events.push('aborted');
              resolve({ text: 'aborted' });
            });
          }),
      },
      finish: { description: 'Finish.', run: () => ({ text: 'done', reward: 1, finished: true }) },
      echo: {
        description: 'Say what was said.',
        input: jsonSchema<{ text: string; times: number }>({
          type: 'object',
          properties: { text: { type: 'string' }, times: { type: 'integer', minimum: 1, default: 1 } },
          required: ['text'],
        }),
        run: ({ input }) => ({ text: input.text.repeat(input.times) }),
      },
      fail: {
        description: 'Fail.',
        run: () => {
          throw new ToolError('File not found');
        },
      },
    },
    teardown: () => {
      events.push('teardown');
    },
  });
  return { environment, events, open: (key) => gate(key).open() };
}
