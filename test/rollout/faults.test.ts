import { expect, test } from '@jest/globals';
import { defineEnvironment, defineTool, ToolError } from 'ors-kit';
import { z } from 'zod';
import type { Agent, AgentReport } from '../../src/rollout/index.ts';
import { openStage } from './stage.ts';

/** Two tasks; `tenth` pays a tenth, `refuse` says no after a while, `end` ends. */
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

test('an episode whose rewards are fractions that add up to the bound has passed', async () => {
  await using stage = await openStage(paying);
  const diligent: Agent = async (session) => {
    for (let call = 0; call < 10; call++) await session.call('tenth');
    return undefined;
  };

  const { results } = await stage.play(diligent);

  expect(results.reward.mean).toBeLessThan(1);
  expect(results.pass_at).toEqual({ 1: 1 });
});

test('an episode that misses the bound by more than a sum is off by has not passed', async () => {
  await using stage = await openStage(paying);
  const lazy: Agent = async (session) => {
    for (let call = 0; call < 9; call++) await session.call('tenth');
    return undefined;
  };

  const { results } = await stage.play(lazy);

  expect(results.pass_at).toEqual({ 1: 0 });
});

test('a call that the agent does not await still counts', async () => {
  await using stage = await openStage(paying);
  const hasty: Agent = async (session) => {
    void session.call('tenth');
    return undefined;
  };

  const { results } = await stage.play(hasty);

  expect(results).toMatchObject({ complete: true, reward: { mean: 0.1 } });
});

test('a call that the agent does not await and that fails is a fault of the agent', async () => {
  await using stage = await openStage(paying);
  const hasty: Agent = async (session) => {
    void session.call('refuse');
    return undefined;
  };

  const { results } = await stage.play(hasty);

  const failures = await stage.failures();
  expect(results).toMatchObject({ complete: false, failures: { agent: 2 }, episodes: { ended: 0 } });
  expect(failures[0]?.message).toMatch(
    /returned before its call of 'refuse' had ended, and that failed: .*await every call/,
  );
});

test('an agent cannot change the task of an episode', async () => {
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
    'a stop that there is none of',
    { stop: 'weird' },
    /the 'stop' that the agent returned is "weird"; it must be one of finished, /,
  ],
  [
    'turns that are no number',
    { turns: 'many' },
    /the 'turns' that the agent returned is "many"; it must be a whole number/,
  ],
  ['tokens below none', { usage: { inputTokens: -5 } }, /the 'usage.inputTokens' that the agent returned is -5;/],
  ['tokens that are no number', { usage: { inputTokens: 1, outputTokens: Number.NaN } }, /outputTokens' .* is NaN;/],
  ['a text', 'done', /what the agent returned is "done"; it must be an object, or nothing/],
])('an agent that returns %s is at fault', async (_what, report, sentence) => {
  await using stage = await openStage(paying);
  // A module that is no TypeScript may return anything.
  const odd: Agent = async () => report as AgentReport;

  const { results } = await stage.play(odd);

  expect(results.failures).toEqual({ agent: 2 });
  expect((await stage.failures())[0]?.message).toMatch(sentence);
});

test('the most frequent reasons of failures are counted, the first of them first', async () => {
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

test('a secret of the environment is in no failure', async () => {
  await using stage = await openStage(paying);
  const chatty: Agent = async () => {
    throw new Error('the key abcdef123 is wrong');
  };

  const { results } = await stage.play(chatty, {}, { secrets: { KEY: 'abcdef123' } });

  expect((await stage.failures())[0]?.message).toBe('the key [secret] is wrong');
  expect(JSON.stringify(results)).not.toContain('abcdef123');
});
