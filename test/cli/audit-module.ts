import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes an environment whose public tasks have these fields to a new folder in the checkout. */
export async function moduleOf(shown: string) {
  const folder = await mkdtemp(join('.cache', 'audit-'));
  const file = join(folder, 'environment.mjs');
  await writeFile(
    file,
    `import { defineEnvironment, jsonSchema } from 'ors-kit';
const WORDS = ['amber', 'birch', 'cedar', 'delta'];
export default defineEnvironment({
  name: 'words',
  splits: { train: WORDS.map((word, index) => ({ word, index })) },
  publicTask: ({ word, index }) => (${shown}),
  prompt: ({ task }) => 'Which word has the number ' + task.index + '?',
  tools: {
    submit: {
      description: 'Submit the word.',
      input: jsonSchema({ type: 'object', properties: { word: { type: 'string' } }, required: ['word'] }),
      run: ({ input, task }) => ({ text: 'Noted.', reward: input.word === task.word ? 1 : 0, finished: true }),
    },
  },
  maxReward: 1,
});
`,
  );
  return { file, folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
