/** The environment of the benchmarks on our own server, as an author would write it. */
import { defineEnvironment, defineTool } from 'ors-kit';
import { serve } from 'ors-kit/server';
import { z } from 'zod';

const environment = defineEnvironment({
  name: 'bench',
  splits: { test: [{ question: '2+2', answer: '4' }] },
  task: z.object({ question: z.string(), answer: z.string() }),
  prompt: ({ task }) => task.question,
  tools: {
    submit: defineTool({
      description: 'Submit an answer.',
      input: z.object({ answer: z.string() }),
      run: () => ({ text: 'Correct!', reward: 1, finished: false }),
    }),
    wait: defineTool({
      description: 'Wait for some seconds.',
      input: z.object({ seconds: z.number() }),
      run: async ({ input }) => {
        await new Promise((resolve) => setTimeout(resolve, input.seconds * 1000));
        return { text: 'Waited.' };
      },
    }),
    big: defineTool({
      description: 'Return one text of this size.',
      input: z.object({ bytes: z.int() }),
      run: ({ input }) => ({ text: 'x'.repeat(input.bytes) }),
    }),
  },
});

await serve([environment], { port: Number(process.env.PORT), host: '127.0.0.1' });
