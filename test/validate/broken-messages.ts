import { jsonSchema, text } from 'ors-kit';
import type { Broken } from './broken.ts';
import { noInput, submit, type Task } from './twin.ts';

interface Answering {
  readonly task: Task;
  readonly answer: (message: string) => Promise<unknown>;
}

/** Environment that grades the final message of the agent. */
const terminal = (change: object = {}, rest: object = {}) => ({
  tools: { think: noInput, submit: { ...submit, terminal: true, ...change } },
  solve: async ({ task, answer }: Answering) => void (await answer(task.answer)),
  ...rest,
});

const rewardless = ({ input, task }: { input: { answer: string }; task: Task }) => {
  const isRight = input.answer === task.answer;
  return { text: '', reward: isRight ? 1 : null, finished: true };
};

const endless = ({ input, task }: { input: { answer: string }; task: Task }) => {
  const isRight = input.answer === task.answer;
  return { text: '', reward: isRight ? 1 : 0, finished: isRight };
};

/** Environment whose answers are numbers. */
const numeric = () => ({
  splits: { train: [{ answer: 20_731 }, { answer: 44_901 }] },
  publicTask: () => ({}),
  resolveTask: () => ({ answer: 20_731 }),
  prompt: ({ task }: { task: { answer: number } }) => `Which number follows ${task.answer - 1}?`,
  ...terminal({
    input: jsonSchema<{ answer: number }>({
      type: 'object',
      properties: { answer: { type: 'integer', description: 'The number.' } },
      required: ['answer'],
    }),
    run: ({ input, task }: { input: { answer: number }; task: { answer: number } }) => ({
      text: '',
      reward: input.answer === task.answer ? 1 : 0,
      finished: true,
    }),
  }),
  solve: async ({ task, answer }: { task: { answer: number }; answer: Answering['answer'] }) => {
    await answer(String(task.answer));
  },
});

const call = { role: 'assistant', blocks: [{ type: 'tool_call', id: 'c1', name: 'submit', input: {} }] };
const result = { type: 'tool_result', tool_call_id: 'c1', blocks: [text('Wrong.')] };
const question = ({ task }: { task: Task }) => ({ role: 'user', blocks: [text(task.question)] });
const conversation = (messages: (context: { task: Task }) => object[]) => ({ prompt: undefined, messages });
const resultThenQuestion = (context: { task: Task }) => ({
  role: 'user',
  blocks: [result, ...question(context).blocks],
});
const system = { role: 'system', blocks: [text('Be brief.')] };

interface Group {
  readonly candidates: readonly { readonly messages: readonly unknown[] }[];
}

const lengths = ({ candidates }: Group) => candidates.map(({ messages }) => messages.length);

/** Faults in final messages, conversations and comparisons of rollouts. */
export const brokenMessages: readonly Broken[] = [
  {
    rule: 'final-messages-are-graded',
    level: 'warning',
    why: 'a wrong answer has no reward',
    change: () => terminal({ run: rewardless }),
    good: () => terminal(),
    says: 'returned no reward',
  },
  {
    rule: 'final-messages-are-graded',
    level: 'warning',
    why: 'an episode continues after a wrong answer',
    change: () => terminal({ run: endless }),
    says: 'did not finish the episode',
  },
  {
    rule: 'final-messages-are-graded',
    level: 'warning',
    why: 'only a number is an answer',
    change: numeric,
    says: 'was refused, so that such a message has no reward at all',
  },
  {
    rule: 'tools-answer',
    level: 'error',
    why: 'a grader crashes for a message without an answer',
    change: () =>
      terminal({
        run: (given: never) => {
          if ((given as { input: { answer: string } }).input.answer.includes(' ')) throw new Error('no answer found');
          return submit.run(given);
        },
      }),
    says: 'no answer found',
  },
  {
    rule: 'idleness-does-not-win',
    level: 'error',
    why: 'an empty message wins',
    change: () =>
      terminal({
        run: ({ input, task }: { input: { answer: string }; task: Task }) => ({
          text: '',
          reward: ['', task.answer].includes(input.answer) ? 1 : 0,
          finished: true,
        }),
      }),
    says: 'submit({"answer":""})',
  },
  {
    rule: 'prompts-name-listed-tools',
    level: 'warning',
    why: 'a prompt names the terminal tool',
    change: () => terminal({}, { prompt: ({ task }: { task: Task }) => `${task.question} Call \`submit\` with it.` }),
    good: () => terminal({}, { prompt: ({ task }: { task: Task }) => `${task.question} Then submit it.` }),
    says: "'submit'",
  },
  {
    rule: 'conversations-fit-providers',
    level: 'error',
    why: 'a result has no call',
    change: () => conversation((context) => [resultThenQuestion(context)]),
    good: () => conversation((context) => [system, question(context), call, resultThenQuestion(context)]),
    says: "no open call with this id before it",
  },
  {
    rule: 'conversations-fit-providers',
    level: 'error',
    why: 'a call has no result',
    change: () => conversation((context) => [call, question(context)]),
    says: '1 call without a result',
  },
  {
    rule: 'conversations-fit-providers',
    level: 'error',
    why: 'two calls have one id',
    change: () => conversation((context) => [call, resultThenQuestion(context), call, resultThenQuestion(context)]),
    says: "several calls with the id 'c1'",
  },
  {
    rule: 'conversations-fit-providers',
    level: 'warning',
    why: 'the assistant has the last word',
    change: () => conversation((context) => [question(context), { role: 'assistant', blocks: [text('I think')] }]),
    says: 'ends with a message of the assistant',
  },
  {
    rule: 'conversations-fit-providers',
    level: 'warning',
    why: 'instructions come late',
    change: () => conversation((context) => [question(context), system, question(context)]),
    says: 'a system message follows other messages',
  },
  {
    rule: 'groups-are-scored',
    level: 'error',
    why: 'a comparison forgets a rollout',
    change: () => ({ scoreGroup: (group: Group) => lengths(group).slice(1) }),
    good: () => ({ scoreGroup: lengths }),
    says: 'the rollouts could not be compared',
  },
  {
    rule: 'groups-are-scored',
    level: 'warning',
    why: 'the first rollout is preferred',
    change: () => ({ scoreGroup: (group: Group) => group.candidates.map((_, at) => (at === 0 ? 1 : 0)) }),
    says: 'the same rollouts earned 1, 0',
  },
];
