import { defineEnvironment, ToolError } from 'ors-kit';
import { z } from 'zod';
import { type Expression, ExpressionError, evaluate, format, numbersIn, parse } from './arithmetic.ts';
import { makePuzzle, solvePuzzle } from './puzzle.ts';

const puzzle = z.object({
  numbers: z.array(z.int().min(1).max(100)).min(2).max(6),
  target: z.int().min(1).max(999),
  solution: z.string(),
});
const shownPuzzle = puzzle.omit({ solution: true });
type Shown = z.infer<typeof shownPuzzle>;

const attempt = z.object({
  expression: z.string().describe('Whole numbers, + - * / and parentheses, such as (25 - 4) * 7'),
});

/** Reach a target with a few numbers, each used once at most. */
export default defineEnvironment({
  name: 'countdown',
  description: 'Combine numbers by arithmetic to reach a target.',

  splits: {
    train: () => Array.from({ length: 5_000 }, (_, index) => makePuzzle(1, index, 4)),
    test: () => Array.from({ length: 200 }, (_, index) => makePuzzle(2, index, 4)),
    // Far too many to keep: each is made when it is asked for.
    hard: { count: 1_000_000, get: (index) => makePuzzle(3, index, 6) },
  },
  task: puzzle,
  publicTask: ({ solution: _hidden, ...shown }) => shown,
  resolveTask: (shown) => {
    // Comes from a client: checked before the search, whose time grows fast with the amount of numbers.
    const { numbers, target } = shownPuzzle.parse(shown);
    const solution = solvePuzzle(numbers, target);
    if (solution === undefined) throw new Error(`No expression reaches ${target} with ${numbers.join(', ')}.`);
    return { numbers, target, solution };
  },

  setup: () => ({ tries: 0 }),
  prompt: ({ task: { numbers, target } }) =>
    `Reach ${target} with the numbers ${numbers.join(', ')}.\n\n` +
    'Combine them with + - * / and parentheses. Use each number once at most; you need not use them all. ' +
    'Try expressions with `evaluate` as often as you like, then `submit` one: that is final.',

  tools: {
    evaluate: {
      description: 'Try an expression: tells its value. Does not end the episode.',
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

/** Like `judge`, but what breaks the rules is wrong too: nothing escapes a final answer. */
function grade(expression: string, task: Shown): { text: string; correct: boolean } {
  try {
    const { text, correct } = judge(expression, task);
    return { text: `${correct ? 'Correct' : 'Wrong'}: ${text}`, correct };
  } catch (error) {
    if (error instanceof ToolError) return { text: `Wrong: ${error.message}`, correct: false };
    throw error;
  }
}

/** Says what an expression makes, and whether that is the target. Throws a ToolError if it breaks the rules. */
function judge(text: string, { numbers, target }: Shown): { text: string; correct: boolean } {
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
  const left = [...numbers];
  for (const number of numbersIn(expression)) {
    const place = left.indexOf(number);
    const reason = numbers.includes(number) ? 'is used too often' : 'is not one of the numbers';
    if (place < 0) throw new ExpressionError(`${number} ${reason}: there are ${numbers.join(', ')}.`);
    left.splice(place, 1);
  }
}
