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

/** Part of a tool's context that tests use. */
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

/** Creates a correct environment with the given changes. Fields that are changed to undefined are omitted. */
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
  // The changes are valid one by one, but their union has no common type.
  return defineEnvironment(Object.fromEntries(given) as never);
}
