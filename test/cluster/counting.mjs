import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { defineEnvironment, jsonSchema } from 'ors-kit';

/** The folder in which tests open gates, by making a file. */
const gates = process.env.GATES ?? '';

/** Counts, and says aloud what happens to whom: the test reads it from the output of the process. */
export default defineEnvironment({
  name: 'counting',
  splits: { train: { count: 1_000_000, get: (n) => ({ n }) } },
  setup({ task }) {
    console.log(`set up ${task.n}`);
    return { count: 0 };
  },
  prompt: ({ task }) => `counter ${task.n}`,
  tools: {
    count: { description: 'Counts one.', run: ({ state }) => ({ text: `${++state.count}` }) },
    wait: {
      description: 'Waits until a gate opens, then counts one.',
      input: jsonSchema({
        type: 'object',
        properties: { gate: { type: 'string' } },
        required: ['gate'],
      }),
      async run({ input, task, state, signal }) {
        console.log(`waiting ${task.n}`);
        while (!existsSync(join(gates, input.gate))) await delay(20, undefined, { signal });
        return { text: `${++state.count}` };
      },
    },
  },
  teardown({ task }) {
    console.log(`torn down ${task.n}`);
  },
});
