import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { defineEnvironment } from 'ors-kit';

const gates = process.env.GATES ?? '';

const episodes = {
  splits: { train: { count: 1_000_000, get: (n) => ({ n }) } },
  setup({ task }) {
    console.log(`set up ${task.n}`);
    return { n: task.n, count: 0 };
  },
  prompt: ({ task }) => `counter ${task.n}`,
  tools: {
    count: { description: 'Counts one.', run: ({ state }) => ({ text: `${++state.count}` }) },
    wait: {
      description: 'Counts one when a gate opens.',
      async run({ state, signal }) {
        console.log(`waiting ${state.n}`);
        while (!existsSync(join(gates, 'open'))) await delay(20, undefined, { signal });
        return { text: `${++state.count}` };
      },
    },
  },
};

/** The first one is in the journal, the second one is not. */
export default [
  defineEnvironment({
    ...episodes,
    name: 'counting',
    snapshot: ({ state }) => state,
    restore(state) {
      console.log(`restored ${state.n}`);
      return { ...state };
    },
  }),
  defineEnvironment({ ...episodes, name: 'plain' }),
];
