import { expect, test } from '@jest/globals';
import { defineEnvironment, defineTool, ToolError } from 'ors-kit';
import { z } from 'zod';
import type { Agent, AgentReport } from '../../src/rollout/index.ts';
import { openStage } from './stage.ts';

/** Environment with two tasks. `tenth` returns a reward of 0.1, `refuse` rejects after 50 ms, and `end` finishes. */
const paying = defineEnvironment({
  name: 'paying',
  splits: { test: [{ n: 0 }, { n: 1 }] },
  prompt: () => 'Earn.',
  tools: {
    tenth: defineTool({ description: 'Pays.', input: z.object({}), run: () => ({ text: 'ok', reward: 0.1 }) }),
    end: defineTool({ description: 'Ends.', input: z.object({}), run: () => ({ text: 'over', finished: true }) }),
    refuse: {
      description: 'Says no.',
      async run() {
        await new Promise((resolve) => setTimeout(resolve, 50));
        throw new ToolError('no');
      },
    },
  },
});

test('passes an episode whose rewards add up to the bound except for rounding', async () => {
  await using stage = await openStage(paying);
  const diligent: Agent = async (session) => {
    for (let call = 0; call < 10; call++) await session.call('tenth');
    return undefined;
  };

  const { results } = await stage.play(diligent);

  expect(results.reward.mean).toBeLessThan(1);
  expect(results.pass_at).toEqual({ 1: 1 });
});

test('does not pass an episode that misses the bound by more than rounding', async () => {
  await using stage = await openStage(paying);
  const lazy: Agent = async (session) => {
    for (let call = 0; call < 9; call++) await session.call('tenth');
    return undefined;
  };

  const { results } = await stage.play(lazy);

  expect(results.pass_at).toEqual({ 1: 0 });
});

test('counts a call that the agent does not await', async () => {
  await using stage = await openStage(paying);
  const hasty: Agent = async (session) => {
    void session.call('tenth');
    return undefined;
  };

  const { results } = await stage.play(hasty);

  expect(results).toMatchObject({ complete: true, reward: { mean: 0.1 } });
});

test('fails the episode if a call that the agent does not await fails', async () => {
  await using stage = await openStage(paying);
  const hasty: Agent = async (session) => {
    void session.call('refuse');
    return undefined;
  };

  const { results } = await stage.play(hasty);

  const failures = await stage.failures();
  expect(results).toMatchObject({ complete: false, failures: { agent: 2 }, episodes: { ended: 0 } });
  expect(failures[0]?.message).toMatch(/the agent returned before its call of 'refuse' failed: .*await every call/);
});

test('prevents agents from changing the task', async () => {
  await using stage = await openStage(paying);
  const cheat: Agent = async (session, { task }) => {
    (task.task as { n: number }).n = 99;
    await session.call('end');
    return undefined;
  };

  await stage.play(cheat);

  expect((await stage.failures()).map(({ kind, message }) => `${kind} ${message}`)).toEqual(
    Array(2).fill(expect.stringMatching(/^agent Cannot assign to read only property 'n'/)),
  );
});

test.each<[string, unknown, RegExp]>([
  [
    'an unknown stop reason',
    { stop: 'weird' },
    /invalid 'stop' in the return value of the agent: expected one of finished, .*, got "weird"/,
  ],
  [
    'a text as turns',
    { turns: 'many' },
    /invalid 'turns' in the return value of the agent: expected an integer of at least 0, got "many"/,
  ],
  ['negative tokens', { usage: { inputTokens: -5 } }, /invalid 'usage.inputTokens' .* got -5$/],
  ['NaN as tokens', { usage: { inputTokens: 1, outputTokens: Number.NaN } }, /outputTokens' .* got NaN$/],
  ['a text', 'done', /invalid return value of the agent: expected an object or nothing, got "done"/],
])('fails the episode of an agent that returns %s', async (_what, report, sentence) => {
  await using stage = await openStage(paying);
  // A JavaScript module may return anything.
  const odd: Agent = async () => report as AgentReport;

  const { results } = await stage.play(odd);

  expect(results.failures).toEqual({ agent: 2 });
  expect((await stage.failures())[0]?.message).toMatch(sentence);
});

test('counts the reasons of failures, the most frequent first', async () => {
  await using stage = await openStage(paying);
  const unlucky: Agent = async (_session, { sample }) => {
    throw new Error(sample === 0 ? 'once a task' : 'twice a task');
  };

  const { results } = await stage.play(unlucky, { samples: 3 });

  expect(results.failure_reasons).toEqual([
    { kind: 'agent', message: 'twice a task', count: 4 },
    { kind: 'agent', message: 'once a task', count: 2 },
  ]);
});

test('redacts secrets of the environment in failures', async () => {
  await using stage = await openStage(paying);
  const chatty: Agent = async () => {
    throw new Error('the key abcdef123 is wrong');
  };

  const { results } = await stage.play(chatty, {}, { secrets: { KEY: 'abcdef123' } });

  expect((await stage.failures())[0]?.message).toBe('the key [secret] is wrong');
  expect(JSON.stringify(results)).not.toContain('abcdef123');
});
