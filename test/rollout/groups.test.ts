import { describe, expect, it } from '@jest/globals';
import type { Agent, RunProgress } from '../../src/rollout/index.ts';
import { stageModel } from './agents/stage.ts';
import { openScriptedStage, type ScriptedEnvironment } from './scripted-server.ts';

type Candidates = Parameters<NonNullable<ScriptedEnvironment['scoreGroup']>>[0];

const lastText = ({ messages }: Candidates[number]): string => {
  const { blocks = [] } = (messages.at(-1) ?? {}) as { blocks?: { text?: string }[] };
  return blocks.map(({ text = '' }) => text).join('');
};
/** Scores candidates by the number in their last message. */
const byNumber = (candidates: Candidates) => candidates.map((one) => ({ reward: Number(lastText(one)) }));

const graded: ScriptedEnvironment = {
  tasks: 2,
  terminal: { name: 'submit', arg: 'poem' },
  call: ({ input }) => ({ reward: String(input.poem).length, finished: true }),
};
const poems: ScriptedEnvironment = { ...graded, scoreGroup: byNumber };
/** Submits the number of its sample, divided by ten. */
const poet: Agent = async (session, { sample }) => {
  await session.answer(String(sample / 10));
  return undefined;
};

describe('a run in an environment that compares rollouts', () => {
  it('keeps the rewards of the groups beside those of the episodes', async () => {
    await using stage = await openScriptedStage(poems);

    const { results, error } = await stage.play(poet, { samples: 3 });

    const groups = (await stage.groups()).toSorted((one, other) => one.task - other.task);
    expect(error).toBeUndefined();
    expect(groups).toMatchObject([0, 1].map((task) => ({ task, rewards: [0, 0.1, 0.2], error: null })));
    expect((await stage.rewards()).map(({ reward }) => reward).sort()).toEqual([1, 1, 3, 3, 3, 3]);
    expect(results.groups).toMatchObject(
      [0, 1].map((task) => ({ task, scores: [1, 3, 3], group_rewards: [0, 0.1, 0.2] })),
    );
    expect(results.group_scores).toEqual({
      scored: 2,
      failed: 0,
      mean: expect.closeTo(0.1, 10),
      min: 0,
      max: 0.2,
      failure_reason: null,
    });
    expect(results.reward.mean).toBeCloseTo(7 / 3, 10);
  });

  it('reports the groups that are being compared, which ends after the episodes', async () => {
    const seen: RunProgress[] = [];
    await using stage = await openScriptedStage(poems);

    await stage.play(poet, { samples: 3 }, { onProgress: (progress) => void seen.push(progress) });

    const counts = seen.map(({ comparing }) => comparing);
    expect(counts[0]).toBe(0);
    expect(Math.max(...counts)).toBeGreaterThan(0);
    expect(seen.some(({ ended, comparing }) => ended === 6 && comparing > 0)).toBe(true);
    expect(seen.at(-1)).toMatchObject({ ended: 6, planned: 6, comparing: 0 });
    expect(counts.every((count, at) => Math.abs(count - (counts[at - 1] ?? 0)) <= 1)).toBe(true);
  });

  it('sends the messages of the model after the prompt: reasoning, calls, results and answer', async () => {
    const seen: Candidates[number][] = [];
    await using model = await stageModel(
      [0, 1].flatMap((n) => [
        { reasoning: `thought ${n}`, calls: [{ name: 'look', id: `c${n}` }] },
        { text: String(n) },
      ]),
    );
    await using stage = await openScriptedStage({
      ...poems,
      tasks: 1,
      tools: ['look'],
      call: ({ name }) => (name === 'look' ? { text: 'a leaf' } : { reward: 1, finished: true }),
      scoreGroup: (candidates) => {
        seen.push(...candidates);
        return byNumber(candidates);
      },
    });

    const { results } = await stage.play(model.agent, { samples: 2 }, { concurrency: 1 });

    expect(results.groups).toMatchObject([{ group_rewards: [0, 1] }]);
    expect(seen[0]?.messages).toMatchObject([
      {
        role: 'assistant',
        blocks: [
          { type: 'reasoning', text: 'thought 0' },
          { type: 'tool_call', id: 'c0', name: 'look', input: {} },
        ],
      },
      {
        role: 'user',
        blocks: [{ type: 'tool_result', tool_call_id: 'c0', blocks: [{ type: 'text', text: 'a leaf' }] }],
      },
      { role: 'assistant', blocks: [{ type: 'text', text: '0' }] },
    ]);
  });

  it('has no rewards, rather than zeros, for a group whose comparison fails', async () => {
    await using stage = await openScriptedStage({
      ...poems,
      scoreGroup: (candidates, index) => {
        if (index === 1) throw new Error('the judge is out');
        return byNumber(candidates);
      },
    });

    const { results, error } = await stage.play(poet, { samples: 2 });

    const failed = (await stage.groups()).find(({ task }) => task === 1);
    expect(error).toBeUndefined();
    expect(failed).toMatchObject({ rewards: null, error: expect.stringContaining('the judge is out') });
    expect(results.group_scores).toMatchObject({ scored: 1, failed: 1, max: 0.1 });
    expect(results.groups[1]).not.toHaveProperty('group_rewards');
    expect(results).toMatchObject({ complete: true, reward: { mean: 2 } });
  });

  it('repeats only comparisons that failed when it is resumed', async () => {
    let isJudgeIn = false;
    const compared: number[] = [];
    await using stage = await openScriptedStage({
      ...poems,
      scoreGroup: (candidates, index) => {
        compared.push(index);
        if (index === 1 && !isJudgeIn) throw new Error('the judge is out');
        return byNumber(candidates);
      },
    });
    await stage.play(poet, { samples: 2 });
    isJudgeIn = true;

    const { results } = await stage.play(poet);

    expect(compared.toSorted()).toEqual([0, 1, 1]);
    expect(results.groups).toMatchObject([{ group_rewards: [0, 0.1] }, { group_rewards: [0, 0.1] }]);
    expect(await stage.rewards()).toHaveLength(4);
  });

  it('compares a group of which earlier parts of the run played a part', async () => {
    await using stage = await openScriptedStage({ ...poems, tasks: 1 });
    const failing: Agent = async (session, context) => {
      if (context.sample === 2) throw new Error('not yet');
      return poet(session, context);
    };
    await stage.play(failing, { samples: 3 });
    expect(await stage.groups()).toEqual([]);

    const { results } = await stage.play(poet);

    expect(results.groups).toMatchObject([{ group_rewards: [0, 0.1, 0.2] }]);
  });

  it.each([
    ['an environment that cannot compare', graded, 3],
    ['one sample per task', poems, 1],
  ])('requests nothing for %s', async (_what, environment, samples) => {
    await using stage = await openScriptedStage(environment);

    const { results } = await stage.play(poet, { samples });

    expect(results.group_scores).toBeNull();
    expect(stage.server.to('/scripted/score_group')).toEqual([]);
    expect(await stage.candidates()).toEqual([]);
  });
});

