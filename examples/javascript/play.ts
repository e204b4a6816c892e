import assert from 'node:assert/strict';
import { play } from 'ors-kit/testing';
import environment from './environment.ts';

/** A failed episode: an endless loop, code that cheats, and a submission that is correct only for zero. */
{
  await using episode = await play(environment, { split: 'train', index: 0 });
  assert.doesNotMatch(JSON.stringify(episode.prompt), /1000001/, 'the hidden tests must stay hidden');

  const endless = await episode.call('run_examples', { code: 'function add() { while (true) {} }' });
  assert.match(endless.text, /took longer than/);
  assert.deepEqual([endless.reward, endless.finished], [0, false]);

  const cheat = 'JSON.stringify = () => "3"; Array.prototype.toString = () => "3"; const add = () => [];';
  assert.match((await episode.call('run_examples', { code: cheat })).text, /returned \[\]; expected 3/);

  const output = await episode.call('submit', { code: 'const add = () => 0;' });
  assert.deepEqual([output.reward, output.finished], [1 / 5, true]);
  console.log(`javascript, failed episode: ${output.text} Reward ${output.reward}.`);
}

/** A solved episode. */
{
  await using episode = await play(environment, { split: 'test', index: 0 });

  const [tried, submitted] = await episode.solve();

  assert.match(tried?.text ?? '', /^passed: groupByLength\(\["a","bb","c"\]\) returned/);
  assert.deepEqual([submitted?.reward, submitted?.finished], [1, true]);
  console.log(`javascript, solved episode: ${submitted?.text} Reward ${submitted?.reward}.`);
}
