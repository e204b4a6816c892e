import { defineEnvironment, type ScoreGroupCandidate } from 'ors-kit';
import { z } from 'zod';

const MAX_WORDS = 8;

/**
 * Slogans for products. Each episode is rewarded by rules, and `scoreGroup` compares several rollouts of a task: the reward
 * is the share of the others that a slogan beats. A judge model would take the place of `comparison`.
 */
export default defineEnvironment({
  name: 'slogans',
  description: 'Short slogans that name a product.',

  splits: { train: [{ product: 'tea' }, { product: 'boots' }], test: [{ product: 'kites' }] },
  task: z.object({ product: z.string() }),

  prompt: ({ task }) => `Write a slogan for ${task.product} in at most ${MAX_WORDS} words, then \`submit\` it.`,
  tools: {
    submit: {
      description: 'Submit the slogan. Ends the episode: reward 1 if it names the product and is short, else 0.',
      input: z.object({ slogan: z.string().describe('The whole slogan.') }),
      run: ({ input, task }) => {
        const isValid = follows(input.slogan, task.product);
        return { text: isValid ? 'Accepted.' : 'Not accepted.', reward: isValid ? 1 : 0, finished: true };
      },
    },
  },

  scoreGroup: ({ candidates, task }) => {
    const slogans = candidates.map(submitted);
    return slogans.map((slogan, index) => {
      const others = slogans.filter((_, other) => other !== index);
      const points = others.map((other) => comparison(slogan, other, task.product));
      return points.length === 0 ? 0.5 : points.reduce((sum, point) => sum + point, 0) / points.length;
    });
  },

  maxReward: 1,
  solve: async ({ task, call }) => {
    await call('submit', { slogan: `Good days start with ${task.product}.` });
  },
});

const wordsIn = (slogan: string) => slogan.split(/\s+/).filter((word) => word !== '');

const follows = (slogan: string, product: string): boolean =>
  slogan.toLowerCase().includes(product) && wordsIn(slogan).length <= MAX_WORDS;

/** Returns 1 if the first slogan is better, 0 if the second one is, and 0.5 if they are equally good. */
function comparison(one: string, other: string, product: string): number {
  const [first, second] = [one, other].map((slogan) =>
    follows(slogan, product) ? wordsIn(slogan).length : MAX_WORDS + 1,
  ) as [number, number];
  return first === second ? 0.5 : first < second ? 1 : 0;
}

/** Returns the slogan that a rollout submitted: the input of its last call. */
function submitted({ messages }: ScoreGroupCandidate): string {
  const calls = messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === 'tool_call' ? [block] : [])),
  );
  const slogan = calls.findLast(({ name }) => name === 'submit')?.input.slogan;
  return typeof slogan === 'string' ? slogan : '';
}
