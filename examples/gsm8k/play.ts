import assert from 'node:assert/strict';
import { play } from 'ors-kit/testing';
import environment from './environment.ts';
import { ownProblems } from './problems.ts';

delete process.env.GSM8K_FILE;
const question = ownProblems[2]?.question;
assert(question, 'there are problems of our own');

/** A losing run: words do not count as an answer. */
{
  await using episode = await play(environment, { split: 'test', index: 2 });
  assert.match(JSON.stringify(episode.prompt), /Omar needs 20 rolls/);

  const output = await episode.call('submit', { answer: 'seven dollars and ten cents' });

  assert.deepEqual([output.reward, output.finished], [0, true]);
  console.log(`gsm8k, a losing run: ${output.text} Reward ${output.reward}.`);
}

/** A winning run, from the question alone: the task is found again by its content. */
{
  await using episode = await play(environment, { task: { question } });

  const output = await episode.call('submit', { answer: '$7.1' });

  assert.deepEqual([output.reward, output.finished], [1, true]);
  console.log(`gsm8k, a winning run: ${output.text} Reward ${output.reward}.`);
}

/** The gold player wins too. */
{
  await using episode = await play(environment, { split: 'test', index: 14 });
  assert.equal((await episode.solve()).at(-1)?.reward, 1);
}
