import { setTimeout as delay } from 'node:timers/promises';
import { defineEnvironment } from 'ors-kit';

/** Environment that an oracle can solve slowly. It is JavaScript so that commands load it fast. */
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
