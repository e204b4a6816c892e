import assert from 'node:assert/strict';
import { play } from 'ors-kit/testing';
import environment from './environment.ts';

/** A failed episode: the response names neither the status nor the place. */
{
  await using episode = await play(environment, { split: 'test', index: 0 });
  const messages = await episode.messages();
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['system', 'user', 'assistant', 'user'],
  );
  // The tool that grades is not among those that the agent sees.
  assert.deepEqual(
    episode.tools.map(({ name }) => name),
    ['lookup'],
  );
  assert.deepEqual([episode.terminalTool?.name, episode.terminalTool?.arg], ['respond', 'response']);

  const output = await episode.answer('Please be patient.');

  assert.deepEqual([output.reward, output.finished], [0, true]);
  console.log(`orders, failed episode: ${output.text} Reward ${output.reward}.`);
}

/** A solved episode: one call, then the final message. */
{
  await using episode = await play(environment, { split: 'test', index: 1 });

  const { text: facts } = await episode.call('lookup', { order: 'B-2' });
  const output = await episode.answer(`Your order is ${facts}.`);

  assert.deepEqual([output.reward, output.finished], [1, true]);
  console.log(`orders, solved episode: ${output.text} Reward ${output.reward}.`);
}

/** An episode solved by `solve`. */
{
  await using episode = await play(environment, { split: 'test', index: 2 });
  assert.equal((await episode.solve()).at(-1)?.reward, 1);
}
