/** Serves the environment of the benchmarks with our server, written like any environment. */
import { defineEnvironment, defineTool } from 'ors-kit';
import { serve } from 'ors-kit/server';
import { z } from 'zod';

/** The argument is JSON: the numbers of environments, tools and tasks, and whether the fast path is on. */
const { environments = 1, tools = 3, tasks = 1, fastPath = true } = JSON.parse(process.argv[2] ?? '{}');

const task = { question: '2+2', answer: '4' };

const submit = defineTool({
  description: 'Submit an answer.',
  input: z.object({ answer: z.string() }),
  run: () => ({ text: 'Correct!', reward: 1, finished: false }),
});

const measuredTools = {
  submit,
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
};
const extraTools = Object.fromEntries(Array.from({ length: tools - 3 }, (_, index) => [`submit_${index}`, submit]));

const define = (name: string) =>
  defineEnvironment({
    name,
    splits: { test: tasks === 1 ? [task] : { count: tasks, get: () => task } },
    task: z.object({ question: z.string(), answer: z.string() }),
    prompt: ({ task }) => task.question,
    tools: { ...extraTools, ...measuredTools },
  });

const others = Array.from({ length: environments - 1 }, (_, index) => define(`other_${index}`));
await serve([...others, define('bench')], { port: Number(process.env.PORT), host: '127.0.0.1', fastPath });
