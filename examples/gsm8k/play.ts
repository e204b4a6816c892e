import assert from 'node:assert/strict';
import { play } from 'ors-kit/testing';
import environment from './environment.ts';
import { builtInProblems } from './problems.ts';

delete process.env.GSM8K_FILE;
const question = builtInProblems[2]?.question;
assert(question, 'there must be built-in problems');

/** A failed episode: words are not a valid answer. */
{
  await using episode = await play(environment, { split: 'test', index: 2 });
  assert.match(JSON.stringify(episode.prompt), /Omar needs 20 rolls/);

  const output = await episode.call('submit', { answer: 'seven dollars and ten cents' });

  assert.deepEqual([output.reward, output.finished], [0, true]);
  console.log(`gsm8k, failed episode: ${output.text} Reward ${output.reward}.`);
}

/** A solved episode, from the public task: the full one is found by its question. */
{
  await using episode = await play(environment, { task: { question } });

  const output = await episode.call('submit', { answer: '$7.1' });

  assert.deepEqual([output.reward, output.finished], [1, true]);
  console.log(`gsm8k, solved episode: ${output.text} Reward ${output.reward}.`);
}

/** An episode solved by `solve`. */
{
  await using episode = await play(environment, { split: 'test', index: 14 });
  assert.equal((await episode.solve()).at(-1)?.reward, 1);
}
