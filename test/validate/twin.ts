import { defineEnvironment, type Environment, jsonSchema } from 'ors-kit';

export const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord'];

export interface Task {
  readonly question: string;
  readonly answer: string;
}

export const tasks: readonly Task[] = WORDS.map((answer, at) => ({ question: `Which word is number ${at}?`, answer }));

export const submission = jsonSchema<{ answer: string }>({
  type: 'object',
  properties: { answer: { type: 'string', description: 'The word.' } },
  required: ['answer'],
  additionalProperties: false,
});

/** What a tool is given, as far as tests look at it. */
interface Given {
  readonly input: { readonly answer: string };
  readonly task: Task;
}

export const submit = {
  description: 'Submit the word.',
  input: submission,
  run: ({ input, task }: Given) => ({
    text: input.answer === task.answer ? 'Correct.' : 'Wrong.',
    reward: input.answer === task.answer ? 1 : 0,
    finished: true,
  }),
};

export const noInput = { description: 'Look.', run: () => ({ text: 'Here.' }) };

export interface Solving {
  readonly task: Task;
  readonly call: (name: string, input?: object) => Promise<unknown>;
}

export const solve = async ({ task, call }: Solving): Promise<void> => {
  await call('submit', { answer: task.answer });
};

/** An environment in which nothing is wrong, but for what is changed; what is changed to undefined is left out. */
export function twin(change: object = {}): Environment {
  const definition = {
    name: 'twin',
    splits: { train: [...tasks] },
    publicTask: ({ question }: Task) => ({ question }),
    prompt: ({ task }: { task: Task }) => task.question,
    tools: { submit },
    maxReward: 1,
    solve,
    ...change,
  };
  const given = Object.entries(definition).filter(([, value]) => value !== undefined);
  // The changes break rules and not types, but the types of all of them together are nobody's.
  return defineEnvironment(Object.fromEntries(given) as never);
}
