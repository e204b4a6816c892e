import { defineEnvironment } from 'ors-kit';
import { z } from 'zod';

const input = z.object({ expression: z.string() });

/** Pays 1 for the final message `The end.`, and 0 for others. */
export const gradedEnvironment = () =>
  defineEnvironment({
    name: 'graded',
    splits: { train: [{}] },
    prompt: () => 'End the story.',
    tools: {
      look: { description: 'Pays nothing.', run: () => ({ text: 'nothing to see' }) },
      grade: {
        description: 'Grades the final message.',
        terminal: true,
        input: z.object({ text: z.string() }),
        run: ({ input: { text } }) => ({ text: 'graded', reward: text === 'The end.' ? 1 : 0, finished: true }),
      },
    },
  });

/** Pays 0.25 for `evaluate` and 1 for `submit`. In task 1 the first `evaluate` of all crashes, in task 2 each one. */
export const fragileEnvironment = () => {
  let crashes = 0;
  return defineEnvironment({
    name: 'fragile',
    splits: { train: [{ number: 0 }, { number: 1 }, { number: 2 }] },
    task: z.object({ number: z.int() }),
    prompt: ({ task }) => `Task ${task.number}`,
    tools: {
      evaluate: {
        description: 'Pays 0.25.',
        input,
        run: ({ task }) => {
          if (task.number === 2 || (task.number === 1 && crashes++ === 0)) throw new Error('out of order');
          return { text: 'go on', reward: 0.25 };
        },
      },
      look: { description: 'Pays nothing.', run: () => ({ text: 'nothing to see' }) },
      submit: { description: 'Pays 1.', input, run: () => ({ text: 'done', reward: 1, finished: true }) },
    },
  });
};
