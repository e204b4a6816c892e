import { createHash } from 'node:crypto';
import { defineEnvironment, type Environment, type JSONObject, jsonSchema } from 'ors-kit';

/** Full task of the environments of the corpus. */
export interface QuizTask extends JSONObject {
  readonly id: string;
  readonly question: string;
  readonly answer: string;
}

export interface QuizState {
  tries: number;
  readonly startedAt: number;
  readonly paid: Set<string>;
  readonly memory: Record<string, unknown>;
}

/** Context of the tools of a quiz. */
export interface Turn {
  readonly input: Readonly<Record<string, unknown>>;
  readonly task: QuizTask;
  readonly state: QuizState;
  readonly sessionId: string;
}

/** Form of question and answer. */
export interface QuizKind {
  readonly name: string;
  readonly tasks: readonly QuizTask[];
  /** JSON Schema of the parameter `answer`. */
  readonly answer: JSONObject;
  /** True if the answer is the final message. */
  readonly isFinalMessage?: true;
}

const COUNT = 12;

/** Returns letters that look random, the same for the same text. */
const letters = (seed: string, length: number): string =>
  [...createHash('sha256').update(seed).digest()]
    .slice(0, length)
    .map((byte) => String.fromCharCode(97 + (byte % 26)))
    .join('');

const digest = (seed: string): number => createHash('sha256').update(seed).digest().readUInt16BE(0);

const tasksOf = (name: string, ask: (index: number) => readonly [question: string, answer: string]): QuizTask[] =>
  Array.from({ length: COUNT }, (_, index) => {
    const [question, answer] = ask(index);
    return { id: letters(`${name} id ${index}`, 8), question, answer };
  });

const CHOICES = ['north', 'east', 'south', 'west'];

export const words: QuizKind = {
  name: 'words',
  tasks: tasksOf('words', (index) => {
    const clue = letters(`clue ${index}`, 6);
    return [`Which word stands for the sign ${clue} in the book of signs?`, letters(`word ${index}`, 7)];
  }),
  answer: { type: 'string', description: 'The word.' },
};

export const numbers: QuizKind = {
  name: 'numbers',
  tasks: tasksOf('numbers', (index) => {
    const [one, other] = [100 + (digest(`one ${index}`) % 900), 100 + (digest(`other ${index}`) % 900)];
    return [`What is ${one} times ${other}?`, String(one * other)];
  }),
  answer: { type: 'string', description: 'The number.' },
};

export const choices: QuizKind = {
  name: 'choices',
  tasks: tasksOf('choices', (index) => {
    const start = letters(`town ${index}`, 5);
    return [`In which direction does the river of ${start} flow?`, CHOICES[digest(`way ${index}`) % 4] ?? ''];
  }),
  answer: { type: 'string', enum: CHOICES, description: 'The direction.' },
};

export const finals: QuizKind = {
  name: 'finals',
  tasks: tasksOf('finals', (index) => [
    `Name the ruler of the island ${letters(`island ${index}`, 6)}.`,
    letters(`ruler ${index}`, 8),
  ]),
  answer: { type: 'string', description: 'The name.' },
  isFinalMessage: true,
};

/** Parts of a quiz that an exploit or a suspicious environment changes. */
export interface QuizChange {
  /** Number of the first tasks that are used. @default all */
  readonly tasks?: (task: QuizTask, index: number, all: readonly QuizTask[]) => JSONObject;
  readonly publicTask?: (task: never) => JSONObject;
  readonly prompt?: (context: { readonly task: never; readonly sessionId: string }) => unknown;
  readonly messages?: (context: { readonly task: never }) => unknown;
  /** JSON Schema of the parameter `answer`. */
  readonly answer?: JSONObject | ((task: QuizTask) => JSONObject);
  readonly isOptional?: true;
  readonly description?: string;
  readonly isConcurrent?: true;
  /** Returns reward, text and end of a submission. */
  readonly grade?: (turn: Turn) => object | Promise<object>;
  readonly tools?: object;
  readonly taskTools?: (context: { readonly task: never; readonly state: QuizState }) => object;
  readonly setup?: (context: { readonly task: never }) => void | Promise<void>;
  /** @default 'train' */
  readonly split?: string;
  readonly maxReward?: number;
  /** Omits `maxReward`. */
  readonly hasNoMaximum?: true;
  /** Omits `solve`, so that the audit has to find everything by itself. */
  readonly hasNoSolve?: true;
}

export const isRight = ({ input, task }: Pick<Turn, 'input' | 'task'>): boolean => input.answer === task.answer;

/** Grade of an honest environment: one answer, paid if it is right. */
export const honestGrade = (turn: Turn): object => ({
  text: isRight(turn) ? 'Right.' : 'Wrong.',
  reward: isRight(turn) ? 1 : 0,
  finished: true,
});

export const submission = (answer: JSONObject, isOptional = false) =>
  jsonSchema<Record<string, unknown>>({
    type: 'object',
    properties: { answer },
    required: isOptional ? [] : ['answer'],
    additionalProperties: false,
  });

/** Creates an environment of a kind; without changes it is honest. */
export function quiz(name: string, kind: QuizKind, change: QuizChange = {}): Environment {
  const { grade = honestGrade, answer = kind.answer, description = 'Submit the answer.' } = change;
  const submit = (schema: JSONObject) => ({
    description,
    input: submission(schema, change.isOptional),
    run: (turn: Turn) => grade(turn),
    ...(change.isConcurrent && { concurrent: true }),
    ...(kind.isFinalMessage && { terminal: true }),
  });
  const fixed = typeof answer === 'function' ? {} : { submit: submit(answer) };
  const definition = {
    name,
    splits: { [change.split ?? 'train']: kind.tasks.map(change.tasks ?? ((task) => task)) },
    publicTask: change.publicTask ?? (({ id, question }: QuizTask) => ({ id, question })),
    prompt: change.prompt ?? (({ task }: { task: QuizTask }) => task.question),
    ...(change.messages && { messages: change.messages }),
    setup: async ({ task }: { task: never }): Promise<QuizState> => {
      await change.setup?.({ task });
      return { tries: 0, startedAt: Date.now(), paid: new Set(), memory: {} };
    },
    tools: { ...fixed, ...change.tools },
    taskTools: (context: { task: QuizTask; state: QuizState }) => ({
      ...(typeof answer === 'function' && { submit: submit(answer(context.task)) }),
      ...change.taskTools?.(context as never),
    }),
    ...(!change.hasNoMaximum && { maxReward: change.maxReward ?? 1 }),
    ...(!change.hasNoSolve && { solve: kind.isFinalMessage ? solveByMessage : solveByCall }),
  };
  // The changes have no common type.
  return defineEnvironment(definition as never);
}

interface Solving {
  readonly task: QuizTask;
  readonly call: (name: string, input: object) => Promise<unknown>;
  readonly answer: (text: string) => Promise<unknown>;
}

const solveByCall = ({ task, call }: Solving) => call('submit', { answer: task.answer });
const solveByMessage = ({ task, answer }: Solving) => answer(task.answer);
