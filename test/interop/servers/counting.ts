/** Serves an environment that counts its calls, until standard input ends; prints `ready <url>`. */
import { defineEnvironment } from 'ors-kit';
import { serve } from 'ors-kit/server';
import { pino } from 'pino';
import { z } from 'zod';
import { makeText } from '../fidelity-text.ts';

const runs = new Map<string, number>();
const count = (key: string) => runs.set(key, (runs.get(key) ?? 0) + 1);
/** Many calls ask for the same text. */
const texts = new Map<string, string>();

function textOf(seed: number, length: number): string {
  const name = `${seed} ${length}`;
  const text = texts.get(name) ?? makeText(seed, length);
  texts.set(name, text);
  return text;
}

const wire = defineEnvironment({
  name: 'wire',
  splits: { test: [{ label: 'plain' }] },
  task: z.object({ label: z.string(), key: z.string().optional() }),
  setup: ({ task }) => {
    count(`setup ${task.label}`);
  },
  prompt: () => 'Ask for a text.',
  tools: {
    text: {
      description: 'Returns a text that is determined by its seed and length, and counts the run under a key.',
      input: z.object({ seed: z.int(), length: z.int(), key: z.string() }),
      run: ({ input: { seed, length, key } }) => {
        count(key);
        return { text: textOf(seed, length), reward: 0.5 };
      },
    },
    all_runs: {
      description: 'Returns the number of runs by key, as JSON.',
      run: () => ({ text: JSON.stringify(Object.fromEntries(runs)) }),
    },
  },
});

const server = await serve([wire], { port: 0, log: pino({ level: 'silent' }) });
console.log(`ready ${server.url}`);
process.stdin.on('end', () => process.exit()).resume();
