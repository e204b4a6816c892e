import { getEventListeners } from 'node:events';
import { expect, test } from '@jest/globals';
import { defineEnvironment, jsonSchema } from 'ors-kit';
import { OrsClient } from 'ors-kit/client';
import { start } from '../support/client.ts';
import { until } from '../support/until.ts';

/** Environment whose calls end when all episodes wait in one. */
function meeting(size: number) {
  let open = () => {};
  let waiting = 0;
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  const environment = defineEnvironment({
    name: 'meeting',
    splits: { train: { count: size, get: (index) => ({ index }) } },
    task: jsonSchema<{ index: number }>({ type: 'object' }),
    prompt: ({ task }) => `You are number ${task.index}.`,
    tools: {
      meet: {
        description: 'Wait for all others.',
        run: async ({ task }) => {
          if (++waiting === size) open();
          await all;
          return { text: `${task.index}`, reward: task.index, finished: true };
        },
      },
    },
  });
  return environment;
}

test('plays 130 concurrent episodes by one client, and leaves no timer, socket or listener', async () => {
  const size = 130;
  await using server = await start(meeting(size));
  const before = process.getActiveResourcesInfo().length;
  const controller = new AbortController();
  {
    await using client = new OrsClient(server.url);
    const environment = client.environment('meeting');

    const rewards = await Promise.all(
      Array.from({ length: size }, async (_, index) => {
        await using session = await environment.session({ split: 'train', index }, { signal: controller.signal });
        const [prompt] = await session.prompt({ signal: controller.signal });
        const result = await session.call('meet', {}, { signal: controller.signal });
        expect(prompt).toMatchObject({ text: `You are number ${index}.` });
        return result.reward;
      }),
    );

    expect(rewards).toEqual(Array.from({ length: size }, (_, index) => index));
    expect(server.sessionCount).toBe(0);
  }

  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  await until(() => process.getActiveResourcesInfo().length <= before);
});
