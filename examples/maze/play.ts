import assert from 'node:assert/strict';
import type { Block } from 'ors-kit';
import { play, ToolCallError } from 'ors-kit/testing';
import { PNG } from 'pngjs';
import environment from './environment.ts';

const withCompass = { split: 'train', index: 0 };
const withoutCompass = { split: 'train', index: 1 };

/** A failed episode: against a wall, and back and forth, which must not earn a reward. */
{
  await using episode = await play(environment, withoutCompass);
  assertImage(episode.prompt);
  assert.deepEqual(namesOf(episode.tools), ['move'], 'this task must have no compass');
  await assert.rejects(episode.call('compass'), ToolCallError);
  await assert.rejects(episode.call('move', { direction: 'up' }), ToolCallError);

  const bump = await episode.call('move', { direction: 'north' });
  assert.match(bump.text, /^There is a wall to the north/);
  assert.deepEqual([bump.reward, bump.finished], [0, false]);
  assertImage(bump.blocks);

  const detours = [
    ['east', 'west'],
    ['south', 'north'],
  ] as const;
  let sum = 0;
  for (const direction of detours.flat()) sum += (await episode.call('move', { direction })).reward ?? 0;
  assert(Math.abs(sum) < 1e-9, 'a detour must not change the reward');
  console.log(`maze, failed episode: ${bump.text.split('\n')[0]} Reward ${sum}.`);
}

/** A solved episode: follows the compass. */
{
  await using episode = await play(environment, withCompass);
  assert.deepEqual(namesOf(episode.tools), ['move', 'compass']);

  let sum = 0;
  let steps = 0;
  for (let isAtExit = false; !isAtExit; steps++) {
    const { text: direction } = await episode.call('compass');
    const output = await episode.call('move', { direction });
    assertImage(output.blocks);
    sum += output.reward ?? 0;
    isAtExit = output.finished;
  }
  assert(Math.abs(sum - 1) < 1e-9, `the rewards must add up to 1, not ${sum}`);
  console.log(`maze, solved episode: at the exit after ${steps} steps. Reward ${sum.toFixed(2)}.`);
}

/** An episode solved by `solve`, without a compass. */
{
  await using episode = await play(environment, withoutCompass);
  const outputs = await episode.solve();
  const sum = outputs.reduce((total, { reward }) => total + (reward ?? 0), 0);
  assert(Math.abs(sum - 1) < 1e-9 && outputs.at(-1)?.finished);
}

function assertImage(blocks: readonly Block[]): void {
  const image = blocks.find((block) => block.type === 'image');
  assert.equal(image?.mimeType, 'image/png');
  const { width, height } = PNG.sync.read(Buffer.from(image.data, 'base64'));
  assert(width >= 256 && height >= 256, `the image has only ${width} x ${height} pixels`);
}

function namesOf(tools: readonly { name: string }[]): string[] {
  return tools.map(({ name }) => name);
}
