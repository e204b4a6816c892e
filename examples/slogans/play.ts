import assert from 'node:assert/strict';
import type { Message } from 'ors-kit';
import { play } from 'ors-kit/testing';
import environment from './environment.ts';

/** A rollout with one call. */
const rollout = (slogan: string): { messages: Message[] } => ({
  messages: [
    { role: 'assistant', blocks: [{ type: 'tool_call', id: 'call_1', name: 'submit', input: { slogan } }] },
    {
      role: 'user',
      blocks: [{ type: 'tool_result', tool_call_id: 'call_1', blocks: [{ type: 'text', text: 'Accepted.' }] }],
    },
  ],
});

/** A failed episode: the slogan does not name the product. */
{
  await using episode = await play(environment, { split: 'train', index: 0 });

  const output = await episode.call('submit', { slogan: 'Coffee for everyone.' });

  assert.deepEqual([output.reward, output.finished], [0, true]);
  console.log(`slogans, failed episode: ${output.text} Reward ${output.reward}.`);
}

/** A solved episode, and a comparison of three rollouts of its task. */
{
  await using episode = await play(environment, { split: 'train', index: 0 });

  const output = await episode.call('submit', { slogan: 'Tea. Now.' });
  const scores = await episode.scoreGroup(['Tea. Now.', 'Buy our very good tea.', 'Coffee.'].map(rollout));

  assert.deepEqual([output.reward, output.finished], [1, true]);
  assert.deepEqual(
    scores.map(({ reward }) => reward),
    [1, 0.5, 0],
  );
  console.log(`slogans, solved episode: ${output.text} Reward ${output.reward}.`);
}

/** An episode solved by `solve`. */
{
  await using episode = await play(environment, { split: 'test', index: 0 });
  assert.equal((await episode.solve()).at(-1)?.reward, 1);
}
