import { defineEnvironment, jsonSchema } from 'ors-kit';
import { parseNumber, sameNumber } from './number.ts';
import { builtInProblems, type Problem, readProblems } from './problems.ts';

/**
 * Word problems whose answer is a number.
 *
 * The problems are read from the file in the variable GSM8K_FILE (JSON lines of the GSM8K data set); without it, there
 * are twenty built-in ones. The schemas are plain JSON Schema, so that no schema library is needed.
 */
export default defineEnvironment({
  name: 'gsm8k',
  description: 'Word problems of grade-school mathematics.',

  splits: {
    test: async () => {
      const file = process.env.GSM8K_FILE;
      return file ? await readProblems(file) : [...builtInProblems];
    },
  },
  task: jsonSchema<Problem>({
    type: 'object',
    properties: { question: { type: 'string', minLength: 1 }, answer: { type: 'string', minLength: 1 } },
    required: ['question', 'answer'],
    additionalProperties: false,
  }),
  // `resolveTask` is not needed: the full task is found by its question.
  publicTask: ({ question }) => ({ question }),

  prompt: ({ task }) => `${task.question}\n\nSolve it, then \`submit\` only the number. You have one attempt.`,

  tools: {
    submit: {
      description: 'Submit the final answer, a number. Ends the episode: reward 1 if it is right, else 0.',
      input: jsonSchema<{ answer: string }>({
        type: 'object',
        properties: {
          answer: { type: 'string', description: 'Only the number, such as 18, -3, 2.50, 1/2 or $1,000' },
        },
        required: ['answer'],
        additionalProperties: false,
      }),
      run: ({ input, task }) => {
        const correct = sameNumber(input.answer, task.answer);
        return { text: correct ? 'Correct.' : wrongText(input.answer), reward: correct ? 1 : 0, finished: true };
      },
    },
  },

  maxReward: 1,
  solve: async ({ task, call }) => {
    await call('submit', { answer: task.answer });
  },
});

function wrongText(answer: string): string {
  if (parseNumber(answer)) return 'Wrong.';
  return `Wrong: expected only a number, got '${answer.slice(0, 60)}'.`;
}
