import { defineEnvironment, ToolError } from 'ors-kit';
import { z } from 'zod';
import { type Expression, ExpressionError, evaluate, format, numbersIn, parse } from './arithmetic.ts';
import { createPuzzle, solvePuzzle } from './puzzle.ts';

const puzzle = z.object({
  numbers: z.array(z.int().min(1).max(100)).min(2).max(6),
  target: z.int().min(1).max(999),
  solution: z.string(),
});
const publicPuzzle = puzzle.omit({ solution: true });
type PublicPuzzle = z.infer<typeof publicPuzzle>;

const attempt = z.object({
  expression: z.string().describe('Whole numbers, + - * / and parentheses, such as (25 - 4) * 7'),
});

/** Reach a target with a few numbers, each used at most once. */
export default defineEnvironment({
  name: 'countdown',
  description: 'Combine numbers by arithmetic to reach a target.',

  splits: {
    train: () => Array.from({ length: 5_000 }, (_, index) => createPuzzle(1, index, 4)),
    test: () => Array.from({ length: 200 }, (_, index) => createPuzzle(2, index, 4)),
    // Too many to keep in memory: each is created on demand.
    hard: { count: 1_000_000, get: (index) => createPuzzle(3, index, 6) },
  },
  task: puzzle,
  publicTask: ({ solution: _hidden, ...shown }) => shown,
  resolveTask: (shown) => {
    // The task comes from a client: validated first, because the search is exponential in the number of numbers.
    const { numbers, target } = publicPuzzle.parse(shown);
    const solution = solvePuzzle(numbers, target);
    if (solution === undefined) throw new Error(`No expression reaches ${target} with ${numbers.join(', ')}.`);
    return { numbers, target, solution };
  },

  // Nothing here differs between two runs, so an episode can come back from a journal.
  durability: 'replay',
  setup: () => ({ tries: 0 }),
  prompt: ({ task: { numbers, target } }) =>
    `Reach ${target} with the numbers ${numbers.join(', ')}.\n\n` +
    'Combine them with + - * / and parentheses. Use each number at most once; you do not need all of them. ' +
    'Try expressions with `evaluate` as often as you like, then `submit` one: it is final.',

  tools: {
    evaluate: {
      description: 'Try an expression. Returns its value, and does not end the episode.',
      input: attempt,
      run: ({ input, task, state }) => {
        const { text } = judge(input.expression, task);
        state.tries += 1;
        return { text: `Try ${state.tries}: ${text}`, reward: 0 };
      },
    },
    submit: {
      description: 'Submit the final expression. Ends the episode: reward 1 if it reaches the target, else 0.',
      input: attempt,
      run: ({ input, task }) => {
        const verdict = grade(input.expression, task);
        return { text: verdict.text, reward: verdict.correct ? 1 : 0, finished: true };
      },
    },
  },

  maxReward: 1,
  solve: async ({ task, call }) => {
    await call('evaluate', { expression: task.solution });
    await call('submit', { expression: task.solution });
  },
});

/** Like `judge`, but an expression that breaks the rules is wrong: the submission is final. */
function grade(expression: string, task: PublicPuzzle): { text: string; correct: boolean } {
  try {
    const { text, correct } = judge(expression, task);
    return { text: `${correct ? 'Correct' : 'Wrong'}: ${text}`, correct };
  } catch (error) {
    if (error instanceof ToolError) return { text: `Wrong: ${error.message}`, correct: false };
    throw error;
  }
}

/** Evaluates an expression, and compares it with the target. @throws ToolError if it breaks the rules. */
function judge(text: string, { numbers, target }: PublicPuzzle): { text: string; correct: boolean } {
  try {
    const expression = parse(text);
    checkNumbers(expression, numbers);
    const { top, bottom } = evaluate(expression);
    const correct = top === target * bottom;
    const value = bottom === 1 ? `${top}` : `${top}/${bottom}`;
    return { text: `${format(expression)} = ${value}, ${correct ? 'the target.' : `not ${target}.`}`, correct };
  } catch (error) {
    if (error instanceof ExpressionError) throw new ToolError(error.message);
    throw error;
  }
}

function checkNumbers(expression: Expression, numbers: readonly number[]): void {
  const unused = [...numbers];
  for (const number of numbersIn(expression)) {
    const index = unused.indexOf(number);
    const reason = numbers.includes(number) ? 'is used too often' : 'is not one of the numbers';
    if (index < 0) throw new ExpressionError(`${number} ${reason}: the numbers are ${numbers.join(', ')}.`);
    unused.splice(index, 1);
  }
}
