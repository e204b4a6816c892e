import { appendFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { defineEnvironment, jsonSchema } from 'ors-kit';

const spin = (ms = 1e9): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

const hang = () => new Promise<never>(() => undefined);

const tornLater = async (): Promise<never> => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  throw new Error('torn later');
};

const tornNow = (): never => {
  throw new Error('torn at once');
};

/** An environment that finds some tasks never: `hang` waits for ever, `spin` lets nothing else run meanwhile. */
export default defineEnvironment({
  name: 'lookups',
  splits: {
    good: [{ prompt: 'good' }, { prompt: 'hang' }, { prompt: 'spin' }],
    hang: { count: hang, get: hang },
    spin: { count: () => 1, get: () => spin() as never },
    torn: { count: 2, get: (index) => (index === 0 ? tornLater() : tornNow()) },
  },
  task: jsonSchema<{ prompt: string }>({ type: 'object' }),
  prompt({ task }) {
    if (task.prompt === 'hang') return hang();
    if (task.prompt === 'spin') spin();
    return `thread ${threadId}`;
  },
  tools: {
    compute: {
      description: 'Compute for a while, and note when it has begun in the file of that name.',
      input: jsonSchema<{ ms: number; begun: string }>({ type: 'object' }),
      run: ({ input }) => {
        appendFileSync(input.begun, 'begun');
        spin(input.ms);
        return { text: 'computed' };
      },
    },
  },
});
