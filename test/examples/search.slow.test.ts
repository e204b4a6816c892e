import { expect, test } from '@jest/globals';
import maze from '../../examples/maze/environment.ts';
import search from '../../examples/search/agent.ts';
import { MemoryJournal } from '../../src/trial/index.ts';
import { openStage, tracesOf } from '../rollout/stage.ts';

test('finds the way out of a maze by trying each step, which does not count', async () => {
  await using stage = await openStage(maze, { journal: new MemoryJournal() });
  const plan = { limits: { turns: 100, tokens: null, seconds: null }, tasks: [{ start: 1, stop: 2 }] };

  const { results } = await stage.play(search, plan);

  expect(results.reward).toMatchObject({ mean: expect.closeTo(1, 10), min: expect.closeTo(1, 10) });
  expect(results.stops).toEqual({ finished: 1 });
  expect(await tracesOf(stage.store)).toHaveLength(1);
});
