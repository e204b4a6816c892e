/** An environment with tools that block their thread, for the benchmark of isolation: loaded inline and in workers. */
import { createHash } from 'node:crypto';
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
    hash: defineTool({
      description: 'Hash a text repeatedly.',
      input: z.object({ rounds: z.int() }),
      run: ({ input }) => {
        let text = '';
        for (let round = 0; round < input.rounds; round++) text = createHash('sha256').update(text).digest('hex');
        return { text: 'Hashed.' };
      },
    }),
    big: defineTool({
      description: 'Return one text of this size.',
      input: z.object({ bytes: z.int() }),
      run: ({ input }) => ({ text: 'x'.repeat(input.bytes) }),
    }),
    thread: defineTool({
      description: 'Return the id of the thread that runs this episode.',
      run: () => ({ text: String(threadId) }),
    }),
  },
});
