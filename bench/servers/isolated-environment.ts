/** An environment with a tool that lets nothing else run; the benchmark of isolation loads it inline and in workers. */
import { threadId } from 'node:worker_threads';
import { defineEnvironment, defineTool } from 'ors-kit';
import { z } from 'zod';

export default defineEnvironment({
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
    compute: defineTool({
      description: 'Compute for some seconds without a pause.',
      input: z.object({ seconds: z.number() }),
      run: ({ input }) => {
        const end = performance.now() + input.seconds * 1000;
        while (performance.now() < end);
        return { text: 'Computed.' };
      },
    }),
    thread: defineTool({
      description: 'Tell in which thread this episode lives.',
      run: () => ({ text: String(threadId) }),
    }),
  },
});
