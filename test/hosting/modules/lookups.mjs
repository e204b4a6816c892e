import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { defineEnvironment, jsonSchema } from 'ors-kit';

/** File that exists once something hangs or spins in a worker of this process. */
export const BEGUN = join(tmpdir(), `ors-kit-begun-${process.pid}`);

/** Blocks this thread for a while without using the CPU. */
const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const spin = () => {
  writeFileSync(BEGUN, '');
  pause(Number.POSITIVE_INFINITY);
};

const hang = () => {
  writeFileSync(BEGUN, '');
  return new Promise(() => undefined);
};

const tornLater = async () => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  throw new Error('torn later');
};

const tornNow = () => {
  throw new Error('torn at once');
};

/** An environment whose lookups do not end: `hang` waits for ever, `spin` also blocks the thread. */
export default defineEnvironment({
  name: 'lookups',
  splits: {
    good: [{ prompt: 'good' }, { prompt: 'hang' }, { prompt: 'spin' }],
    hang: { count: hang, get: hang },
    spin: { count: () => 1, get: spin },
    torn: { count: 2, get: (index) => (index === 0 ? tornLater() : tornNow()) },
  },
  task: jsonSchema({ type: 'object' }),
  prompt({ task }) {
    if (task.prompt === 'hang') return hang();
    if (task.prompt === 'spin') spin();
    return `thread ${threadId}`;
  },
  tools: {
    compute: {
      description: 'Make a file, and compute until there is another.',
      input: jsonSchema({ type: 'object' }),
      run: ({ input }) => {
        writeFileSync(input.begun, '');
        while (!existsSync(input.over)) pause(10);
        return { text: 'computed' };
      },
    },
  },
});
