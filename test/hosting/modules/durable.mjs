import { defineEnvironment } from 'ors-kit';

const exit = { description: 'Ends the worker.', run: () => process.exit(7) };

/** Counts, and comes back from a journal. A session with the secret `fatal` ends its worker when it comes back. */
export default defineEnvironment({
  name: 'durable',
  splits: { train: [{}] },
  setup: () => ({ count: 0 }),
  snapshot: ({ state }) => state,
  restore: (saved, { secrets }) => (secrets.fatal ? process.exit(7) : saved),
  prompt: () => 'Count.',
  tools: {
    count: { description: 'Counts.', run: ({ state }) => ({ text: String(++state.count) }) },
    exit,
    exit_again: { ...exit, idempotent: true },
  },
});
