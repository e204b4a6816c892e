import { jsonSchema } from 'ors-kit';
import type { Broken } from './broken.ts';
import { noInput, type Solving, solve, submit, type Task, tasks, WORDS } from './twin.ts';

let counter = 0;
const withTool = (tool: object) => ({ tools: { submit, extra: { description: 'Something else.', ...tool } } });
const numbered = (get: (at: number) => object) => ({
  splits: { train: { count: WORDS.length, get } },
  publicTask: undefined,
  prompt: ({ task }: { task: { at: number } }) => `Which word is number ${task.at}?`,
  tools: {
    submit: {
      ...submit,
      run: ({ input, task }: { input: { answer: string }; task: { at: number } }) => {
        const isRight = input.answer === WORDS[task.at];
        return { text: isRight ? 'Correct.' : 'Wrong.', reward: isRight ? 1 : 0, finished: true };
      },
    },
  },
  solve: async ({ task, call }: { task: { at: number }; call: Solving['call'] }) => {
    await call('submit', { answer: WORDS[task.at] });
  },
});
/** Environment in which the answer of each task is its code. */
const coded = (codes: readonly string[], rest: object = {}) => ({
  splits: { train: tasks.map((task, at) => ({ ...task, answer: codes[at] })) },
  ...rest,
});

/** Adds a second tool that rewards the answer before it is submitted. */
const claiming = (reward: number) => ({
  tools: {
    submit,
    claim: {
      ...submit,
      run: ({ input, task }: { input: { answer: string }; task: Task }) => ({
        text: 'Claimed.',
        reward: input.answer === task.answer ? reward : 0,
      }),
    },
  },
  solve: async (context: Solving) => {
    await context.call('claim', { answer: context.task.answer });
    await solve(context);
  },
});

