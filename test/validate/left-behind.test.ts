import { afterAll, expect, test } from '@jest/globals';
import { createInputs } from '../../src/conformance/index.ts';
import { validate } from '../../src/validate/index.ts';
import { twin } from './twin.ts';

const inputs = createInputs();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

interface Setup {
  readonly onCleanup: (undo: () => void) => void;
}

/** Timers that setup starts. Disposal clears them, even those that cleanup forgot. */
function timers(isForgotten: (count: number) => boolean) {
  const all: NodeJS.Timeout[] = [];
  return {
    setup: ({ onCleanup }: Setup) => {
      const timer = setInterval(() => undefined, 60_000);
      all.push(timer);
      if (!isForgotten(all.length)) onCleanup(() => clearInterval(timer));
    },
    [Symbol.dispose]: () => {
      for (const timer of all) clearInterval(timer);
    },
  };
}

const toldOf = async (setup: (context: Setup) => unknown) => {
  const { findings } = await validate({ environments: [twin({ setup })] }, { inputs, tasks: 1, timeoutMs: 2_000 });
  return findings.filter(({ level }) => level !== 'note');
};

test('counts timers that episodes leave behind', async () => {
  using forgotten = timers(() => true);

  const told = await toldOf(forgotten.setup);

  expect(new Set(told.map(({ rule }) => rule))).toEqual(new Set(['nothing-is-left']));
  expect(told[0]?.message).toContain('after 3 episodes that were played to the end, 3 timers more than before');
});

test('ignores timers that cleanup clears', async () => {
  using kept = timers(() => false);

  const told = await toldOf(kept.setup);

  expect(told).toEqual([]);
});

test('ignores a timer that the first episode creates for all', async () => {
  using shared = timers((count) => count === 1);

  const told = await toldOf(shared.setup);

  expect(told).toEqual([]);
});
