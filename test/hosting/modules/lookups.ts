import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { defineEnvironment, jsonSchema } from 'ors-kit';

/** Is there once something spins; of this process, whose workers have its id. */
export const SPINNING = join(tmpdir(), `ors-kit-spinning-${process.pid}`);

const spin = (): never => {
  writeFileSync(SPINNING, '');
  for (;;);
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
    spin: { count: () => 1, get: spin },
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
      description: 'Make a file, and compute until there is another.',
      input: jsonSchema<{ begun: string; over: string }>({ type: 'object' }),
      run: ({ input }) => {
        writeFileSync(input.begun, '');
        while (!existsSync(input.over));
        return { text: 'computed' };
      },
    },
  },
});