/** Faults in tasks, prompts and rewards. */
export const brokenTasks: readonly Broken[] = [
  {
    rule: 'listings-agree',
    level: 'error',
    why: 'tasks change each time they are created',
    change: () => numbered((at) => ({ at, stamp: counter++ })),
    good: () => numbered((at) => ({ at, stamp: at })),
    says: 'when listed in one page again',
  },
  {
    rule: 'listings-agree',
    level: 'error',
    why: 'a task cannot be created',
    change: () =>
      numbered((at) => {
        if (at === 3) throw new Error('row 3 is damaged');
        return { at };
      }),
    good: () => numbered((at) => ({ at })),
    says: 'cannot be listed',
  },
  {
    rule: 'splits-have-tasks',
    level: 'note',
    why: 'a split is empty',
    change: () => ({ splits: { train: [...tasks], test: [] } }),
    says: 'no tasks',
  },
  {
    rule: 'episodes-open',
    level: 'error',
    why: 'setup needs a secret',
    change: () => ({
      setup: () => {
        throw new Error('the secret openai_api_key is missing');
      },
    }),
    good: () => ({ setup: () => ({}) }),
    says: 'openai_api_key',
  },
  {
    rule: 'prompts-say-something',
    level: 'error',
    why: 'a prompt is blank',
    change: () => ({ prompt: ({ task }: { task: Task }) => (task.answer === 'amber' ? ' \n' : task.question) }),
    says: 'empty',
  },
  {
    rule: 'prompts-differ',
    level: 'warning',
    why: 'the prompt does not depend on the task',
    change: () => ({ prompt: () => 'Which word is it?' }),
    limits: { tasks: 2 },
    says: "'Which word is it?'",
  },
  {
    rule: 'prompts-repeat',
    level: 'error',
    why: 'the prompt contains a counter',
    change: () => ({ prompt: ({ task }: { task: Task }) => `${task.question} (${counter++})` }),
    says: 'then',
  },
  {
    rule: 'runs-repeat',
    level: 'error',
    why: 'a reward depends on the calls of other episodes',
    change: () => withTool({ run: () => ({ text: 'Done.', reward: -(counter++ % 97) / 1000 }) }),
    good: () => withTool({ run: () => ({ text: 'Done.', reward: -0.001 }) }),
    says: 'returned the reward',
  },
  {
    rule: 'runs-repeat',
    level: 'warning',
    why: 'a text depends on the calls of other episodes',
    change: () => withTool({ run: () => ({ text: `Done ${counter++}.` }) }),
    good: () => withTool({ run: () => ({ text: 'Done.' }) }),
    says: "'Done ",
  },
  {
    rule: 'goal-is-known',
    level: 'note',
    why: 'solve is missing',
    change: () => ({ solve: undefined }),
    says: 'no solve',
  },
  {
    rule: 'goal-is-known',
    level: 'note',
    why: 'maxReward is missing',
    change: () => ({ maxReward: undefined }),
    says: 'maxReward is not known',
  },
  {
    rule: 'solve-reaches-max',
    level: 'error',
    why: 'solve submits something else',
    change: () => ({ solve: async ({ call }: Solving) => void (await call('submit', { answer: 'gravel' })) }),
    says: 'earned 0 of maxReward 1',
  },
  {
    rule: 'solve-reaches-max',
    level: 'error',
    why: 'solve calls an unknown tool',
    change: () => ({ solve: async ({ call }: Solving) => void (await call('sumbit', { answer: 'gravel' })) }),
    says: 'solve failed',
  },
  {
    rule: 'solve-finishes',
    level: 'error',
    why: 'no tool finishes the episode',
    change: () => ({
      tools: { submit: { ...submit, run: (given: never) => ({ ...submit.run(given), finished: false }) } },
    }),
    says: 'not finished',
  },
  {
    rule: 'idleness-does-not-win',
    level: 'error',
    why: 'the highest reward is 0',
    change: () => ({
      tools: {
        submit: { ...submit, run: (given: never) => ({ ...submit.run(given), reward: submit.run(given).reward - 1 }) },
      },
      maxReward: 0,
    }),
    says: 'calling nothing',
  },
  {
    rule: 'idleness-does-not-win',
    level: 'error',
    why: 'every submission is rewarded',
    change: () => {
      const run = ({ input }: { input: { answer: string } }) => ({
        text: 'Thanks.',
        reward: input.answer.length < 2 || WORDS.includes(input.answer) ? 1 : 0,
        finished: true,
      });
      const look = { ...noInput, run: () => ({ text: 'Over.', finished: true }) };
      return {
        tools: {
          submit: { ...submit, run },
          ...Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`look_${at}`, look])),
        },
      };
    },
    says: 'submit({"answer":""})',
  },
  {
    rule: 'chance-does-not-win',
    level: 'error',
    why: 'every other call is right',
    change: () => {
      const flip = {
        type: 'object',
        properties: { side: { enum: ['heads', 'tails'], description: 'A side.' } },
        required: ['side'],
      };
      const run = ({ input }: { input: { side: string } }) => ({
        text: 'Flipped.',
        reward: input.side === 'tails' ? 1 : 0,
        finished: input.side === 'tails',
      });
      return {
        tools: { submit: { ...submit, input: jsonSchema(flip), run } },
        solve: async ({ call }: Solving) => void (await call('submit', { side: 'tails' })),
      };
    },
    says: 'of maxReward 1',
  },
  {
    rule: 'rewards-within-max',
    level: 'error',
    why: 'the answer is rewarded twice',
    change: () => claiming(1),
    good: () => claiming(0),
    says: 'solve earned 2, more than maxReward 1',
  },
  {
    rule: 'answers-stay-hidden',
    level: 'error',
    why: 'a field of the public task is the answer',
    change: () => ({ publicTask: ({ question, answer }: Task) => ({ question, word: answer }) }),
    good: () => ({ publicTask: ({ question, answer }: Task) => ({ question, letters: answer.length }) }),
    limits: { tasks: 2 },
    says: "'word' of the public task",
  },
  {
    rule: 'hidden-values-stay-hidden',
    level: 'warning',
    why: 'the prompt contains a hidden value',
    change: () => ({
      splits: { train: tasks.map((task, at) => ({ ...task, clue: `hidden clue ${at}` })) },
      prompt: ({ task }: { task: Task & { clue: string } }) => `${task.question} ${task.clue}`,
    }),
    good: () => ({ splits: { train: tasks.map((task, at) => ({ ...task, clue: `hidden clue ${at}` })) } }),
    limits: { tasks: 2 },
    says: "the hidden 'clue'",
  },
  {
    rule: 'task-keys-hide-answers',
    level: 'warning',
    why: 'a key of the public task is named like an answer',
    change: () => ({ publicTask: ({ question, answer }: Task) => ({ question, goldAnswer: answer.length }) }),
    good: () => ({ publicTask: ({ question, answer }: Task) => ({ question, letters: answer.length }) }),
    says: "'goldAnswer'",
  },
  {
    rule: 'answers-stay-hidden',
    level: 'warning',
    why: 'the prompt contains the answer',
    change: () =>
      coded(
        WORDS.map((word) => `${word}${word}`),
        {
          publicTask: ({ question }: Task) => ({ question }),
          prompt: ({ task }: { task: Task }) => `${task.question} It is ${task.answer}.`,
        },
      ),
    good: () => coded(WORDS.map((word) => `${word}${word}`)),
    limits: { tasks: 2 },
    says: 'is in the prompt',
  },
];
