/** Serves the environment of the benchmarks with our server, written like any environment. */
import { defineEnvironment, defineTool } from 'ors-kit';
import { openJournal } from 'ors-kit/journal';
import { serve } from 'ors-kit/server';
import { z } from 'zod';

/** The argument is JSON: the numbers of environments, tools and tasks, the fast path, and the journal. */
const options = JSON.parse(process.argv[2] ?? '{}');
const { environments = 1, tools = 3, tasks = 1, fastPath = true, durability } = options;

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
    durability,
    splits: { test: tasks === 1 ? [task] : { count: tasks, get: () => task } },
    task: z.object({ question: z.string(), answer: z.string() }),
    prompt: ({ task }) => task.question,
    tools: { ...extraTools, ...measuredTools },
  });

const others = Array.from({ length: environments - 1 }, (_, index) => define(`other_${index}`));
const journal = options.journal && (await openJournal(options.journal.location, options.journal));
const port = Number(process.env.PORT);
await serve([...others, define('bench')], { port, host: '127.0.0.1', fastPath, ...(journal && { journal }) });
