import { describe, expect, it } from '@jest/globals';
import { idleAgent, randomAgent } from '../../src/rollout/index.ts';
import { stageModel } from './agents/stage.ts';
import type { FakeAnswer } from './agents/wire.ts';
import { openScriptedStage, type ScriptedEnvironment } from './scripted-server.ts';

/** Environment that grades the final message: 1 for `4`, else 0. */
const graded: ScriptedEnvironment = {
  tools: ['think'],
  terminal: { name: 'submit', arg: 'answer' },
  call: ({ name, input }) =>
    name === 'submit' ? { reward: input.answer === '4' ? 1 : 0, finished: true } : { text: 'hm', reward: 0 },
};
const think: FakeAnswer = { text: '4', calls: [{ name: 'think' }] };

describe('a model in an environment that grades final messages', () => {
  it.each(['compatible', 'responses', 'anthropic'] as const)(
    'submits the text of a response without a call, without reasoning (%s)',
    async (via) => {
      await using model = await stageModel([think, { reasoning: 'It is 5.', text: '  4 \n' }], { via });
      await using stage = await openScriptedStage(graded);

      const { results } = await stage.play(model.agent);

      const calls = stage.server.to('/scripted/call').map(({ body }) => [body.name, body.input]);
      expect(calls).toEqual([
        ['think', {}],
        ['submit', { answer: '4' }],
      ]);
      expect(await stage.rewards()).toMatchObject([{ reward: 1, ungraded: null, stop: 'finished', turns: 2 }]);
      expect(results.reward).toMatchObject({ mean: 1, without: 0, ungraded: 0 });
    },
  );

  it('gets the refusal of its answer once, and answers again', async () => {
    const refused = { error: 'Tool input validation error: not a number', reason: 'input_validation' };
    await using model = await stageModel([{ text: 'The answer is 4' }, { text: '4' }]);
    await using stage = await openScriptedStage({
      ...graded,
      call: ({ input }) => (input.answer === '4' ? { reward: 1, finished: true } : refused),
    });

    await stage.play(model.agent);

    expect(model.requests[1]?.body.messages.slice(-2)).toEqual([
      { role: 'assistant', content: 'The answer is 4' },
      { role: 'user', content: refused.error },
    ]);
    expect(await stage.rewards()).toMatchObject([{ reward: 1, ungraded: null }]);
  });

  it('has no reward, rather than 0, if its second answer is refused too', async () => {
    await using model = await stageModel([think, { text: 'four' }, { text: 'IV' }, { text: 'never sent' }]);
    await using stage = await openScriptedStage({
      ...graded,
      call: ({ name }) =>
        name === 'think' ? { reward: 0 } : { error: 'Tool input validation error', reason: 'input_validation' },
    });

    const { results } = await stage.play(model.agent);

    expect(model.requests).toHaveLength(3);
    expect(await stage.rewards()).toMatchObject([{ reward: null, score: 0, ungraded: 'answer_refused' }]);
    expect(results.reward).toMatchObject({ without: 1, ungraded: 1 });
  });

  it('has no reward, rather than 0, if it reaches the turn limit before it answers', async () => {
    await using model = await stageModel([think, think, think]);
    await using stage = await openScriptedStage(graded);

    await stage.play(model.agent, { limits: { turns: 2, tokens: null, seconds: null } });

    expect(await stage.rewards()).toMatchObject([{ reward: null, ungraded: 'no_answer', stop: 'turn_limit' }]);
    expect(stage.server.to('/scripted/call').map(({ body }) => body.name)).toEqual(['think', 'think']);
  });

  it('submits nothing after another tool has finished the episode', async () => {
    await using model = await stageModel([think, { text: '5' }]);
    await using stage = await openScriptedStage({ ...graded, call: () => ({ reward: 0.5, finished: true }) });

    await stage.play(model.agent);

    expect(model.requests).toHaveLength(1);
    expect(await stage.rewards()).toMatchObject([{ reward: 0.5, ungraded: null, stop: 'finished' }]);
  });

  it('makes no further call of a response whose call finished the episode', async () => {
    await using model = await stageModel([{ calls: [{ name: 'think' }, { name: 'grade' }, { name: 'think' }] }]);
    await using stage = await openScriptedStage({
      ...graded,
      tools: ['think', 'grade'],
      call: ({ name }) => (name === 'grade' ? { reward: 1, finished: true } : { reward: 0.25 }),
    });

    await stage.play(model.agent);

    expect(stage.server.to('/scripted/call').map(({ body }) => body.name)).toEqual(['think', 'grade']);
    expect(await stage.rewards()).toMatchObject([{ reward: 1.25, stop: 'finished' }]);
  });

  it('ends with the answer, also if the tool does not finish the episode', async () => {
    await using model = await stageModel([{ text: '4' }]);
    await using stage = await openScriptedStage({ ...graded, call: () => ({ reward: 0.75, finished: false }) });

    await stage.play(model.agent);

    expect(model.requests).toHaveLength(1);
    expect(await stage.rewards()).toMatchObject([{ reward: 0.75, ungraded: null, stop: 'stopped' }]);
  });

  it('submits an empty answer, and gets no tools if there are none', async () => {
    await using model = await stageModel([{ reasoning: 'Hm.' }]);
    await using stage = await openScriptedStage({ ...graded, tools: [] });

    await stage.play(model.agent);

    expect(model.requests[0]?.body).not.toHaveProperty('tools');
    expect(stage.server.to('/scripted/call')[0]?.body.input).toEqual({ answer: '' });
    expect(await stage.rewards()).toMatchObject([{ reward: 0, ungraded: null }]);
  });

  it('fails its episode if the grader crashes', async () => {
    await using model = await stageModel([{ text: '4' }]);
    await using stage = await openScriptedStage({ ...graded, call: () => ({ crash: 'the judge is out' }) });

    await stage.play(model.agent);

    expect(await stage.failures()).toMatchObject([{ kind: 'tool_crashed' }]);
    expect(await stage.rewards()).toEqual([]);
  });
});

