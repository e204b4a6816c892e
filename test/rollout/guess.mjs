import { setTimeout as delay } from 'node:timers/promises';
import { defineEnvironment } from 'ors-kit';

/** An environment that an oracle can solve. JavaScript, so that a command loads it fast; a run of it takes some time. */
export default defineEnvironment({
  name: 'guess',
  splits: { test: { count: 200, get: (n) => ({ n }) } },
  prompt: ({ task }) => `Guess ${task.n}.`,
  tools: {
    guess: {
      description: 'Guess.',
      run: async () => {
        await delay(5);
        return { text: 'Right.', reward: 1, finished: true };
      },
    },
  },
  solve: async ({ call }) => {
    await call('guess');
  },
});
