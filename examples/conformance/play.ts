import assert from 'node:assert/strict';
import { play, ToolCallError } from 'ors-kit/testing';
import environment from './environment.ts';

/** An episode with failures of every kind, which must not change the counter or reveal a secret. */
{
  const options = { secrets: { TOKEN: 'swordfish' } };
  await using episode = await play(environment, { split: 'hard', index: 4 }, options);
  assert.deepEqual(episode.prompt, [{ type: 'text', text: 'Conformance task hard-4.', detail: null }]);
  assert.equal(episode.tools.length, 21);

  await episode.call('count', { by: 40 });
  await assert.rejects(episode.call('count', { by: 'two' }), ToolCallError);
  await assert.rejects(episode.call('fail'), /It failed\./);
  await assert.rejects(episode.call('crash', { message: 'No token swordfish.' }), /No token \[secret\]\./);
  await assert.rejects(episode.call('cancel'), /AbortError/);
  await assert.rejects(episode.call('bad_output', { kind: 'nan_reward' }), /reward is NaN/);
  assert.equal((await episode.call('count', { by: 2 })).text, '42');
  assert.equal((await episode.call('runs', { tool: 'count' })).text, '2', 'a rejected call must not run');
  assert.match((await episode.call('secret_digest', { name: 'TOKEN' })).text, /^b9f195c5cc7ef6af/);

  const output = await episode.call('reward', { value: -0.5 });
  assert.deepEqual([output.reward, output.finished], [-0.5, false]);
  console.log(`conformance, failed episode: ${output.text}. Reward ${output.reward}.`);
}

/** A finished episode, with texts that are hard to send. */
{
  await using episode = await play(environment, { task: { key: 'play', prompt_image: true } });
  assert.deepEqual(
    episode.prompt.map(({ type }) => type),
    ['text', 'image', 'text'],
  );

  assert.equal([...(await episode.call('big', { characters: 100_003, pattern: 'mixed' })).text].length, 100_003);
  assert.equal((await episode.call('odd_text', { kind: 'separators' })).text, 'a\u2028b\u2029c');
  assert.equal((await episode.call('only_here')).text, 'here');
  assert.deepEqual((await episode.call('lifecycle', { key: 'play' })).metadata, { setups: 1, teardowns: 0 });

  const output = await episode.call('finish');
  assert.deepEqual([output.reward, output.finished], [1, true]);
  await assert.rejects(episode.call('echo', { text: 'again' }), 'the episode must be over');
  console.log(`conformance, solved episode: ${output.text}. Reward ${output.reward}.`);
}