describe('the conversation of an episode', () => {
  const conversation = [
    { role: 'system', blocks: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', blocks: [{ type: 'text', text: 'Where is order 7?' }] },
    {
      role: 'assistant',
      blocks: [
        { type: 'reasoning', text: 'check the carrier', signature: 'signed' },
        { type: 'tool_call', id: 'c1', name: 'lookup', input: { id: '7' } },
      ],
    },
    {
      role: 'user',
      blocks: [
        { type: 'tool_result', tool_call_id: 'c1', blocks: [{ type: 'text', text: 'stalled' }] },
        { type: 'text', text: 'hurry' },
      ],
    },
  ];
  const ordered: ScriptedEnvironment = { ...poems, tasks: 1, tools: ['lookup'], messages: conversation };

  it('reaches chat completions with its roles', async () => {
    await using model = await stageModel([{ text: 'soon' }], { system: 'Play well.' });
    await using stage = await openScriptedStage(ordered);

    await stage.play(model.agent);

    expect(model.requests[0]?.body.messages).toMatchObject([
      { role: 'system', content: 'Play well.' },
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Where is order 7?' },
      {
        role: 'assistant',
        reasoning_content: 'check the carrier',
        tool_calls: [{ id: 'c1', function: { name: 'lookup', arguments: '{"id":"7"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'stalled' },
      { role: 'user', content: 'hurry' },
    ]);
    expect(stage.server.to('/scripted/prompt')).toEqual([]);
  });

  it('reaches the Messages API with its roles and signed reasoning', async () => {
    await using model = await stageModel([{ text: 'soon' }], { via: 'anthropic' });
    await using stage = await openScriptedStage(ordered);

    await stage.play(model.agent);

    const { system, messages } = model.requests[0]?.body ?? {};
    expect(JSON.stringify(system)).toContain('Be brief.');
    expect(messages).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: 'Where is order 7?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'check the carrier', signature: 'signed' },
          { type: 'tool_use', id: 'c1', name: 'lookup', input: { id: '7' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1' },
          { type: 'text', text: 'hurry' },
        ],
      },
    ]);
  });

  it('reaches the Responses API with its roles, and reasoning as text', async () => {
    await using model = await stageModel([{ text: 'soon' }], { via: 'responses' });
    await using stage = await openScriptedStage(ordered);

    await stage.play(model.agent);

    const input: { role?: string; type?: string }[] = model.requests[0]?.body.input;
    expect(input.map(({ role, type }) => role ?? type)).toEqual([
      expect.stringMatching(/system|developer/),
      'user',
      'assistant',
      'function_call',
      'function_call_output',
      'user',
    ]);
    expect(JSON.stringify(input)).toContain('<think>check the carrier</think>');
  });

  it('is read once, and its prompt only if the agent needs it', async () => {
    await using stage = await openScriptedStage({ ...ordered, prompt: 'the flattened prompt' });
    let prompt: unknown;

    await stage.play(async (session) => {
      await session.messages();
      await session.messages({ format: 'openai' });
      prompt = await session.prompt();
      await session.prompt();
      return undefined;
    });

    expect(prompt).toMatchObject([{ text: 'the flattened prompt' }]);
    expect(stage.server.to('/scripted/messages')).toHaveLength(1);
    expect(stage.server.to('/scripted/prompt')).toHaveLength(1);
    expect(stage.server.to('/scripted/task_tools')).toHaveLength(1);
  });
});
