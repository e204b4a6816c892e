import { setTimeout as sleep } from 'node:timers/promises';
import { defineEnvironment, image, jsonSchema, text } from 'ors-kit';
import { lifecycles, type State, type Task, taskTools, tools } from './tools.ts';
import { POINT } from './values.ts';

/**
 * Fixture of the conformance checks: one tool for each possible defect of a server. See docs/conformance-fixture.md.
 */
export default defineEnvironment({
  name: 'conformance',
  description: 'One tool for each possible defect of a server.',

  splits: {
    train: Array.from({ length: 3 }, (_, index) => ({ id: `train-${index}` })),
    test: [],
    hard: Array.from({ length: 5 }, (_, index) => ({
      id: `hard-${index}`,
      extra: { list: [1, 2.5, null, true, 'snow \u2603'] },
    })),
  },
  task: jsonSchema<Task>({
    type: 'object',
    properties: {
      id: { type: 'string' },
      setup_ms: { type: 'integer', minimum: 0 },
      setup_fail: { type: 'string' },
      prompt_fail: { type: 'string' },
      prompt_image: { type: 'boolean' },
      key: { type: 'string' },
    },
  }),

  setup: async ({ task, secrets, signal, onCleanup }): Promise<State> => {
    if (task.key !== undefined) countEpisode(task.key, onCleanup);
    await sleep(task.setup_ms ?? 0, undefined, { signal });
    if (task.setup_fail !== undefined) throw new Error(task.setup_fail);
    return { counter: 0, runs: new Map(), secrets };
  },
  prompt: ({ task }) => {
    if (task.prompt_fail !== undefined) throw new Error(task.prompt_fail);
    const title = text(`Conformance task ${task.id ?? 'inline'}.`);
    return task.prompt_image ? [title, image(POINT, 'image/png', { alt: 'a point' }), text('Look.')] : [title];
  },

  tools,
  taskTools: () => taskTools,

  solve: async ({ call }) => {
    await call('finish');
  },
});

/** Counts a setup now, and its teardown later, which also follows a failed setup. */
function countEpisode(key: string, onCleanup: (cleanup: () => void) => void): void {
  const counts = lifecycles.get(key) ?? { setups: 0, teardowns: 0 };
  lifecycles.set(key, counts);
  counts.setups += 1;
  onCleanup(() => {
    counts.teardowns += 1;
    process.stderr.write(`conformance: teardown ${key}\n`);
  });
}
