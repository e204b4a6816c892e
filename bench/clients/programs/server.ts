/** Serves the environment of the benchmark of clients with our server. */
import { defineEnvironment } from 'ors-kit';
import { serve } from 'ors-kit/server';
import { z } from 'zod';

const environment = defineEnvironment({
  name: 'bench',
  splits: { test: [{ question: '2+2', answer: '4' }] },
  task: z.object({ question: z.string(), answer: z.string() }),
  publicTask: ({ question }) => ({ question }),
  prompt: ({ task }) => task.question,
  tools: {
    submit: {
      description: 'Submit an answer.',
      input: z.object({ answer: z.string() }),
      run: ({ input, task }) => ({ text: 'Correct!', reward: input.answer === task.answer ? 1 : 0, finished: true }),
    },
    submit_slowly: {
      description: 'Submit an answer that is judged after some seconds.',
      input: z.object({ answer: z.string(), seconds: z.number() }),
      run: async ({ input, task }) => {
        await new Promise((resolve) => setTimeout(resolve, input.seconds * 1000));
        return { text: 'Correct!', reward: input.answer === task.answer ? 1 : 0, finished: true };
      },
    },
  },
});

await serve([environment], { port: Number(process.env.PORT), host: '127.0.0.1' });
