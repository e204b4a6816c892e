import { setTimeout as sleep } from 'node:timers/promises';
import { type Block, defineEnvironment, image, jsonSchema, type Message, text } from 'ors-kit';
import {
  answerToolsets,
  extensionTools,
  lifecycles,
  type State,
  spareTools,
  type Task,
  taskTools,
  tools,
} from './tools.ts';
import { CALL_INPUT, POINT } from './values.ts';

/**
 * Fixture of the conformance checks: one tool for each possible defect of a server. Specified in
 * docs/development/conformance-fixture.md.
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
      conversation: { type: 'boolean' },
      key: { type: 'string' },
    },
  }),

  setup: async ({ task, secrets, signal, onCleanup }): Promise<State> => {
    if (task.key !== undefined) countEpisode(task.key, onCleanup);
    await sleep(task.setup_ms ?? 0, undefined, { signal });
    if (task.setup_fail !== undefined) throw new Error(task.setup_fail);
    return { counter: 0, runs: new Map(), started: 0, active: 0, scorings: 0, secrets };
  },
  snapshot: ({ state: { counter, runs, started, scorings } }) => ({ counter, runs: [...runs], started, scorings }),
  restore: ({ runs, ...saved }: Saved, { secrets }): State => ({ ...saved, runs: new Map(runs), active: 0, secrets }),
  // The server makes the prompt of them.
  messages: ({ task }) => {
    if (task.prompt_fail !== undefined) throw new Error(task.prompt_fail);
    const title = text(`Conformance task ${task.id ?? 'inline'}.`);
    const point = image(POINT, 'image/png', { alt: 'a point' });
    const blocks = task.prompt_image ? [title, point, text('Look.')] : [title];
    return task.conversation ? conversation(blocks) : [{ role: 'user', blocks }];
  },

  tools: { ...tools, ...extensionTools },
  taskTools: () => taskTools,
  toolsets: { spare: spareTools, ...answerToolsets },

  scoreGroup: ({ candidates, state }) => {
    state.scorings += 1;
    const texts = candidates.map(({ messages }) => lastText(messages));
    if (texts.includes('throw')) throw new Error('The judge failed.');
    const metadata = { scorings: state.scorings };
    const scores = texts.map((each) => ({ reward: each === 'nan' ? Number.NaN : Number(each), metadata }));
    return texts.includes('short') ? [{ reward: 1, metadata }] : scores;
  },

  solve: async ({ call }) => {
    await call('finish');
  },
});

/** State that a fork of a session starts with. */
type Saved = Pick<State, 'counter' | 'started' | 'scorings'> & {
  readonly runs: readonly (readonly [string, number])[];
};

/** Returns a conversation with every kind of block. */
const conversation = (blocks: readonly Block[]): Message[] => [
  { role: 'system', blocks: [text('Be brief.', { source: 'fixture' })] },
  { role: 'user', blocks: [...blocks] },
  {
    role: 'assistant',
    blocks: [
      { type: 'reasoning', text: 'I look it up.', signature: 'c2ln' },
      text('One moment.'),
      { type: 'tool_call', id: 'c1', name: 'lookup', input: CALL_INPUT },
      { type: 'tool_call', id: 'c2', name: 'draw', input: {} },
    ],
  },
  {
    role: 'user',
    blocks: [
      { type: 'tool_result', tool_call_id: 'c1', blocks: [text('Found.'), image(POINT, 'image/png')] },
      { type: 'tool_result', tool_call_id: 'c2', blocks: [text('No pen.')], is_error: true },
      text('Hurry.'),
    ],
  },
];

/** Returns the last text of the messages of a rollout. */
const lastText = (messages: readonly Message[]): string =>
  messages
    .flatMap(({ blocks }): readonly { readonly type?: string; readonly text?: string }[] => blocks)
    .findLast(({ type }) => type === 'text')?.text ?? '';

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
