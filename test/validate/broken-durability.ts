import type { Broken } from './broken.ts';
import { type Solving, submit, type Task } from './twin.ts';

interface Counted {
  count: number;
}

type Counting = { readonly state: Counted };

/** Creates a durable environment that counts its calls, with metadata and changes. */
export const counting = (metadata: () => object, change: object = {}): object => ({
  durability: 'replay',
  setup: () => ({ count: 0 }),
  tools: {
    submit,
    count: {
      description: 'Counts.',
      run: ({ state }: Counting) => ({ text: `${++state.count}`, metadata: metadata() }),
    },
  },
  solve: async ({ task, call }: Solving & { readonly task: Task }) => {
    for (let calls = 0; calls < 3; calls++) await call('count');
    await call('submit', { answer: task.answer });
  },
  ...change,
});

const nothing = () => ({});

/** Creates an environment that comes back by snapshots. */
export const saving = (
  snapshot: (context: Counting) => unknown,
  restore: (saved: never) => unknown,
  metadata = nothing,
): object => counting(metadata, { durability: undefined, snapshot, restore });

const whole = ({ state }: Counting) => state;

/** Faults in episodes that come back from a journal, which no other rule reports. */
export const brokenDurability: readonly Broken[] = [
  {
    rule: 'episodes-come-back',
    level: 'error',
    why: 'a replayed tool calls Math.random',
    change: () => counting(() => ({ luck: Math.random() })),
    good: () => counting(nothing),
    says: 'as output.metadata.luck',
  },
  {
    rule: 'episodes-come-back',
    level: 'error',
    why: 'a replayed tool returns the time in seconds',
    change: () => counting(() => ({ at: Math.floor(Date.now() / 1_000) })),
    says: 'use random and now of the context',
  },
  {
    rule: 'episodes-come-back',
    level: 'error',
    why: 'all episodes share a counter',
    change: () => {
      let calls = 0;
      return counting(() => ({ calls: ++calls }));
    },
    says: 'keep no state elsewhere',
  },
  {
    rule: 'episodes-come-back',
    level: 'error',
    why: 'a snapshot lacks a field',
    change: () => saving(nothing, () => ({ count: 0 })),
    good: () => saving(whole, (saved: Counted) => saved),
    says: 'snapshot lacks a part of the state',
  },
  {
    rule: 'episodes-come-back',
    level: 'error',
    why: 'restored episodes share an object',
    change: () => {
      const shared = { count: 0 };
      return saving(whole, (saved: Counted) => Object.assign(shared, saved));
    },
    good: () => saving(whole, (saved: Counted) => Object.assign({}, saved)),
    says: 'changed each other',
  },
  {
    rule: 'episodes-come-back',
    level: 'error',
    why: 'episodes share a state that setup resets',
    change: () => {
      const shared = { count: 0 };
      return counting(nothing, { setup: () => Object.assign(shared, { count: 0 }) });
    },
    says: 'return a new object from setup',
  },
  {
    rule: 'episodes-come-back',
    level: 'error',
    why: 'a snapshot is not JSON',
    change: () =>
      saving(
        ({ state }) => new Map(Object.entries(state)),
        (saved: Counted) => saved,
      ),
    good: () =>
      saving(
        ({ state }) => new Uint8Array([state.count]),
        ([count]: Uint8Array) => ({ count }),
      ),
    says: 'call 1, count({}), failed: session lost: its snapshot failed',
  },
  {
    rule: 'episodes-come-back',
    level: 'error',
    why: 'restore fails',
    change: () =>
      saving(whole, () => {
        throw new Error('no such version');
      }),
    says: 'no such version',
  },
  {
    rule: 'episodes-come-back',
    level: 'warning',
    why: 'the time of a tool hides what a snapshot lacks',
    change: () =>
      saving(
        whole,
        (saved: Counted) => saved,
        () => ({ at: Date.now() }),
      ),
    says: 'so that its snapshots can be tested',
  },
];
