import { setTimeout as delay } from 'node:timers/promises';
import { defineEnvironment, jsonSchema, type ToolResult, text } from 'ors-kit';

/** Upper limit of the duration of a call: long enough that some calls are running when a server is killed. */
const SLOWEST_MS = 400;

// A type, because an interface is not assignable to JSON.
type GameState = { seed: number; rolls: number; values: Record<string, number> };

interface CallConditions {
  readonly now: number;
  readonly random: () => number;
}

const taskInput = jsonSchema<{ n: number }>({
  type: 'object',
  properties: { n: { type: 'integer' } },
  required: ['n'],
});
const valueInput = jsonSchema<{ value: number }>({
  type: 'object',
  properties: { value: { type: 'integer' } },
  required: ['value'],
});

/** Linear congruential generator: the results of a game depend only on its task and its calls. */
const next = (seed: number): number => (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;

const wait = (seed: number, signal: AbortSignal): Promise<void> => delay(seed % SLOWEST_MS, undefined, { signal });

/** Only the first block is the same in each run of a task; the second one depends on the conditions in the journal. */
const result = (line: string, { now, random }: CallConditions, reward: number): ToolResult => ({
  blocks: [text(line), text(`${now} ${random()}`)],
  reward,
});

const game = {
  task: taskInput,
  splits: { train: { count: 1_000_000, get: (n: number) => ({ n }) } },
  setup: ({ task }: { readonly task: { readonly n: number } }): GameState => ({
    seed: next(task.n),
    rolls: 0,
    values: {},
  }),
  prompt: ({ task }: { readonly task: { readonly n: number } }) => `Play game ${task.n}.`,
};

type ToolContext = CallConditions & { readonly state: GameState; readonly signal: AbortSignal };

const tools = {
  roll: {
    description: 'Advances the generator: a second call has another result.',
    async run({ state, signal, ...conditions }: ToolContext) {
      await wait(state.seed, signal);
      state.rolls++;
      state.seed = next(state.seed);
      return result(`roll ${state.rolls} is ${state.seed}`, conditions, (state.seed % 16) / 16);
    },
  },
  put: {
    description: 'Stores a value for the current roll: a second call has the same result.',
    idempotent: true,
    input: valueInput,
    async run({ input, state, signal, ...conditions }: ToolContext & { readonly input: { readonly value: number } }) {
      await wait(input.value, signal);
      state.values[state.rolls] = input.value;
      return result(`values ${JSON.stringify(state.values)}`, conditions, (input.value % 8) / 8);
    },
  },
  submit: {
    description: 'Ends the game.',
    async run({ state, signal, ...conditions }: ToolContext) {
      await wait(state.seed, signal);
      return { ...result(`end ${JSON.stringify(state)}`, conditions, state.rolls), finished: true };
    },
  },
};

export const replayed = defineEnvironment({ ...game, name: 'replayed', durability: 'replay', tools });

export const saved = defineEnvironment({
  ...game,
  name: 'saved',
  snapshot: ({ state }) => state,
  restore: (state: GameState) => state,
  tools,
});
