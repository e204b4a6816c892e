import assert from 'node:assert/strict';
import type { Block } from 'ors-kit';
import { play, ToolCallError } from 'ors-kit/testing';
import { PNG } from 'pngjs';
import environment from './environment.ts';

const withCompass = { split: 'train', index: 0 };
const withoutCompass = { split: 'train', index: 1 };

/** A losing run: against the walls, and back again. Nothing is gained on a way that leads nowhere. */
{
  await using episode = await play(environment, withoutCompass);
  checkPicture(episode.prompt);
  assert.deepEqual(namesOf(episode.tools), ['move'], 'this task has no compass');
  await assert.rejects(episode.call('compass'), ToolCallError);
  await assert.rejects(episode.call('move', { direction: 'up' }), ToolCallError);

  const bump = await episode.call('move', { direction: 'north' });
  assert.match(bump.text, /^There is a wall to the north/);
  assert.deepEqual([bump.reward, bump.finished], [0, false]);
  checkPicture(bump.blocks);

  const ways = [
    ['east', 'west'],
    ['south', 'north'],
  ] as const;
  let sum = 0;
  for (const direction of ways.flat()) sum += (await episode.call('move', { direction })).reward ?? 0;
  assert(Math.abs(sum) < 1e-9, 'there and back again must be worth nothing');
  console.log(`maze, a losing run: ${bump.text.split('\n')[0]} Reward ${sum}.`);
}

/** A winning run: always where the compass points. */
{
  await using episode = await play(environment, withCompass);
  assert.deepEqual(namesOf(episode.tools), ['move', 'compass']);

  let sum = 0;
  let steps = 0;
  for (let isOut = false; !isOut; steps++) {
    const { text: direction } = await episode.call('compass');
    const output = await episode.call('move', { direction });
    checkPicture(output.blocks);
    sum += output.reward ?? 0;
    isOut = output.finished;
  }
  assert(Math.abs(sum - 1) < 1e-9, `the rewards must add up to 1, not ${sum}`);
  console.log(`maze, a winning run: out after ${steps} steps. Reward ${sum.toFixed(2)}.`);
}

/** The gold player needs no compass. */
{
  await using episode = await play(environment, withoutCompass);
  const outputs = await episode.solve();
  const sum = outputs.reduce((total, { reward }) => total + (reward ?? 0), 0);
  assert(Math.abs(sum - 1) < 1e-9 && outputs.at(-1)?.finished);
}

function checkPicture(blocks: readonly Block[]): void {
  const picture = blocks.find((block) => block.type === 'image');
  assert.equal(picture?.mimeType, 'image/png');
  const { width, height } = PNG.sync.read(Buffer.from(picture.data, 'base64'));
  assert(width >= 256 && height >= 256, `the picture is only ${width} x ${height}`);
}

function namesOf(tools: readonly { name: string }[]): string[] {
  return tools.map(({ name }) => name);
}
