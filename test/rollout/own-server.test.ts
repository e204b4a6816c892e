import { expect, test } from '@jest/globals';
import { defineEnvironment } from 'ors-kit';
import { z } from 'zod';
import orders from '../../examples/orders/environment.ts';
import slogans from '../../examples/slogans/environment.ts';
import { type Agent, oracleAgent } from '../../src/rollout/index.ts';
import { playEpisode, stageModel } from './agents/stage.ts';
import { openStage, tracesOf } from './stage.ts';

test('plays a conversation whose final message is graded', async () => {
  await using model = await stageModel([
    { text: 'Let me see.', calls: [{ name: 'lookup', input: { order: 'A-7' } }] },
    { text: 'Your order is delayed in Lima.' },
  ]);
  await using stage = await openStage(orders);

  const { results } = await stage.play(model.agent, { tasks: [{ start: 0, stop: 1 }] });

  const roles = model.requests[0]?.body.messages.map(({ role }: { role: string }) => role);
  expect(roles).toEqual(['system', 'user', 'assistant', 'user']);
  expect(model.requests[0]?.body.tools).toHaveLength(1);
  expect(await stage.rewards()).toMatchObject([{ reward: 1, ungraded: null, stop: 'finished', turns: 2 }]);
  expect(results.tools).toMatchObject({ lookup: { calls: 1 }, respond: { calls: 1, reward: 1 } });
});

test('records the conversation, and the final message with its grade', async () => {
  await using model = await stageModel([{ text: 'Your order is delayed.' }]);

  const { trace } = await playEpisode(orders, model.agent, { split: 'test', traced: true });

  const messages = trace?.messages ?? [];
  expect(messages.map(({ payload }) => payload.role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant']);
  expect(messages.at(-1)).toMatchObject({
    payload: { content: 'Your order is delayed.' },
    tool_calls: [
      {
        payload: { name: 'respond', arguments: { response: 'Your order is delayed.' } },
        tool_results: [{ extra: { reward: 0.5, finished: true } }],
      },
    ],
  });
});

test('adds the comparative reward of each sample to its trace', async () => {
  await using stage = await openStage(slogans);
  const writer: Agent = async (session, { sample }) => {
    await session.call('submit', { slogan: sample === 0 ? 'Kites.' : 'Good days start with kites.' });
    return undefined;
  };

  const { results, error } = await stage.play(writer, { samples: 2 });

  const traces = await tracesOf(stage.store);
  expect(error).toBeUndefined();
  expect(results.groups).toMatchObject([{ scores: [1, 1], group_rewards: [1, 0] }]);
  expect(traces.map(({ rollout_index, metadata }) => [rollout_index, metadata.group_reward]).sort()).toEqual([
    [0, 1],
    [1, 0],
  ]);
  expect(traces.every(({ metadata }) => metadata.run_id !== undefined)).toBe(true);
});

test('solves an environment by an answer to its terminal tool', async () => {
  const capitals = defineEnvironment({
    name: 'capitals',
    splits: { test: [{ country: 'Peru', capital: 'Lima' }] },
    prompt: ({ task }) => `What is the capital of ${String(task.country)}?`,
    tools: {
      grade: {
        description: 'Grades the answer.',
        input: z.object({ answer: z.string() }),
        terminal: true,
        run: ({ input, task }) => ({ text: 'Thanks.', reward: Number(input.answer === task.capital), finished: true }),
      },
    },
    solve: async ({ task, answer }) => {
      await answer(String(task.capital));
    },
  });
  await using stage = await openStage(capitals);

  await stage.play(oracleAgent([capitals]));

  expect(await stage.rewards()).toMatchObject([{ reward: 1, stop: 'finished', steps: [{ tool: 'grade', ok: true }] }]);
});