describe('scripted agents in an environment that grades final messages', () => {
  it('leaves an episode of the idle agent without a grade', async () => {
    await using stage = await openScriptedStage(graded);

    await stage.play(idleAgent());

    expect(await stage.rewards()).toMatchObject([{ reward: null, ungraded: 'no_answer', stop: 'stopped' }]);
  });

  it.each([['answer'], [null]])('answers at random, with the parameter %j', async (arg) => {
    await using stage = await openScriptedStage({ ...graded, tools: [], terminal: { name: 'submit', arg } });

    await stage.play(randomAgent(), { samples: 3 });

    const inputs = stage.server.to('/scripted/call').map(({ body }) => Object.keys(body.input as object));
    expect(inputs).toEqual(Array(3).fill(arg === null ? [] : [arg]));
    expect((await stage.rewards()).map(({ ungraded }) => ungraded)).toEqual([null, null, null]);
  });

  it('submits an answer after the results of the calls that are still running', async () => {
    const events: string[] = [];
    await using stage = await openScriptedStage({
      ...graded,
      call: async ({ name }) => {
        events.push(`begin ${name}`);
        if (name === 'think') await new Promise((resolve) => setTimeout(resolve, 30));
        events.push(`end ${name}`);
        return name === 'submit' ? { reward: 1, finished: true } : {};
      },
    });

    await stage.play(async (session) => {
      await Promise.all([session.call('think'), session.answer('4')]);
      return undefined;
    });

    expect(events).toEqual(['begin think', 'end think', 'begin submit', 'end submit']);
  });

  it('keeps a grade if other calls come too late, or fail after it', async () => {
    const late = { error: "'think' was not run: the episode has finished", reason: 'episode_finished' };
    await using stage = await openScriptedStage({
      ...graded,
      call: async ({ name }) => {
        if (name === 'grade') return { reward: 1, finished: true };
        await new Promise((resolve) => setTimeout(resolve, 30));
        return name === 'think' ? late : { crash: 'out of order' };
      },
    });

    await stage.play(async (session) => {
      void session.call('think').catch(() => undefined);
      void session.call('crash').catch(() => undefined);
      await session.call('grade');
      return undefined;
    });

    const [episode] = await stage.rewards();
    expect(episode).toMatchObject({ reward: 1, stop: 'finished' });
    expect(episode?.steps).toMatchObject([
      { tool: 'think', ok: false, reward: null },
      { tool: 'grade', ok: true, reward: 1 },
    ]);
    expect(await stage.failures()).toEqual([]);
  });

  it('rejects an answer after the end of the episode, without a request', async () => {
    await using stage = await openScriptedStage({ ...graded, call: () => ({ reward: 1, finished: true }) });
    let reason: unknown;

    await stage.play(async (session) => {
      await session.call('think');
      reason = await session.answer('4').catch((error: unknown) => error);
      return undefined;
    });

    expect(reason).toMatchObject({ name: 'ToolCallError', reason: 'episode_finished' });
    expect(stage.server.to('/scripted/call')).toHaveLength(1);
  });
});
