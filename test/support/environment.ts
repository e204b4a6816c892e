import { defineEnvironment, defineTool, type Environment, ToolError } from 'ors-kit';
import { z } from 'zod';

/** Counters of the fixture environments, for assertions. */
export interface Journal {
  setups: number;
  teardowns: number;
  /** Number of calls of `count` in all episodes. */
  counted: number;
}

const problem = z.object({
  question: z.string(),
  answer: z.string(),
  /** Duration of setup. */
  setup_ms: z.number().optional(),
  /** Message of an error that setup throws. */
  setup_error: z.string().optional(),
  /** Adds the task tool `hint`, which returns this text. */
  hint: z.string().optional(),
});
type Problem = z.infer<typeof problem>;

const sum = (a: number, b: number): Problem => ({ question: `What is ${a}+${b}?`, answer: String(a + b) });

const TRAIN: readonly Problem[] = [
  sum(2, 2),
  { ...sum(3, 4), hint: 'count on your fingers' },
  { ...sum(5, 5), setup_ms: 100 },
  { ...sum(6, 6), setup_error: 'no sandbox is free' },
  sum(7, 8),
];

export interface Fixture {
  readonly math: Environment;
  readonly other: Environment;
  readonly journal: Journal;
}

/** Creates two small environments: `math`, with tools for every case that a server has to handle, and `other`. */
export function fixture(): Fixture {
  const journal: Journal = { setups: 0, teardowns: 0, counted: 0 };
  return { math: mathEnvironment(journal), other: otherEnvironment(), journal };
}

function mathEnvironment(journal: Journal): Environment {
  return defineEnvironment({
    name: 'math',
    description: 'Sums of small numbers.',
    splits: {
      train: TRAIN,
      test: () => [sum(1, 1), sum(1, 2)],
      hard: { count: 1_000_000, get: (index) => sum(index, index) },
    },
    task: problem,
    setup: async ({ task, signal }) => {
      if (task.setup_ms) await pause(task.setup_ms, signal);
      if (task.setup_error) throw new Error(task.setup_error);
      journal.setups += 1;
      return { count: 0 };
    },
    prompt: ({ task }) => task.question,
    tools: {
      submit: {
        description: 'Submit the answer.',
        input: z.object({ answer: z.string() }),
        run: ({ input, task }) => {
          const correct = input.answer === task.answer;
          return { text: correct ? 'Correct!' : 'Wrong.', reward: correct ? 1 : 0, finished: true };
        },
      },
      count: {
        description: 'Count the calls of this tool in the episode.',
        run: ({ state }) => {
          journal.counted += 1;
          state.count += 1;
          return { text: String(state.count), reward: 0 };
        },
      },
      sleep: {
        description: 'Wait.',
        input: z.object({ ms: z.int().min(0).max(60_000) }),
        run: async ({ input, signal }) => {
          await pause(input.ms, signal);
          return { text: `slept ${input.ms} ms` };
        },
      },
      echo: {
        description: 'Say the same.',
        input: z.object({ text: z.string() }),
        run: ({ input }) => ({ text: input.text }),
      },
      big: {
        description: 'Say a lot.',
        input: z.object({ length: z.int().min(0).max(10_000_000) }),
        run: ({ input }) => ({ text: 'x'.repeat(input.length) }),
      },
      fail: {
        description: 'Fail in a way that the agent can act on.',
        run: () => {
          throw new ToolError('as asked');
        },
      },
      crash: {
        description: 'Fail unexpectedly.',
        run: () => {
          throw new Error('crashed as asked');
        },
      },
      noargs: { description: 'Do nothing.', run: () => ({ text: 'done' }) },
    },
    taskTools: ({ task }): Record<string, typeof hintTool> => (task.hint === undefined ? {} : { hint: hintTool }),
    scoreGroup: ({ candidates }) => candidates.map(({ messages }) => messages.length),
    solve: async ({ task, call }) => {
      await call('submit', { answer: task.answer });
    },
    teardown: () => {
      journal.teardowns += 1;
    },
  });
}

const hintTool = defineTool<undefined, Problem, { count: number }>({
  description: 'Help with this task.',
  run: ({ task }) => ({ text: task.hint ?? '' }),
});

function otherEnvironment(): Environment {
  return defineEnvironment({
    name: 'other',
    splits: { validation: [{ question: 'Which?' }] },
    prompt: () => 'Which?',
    tools: { submit: { description: 'End it.', run: () => ({ text: 'Over.', finished: true }) } },
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
