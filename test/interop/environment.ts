import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { defineEnvironment, image, ToolError, text } from 'ors-kit';
import { z } from 'zod';
import { makeText } from './fidelity-text.ts';

/** How often a tool ran under a key, in the whole process: an episode can ask about calls of another one. */
const runs = new Map<string, number>();
const count = (key: string) => runs.set(key, (runs.get(key) ?? 0) + 1);

/** A square of 1 x 1, the smallest PNG there is. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const message = z.object({ message: z.string() });
const milliseconds = z.int().min(0).max(60_000).describe('Milliseconds to wait before the answer');
const key = z.string().describe('What the run is counted under');

/** One tool for each thing that can go wrong between a server and its clients. */
export default defineEnvironment({
  name: 'wire',
  description: 'Tools for tests of what a client receives.',

  splits: {
    test: [{ label: 'plain' }, { label: '\u00a0 white \u2028 space \u3000' }, { label: 'slow', setup_ms: 6_000 }],
    own: { count: 1_000_000, get: (index) => ({ label: `task ${index}` }) },
  },
  task: z.object({ label: z.string(), setup_ms: z.int().min(0).optional() }),
  setup: async ({ task, secrets }) => {
    await delay(task.setup_ms ?? 0);
    return { secrets, steps: 0 };
  },
  prompt: ({ task }) => [text(task.label), image(dot, 'image/png')],

  tools: {
    echo: {
      description: 'Returns the message.',
      input: message.extend({ times: z.int().min(1).default(1) }),
      run: ({ input }) => ({ text: input.message.repeat(input.times) }),
    },
    text: {
      description: 'Returns a text full of white space, determined by its seed and length.',
      input: z.object({
        seed: z.int().min(0),
        length: z.int().min(0),
        key: key.optional(),
        ms: milliseconds.optional(),
      }),
      run: async ({ input }) => {
        if (input.key !== undefined) count(input.key);
        await delay(input.ms ?? 0);
        return { text: makeText(input.seed, input.length), reward: 0.5, metadata: { seed: input.seed } };
      },
    },
    runs: {
      description: 'Returns the number of runs of calls with this key, in all episodes together.',
      input: z.object({ key }),
      run: ({ input }) => ({ text: String(runs.get(input.key) ?? 0) }),
    },
    count: {
      description: 'Counts its calls in this episode.',
      run: ({ state }) => {
        state.steps += 1;
        return { text: String(state.steps), reward: state.steps, metadata: { steps: state.steps } };
      },
    },
    finish: {
      description: 'Ends the episode with a reward.',
      input: z.object({ reward: z.number(), key: key.optional(), ms: milliseconds.optional() }),
      run: async ({ input }) => {
        if (input.key !== undefined) count(input.key);
        await delay(input.ms ?? 0);
        return { text: 'The end.', reward: input.reward, finished: true };
      },
    },
    sleep: {
      description: 'Answers late.',
      input: z.object({ ms: milliseconds }),
      run: async ({ input }) => {
        await delay(input.ms);
        return { text: `Slept ${input.ms} ms.` };
      },
    },
    picture: {
      description: 'Returns an image between two texts.',
      run: () => ({ blocks: [text('before'), image(dot, 'image/png'), text('after')] }),
    },
    secret: {
      description: "Tells the SHA-256 of an episode's secret, or 'none'.",
      input: z.object({ name: z.string() }),
      run: ({ input, state }) => {
        const secret = state.secrets[input.name];
        return { text: secret === undefined ? 'none' : createHash('sha256').update(secret).digest('hex') };
      },
    },
    fail: {
      description: 'Fails as a tool may.',
      input: message,
      run: ({ input }) => {
        throw new ToolError(input.message);
      },
    },
    crash: {
      description: 'Fails as a tool should not.',
      input: message,
      run: ({ input }) => {
        throw new Error(input.message);
      },
    },
  },
});
