import { threadId } from 'node:worker_threads';
import { defineEnvironment, jsonSchema } from 'ors-kit';
import { heapInUse } from './heap-in-use.ts';

/** How many numbers each episode keeps, so that one that is not let go of is seen in the memory: a KiB. */
const KEPT = 128;

/** Episodes of this thread that are set up and not torn down. */
let episodes = 0;

/** Figures of a thread that runs episodes. */
export interface ThreadWeight {
  readonly threadId: number;
  readonly episodes: number;
  /** Bytes in its heap that are in use once the garbage is collected. */
  readonly heap: number;
}

/** Episodes that do little, in threads that know their weight. */
export default defineEnvironment({
  name: 'soak',
  splits: { train: { count: 1_000_000, get: (n) => ({ n }) } },
  setup() {
    episodes++;
    return { count: 0, kept: new Array<number>(KEPT).fill(0) };
  },
  prompt: ({ task }) => `soak ${task.n}`,
  tools: {
    count: { description: 'Counts one.', run: ({ state }) => ({ text: `${++state.count}` }) },
    big: {
      description: 'Returns a text of this many letters.',
      input: jsonSchema<{ letters: number }>({
        type: 'object',
        properties: { letters: { type: 'integer' } },
        required: ['letters'],
      }),
      run: ({ input }) => ({ text: 'x'.repeat(input.letters) }),
    },
    weigh: {
      description: 'Weighs the thread in which it runs.',
      async run() {
        const weight: ThreadWeight = { threadId, episodes, heap: await heapInUse() };
        return { text: JSON.stringify(weight) };
      },
    },
  },
  teardown() {
    episodes--;
  },
});
