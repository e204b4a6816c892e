import { defineEnvironment, jsonSchema } from 'ors-kit';
import { readNumber, sameNumber } from './number.ts';
import { ownProblems, type Problem, readProblems } from './problems.ts';

/**
 * Word problems with a number for an answer.
 *
 * The problems come from the file that the variable GSM8K_FILE names (the JSON lines of the GSM8K data set), and
 * without it from twenty of our own. The schemas are plain JSON Schema: no library is needed.
 */
export default defineEnvironment({
  name: 'gsm8k',
  description: 'Word problems of grade-school mathematics.',

  splits: {
    test: async () => {
      const file = process.env.GSM8K_FILE;
      return file ? await readProblems(file) : [...ownProblems];
    },
  },
  task: jsonSchema<Problem>({
    type: 'object',
    properties: { question: { type: 'string', minLength: 1 }, answer: { type: 'string', minLength: 1 } },
    required: ['question', 'answer'],
    additionalProperties: false,
  }),
  // The way back needs no code of ours: a question that was shown is found again in the list.
  publicTask: ({ question }) => ({ question }),

  prompt: ({ task }) => `${task.question}\n\nWork it out, then \`submit\` the number alone. You have one attempt.`,

  tools: {
    submit: {
      description: 'Submit the final answer, a number. Ends the episode: reward 1 if it is right, else 0.',
      input: jsonSchema<{ answer: string }>({
        type: 'object',
        properties: {
          answer: { type: 'string', description: 'The number alone: 18, -3, 2.50, 1/2 and $1,000 all count' },
        },
        required: ['answer'],
        additionalProperties: false,
      }),
      run: ({ input, task }) => {
        const correct = sameNumber(input.answer, task.answer);
        return { text: correct ? 'Correct.' : complaint(input.answer), reward: correct ? 1 : 0, finished: true };
      },
    },
  },

  maxReward: 1,
  solve: async ({ task, call }) => {
    await call('submit', { answer: task.answer });
  },
});

function complaint(answer: string): string {
  if (readNumber(answer)) return 'Wrong.';
  return `Wrong: '${answer.slice(0, 60)}' is not a number alone.`;
}
