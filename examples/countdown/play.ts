import assert from 'node:assert/strict';
import { play, ToolCallError } from 'ors-kit/testing';
import environment from './environment.ts';

/** A failed episode: an expression that breaks the rules is rejected, and a submission is final. */
{
  await using episode = await play(environment, { task: { numbers: [25, 3, 9, 8], target: 672 } });

  const near = await episode.call('evaluate', { expression: '25 * 3 * 9 - 3' }).catch((error: unknown) => error);
  assert(near instanceof ToolCallError, 'a number that is used twice must be rejected');
  assert.match(near.message, /3 is used too often/);

  const half = await episode.call('evaluate', { expression: '25 / (8 + 9 - 3)' });
  assert.equal(half.text, 'Try 1: 25 / (8 + 9 - 3) = 25/14, not 672.');
  assert.deepEqual([half.reward, half.finished], [0, false]);

  const wrong = await episode.call('submit', { expression: '25 * 3 * 9' });
  assert.deepEqual([wrong.reward, wrong.finished], [0, true]);
  await assert.rejects(episode.call('submit', { expression: '(25 * 3 + 9) * 8' }), 'the episode must be over');
  console.log(`countdown, failed episode: ${wrong.text} Reward ${wrong.reward}.`);
}

/** A solved episode. */
{
  await using episode = await play(environment, { split: 'hard', index: 987_654 });

  const outputs = await episode.solve();

  const last = outputs.at(-1);
  assert.deepEqual([last?.reward, last?.finished], [1, true]);
  console.log(`countdown, solved episode: ${last?.text} Reward ${last?.reward}.`);
}
