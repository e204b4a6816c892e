import assert from 'node:assert/strict';
import { play } from 'ors-kit/testing';
import environment from './environment.ts';

/** A losing run: code that never ends, code that cheats, and a final answer that is right for zero alone. */
{
  await using episode = await play(environment, { split: 'train', index: 0 });
  assert.doesNotMatch(JSON.stringify(episode.prompt), /1000001/, 'hidden tests must not be shown');

  const endless = await episode.call('run_examples', { code: 'function add() { while (true) {} }' });
  assert.match(endless.text, /took longer than/);
  assert.deepEqual([endless.reward, endless.finished], [0, false]);

  const cheat = 'JSON.stringify = () => "3"; Array.prototype.toString = () => "3"; const add = () => [];';
  assert.match((await episode.call('run_examples', { code: cheat })).text, /returned \[\]; expected 3/);

  const output = await episode.call('submit', { code: 'const add = () => 0;' });
  assert.deepEqual([output.reward, output.finished], [1 / 5, true]);
  console.log(`javascript, a losing run: ${output.text} Reward ${output.reward}.`);
}

/** A winning run. */
{
  await using episode = await play(environment, { split: 'test', index: 0 });

  const [tried, submitted] = await episode.solve();

  assert.match(tried?.text ?? '', /^passed: groupByLength\(\["a","bb","c"\]\) returned/);
  assert.deepEqual([submitted?.reward, submitted?.finished], [1, true]);
  console.log(`javascript, a winning run: ${submitted?.text} Reward ${submitted?.reward}.`);
}
