import assert from 'node:assert/strict';
import { test } from 'node:test';
import { play, ToolCallError } from 'ors-kit/testing';
import environment from './environment.ts';
import { tasks } from './tasks.ts';

// Each episode is played over HTTP, with the client library and a temporary server.

test('solves every task for the full reward', async () => {
  for (const [split, list] of Object.entries(tasks)) {
    for (const index of list.keys()) {
      const episode = await play(environment, { split, index });
      const outputs = await episode.solve();
      await episode.close();

      assert.deepEqual([outputs.at(-1)?.reward, outputs.at(-1)?.finished], [1, true], `${split} ${index}`);
    }
  }
});

test('reduces the reward for a hint and for a wrong guess', async (t) => {
  const episode = await play(environment, { split: 'test', index: 0 });
  t.after(episode.close);

  const hint = await episode.call('hint');
  const wrong = await episode.call('guess', { word: 'yngexo' });
  const right = await episode.call('guess', { word: ' Oxygen' });

  assert.deepEqual([hint.text, hint.finished], ["The word starts with 'o'.", false]);
  assert.deepEqual([wrong.text, wrong.reward, wrong.finished], ['Wrong. Guesses left: 2.', null, false]);
  assert.deepEqual([right.reward, right.finished], [1 / 3, true]);
});

test('ends the episode without a reward after the last wrong guess', async (t) => {
  const episode = await play(environment, { split: 'test', index: 1 });
  t.after(episode.close);

  await episode.call('guess', { word: 'sumemu' });
  await episode.call('guess', { word: 'sumemu' });
  const last = await episode.call('guess', { word: 'sumemu' });

  assert.deepEqual([last.reward, last.finished], [0, true]);
});

test('rejects a word with other letters, which does not count as a guess', async (t) => {
  const episode = await play(environment, { split: 'test', index: 2 });
  t.after(episode.close);

  await assert.rejects(episode.call('guess', { word: 'dog' }), ToolCallError);
  const right = await episode.call('guess', { word: 'cactus' });

  assert.equal(right.reward, 1);
});

test('shows the letters but not the word', async (t) => {
  const episode = await play(environment, { split: 'test', index: 3 });
  t.after(episode.close);

  assert.match(JSON.stringify(episode.prompt), /t o t l e b/);
  assert.doesNotMatch(JSON.stringify(episode.prompt), /bottle/);
});
