import { describe, expect, test } from '@jest/globals';
import { defineEnvironment, type Environment } from 'ors-kit';
import { z } from 'zod';
import { type Agent, AgentError, randomAgent } from '../../src/rollout/index.ts';
import { MemoryJournal } from '../../src/trial/index.ts';
import { stageModel } from './agents/stage.ts';
import { openStage, tracesOf } from './stage.ts';

/** Each of three calls of `take` earns what it takes; the third ends the episode. */
const taking = defineEnvironment({
  name: 'taking',
  durability: 'replay',
  splits: { test: [{ n: 0 }, { n: 1 }] },
  setup: () => ({ calls: 0 }),
  prompt: () => 'Take three times.',
  tools: {
    take: {
      description: 'Takes an amount.',
      input: z.object({ amount: z.number() }),
      run: ({ input, state }) => {
        state.calls += 1;
        return { text: `call ${state.calls}`, reward: input.amount, finished: state.calls === 3 };
      },
    },
  },
  solve: async ({ call }) => {
    for (const amount of [1, 2, 3]) await call('take', { amount });
  },
});

const openBranchStage = (environment: Environment) => openStage(environment, { journal: new MemoryJournal() });

/** Takes 10, 0 and 4 in its first episode of a task, and then continues with 1 each. */
function taker() {
  const seen: { readonly calls: number; readonly turns: number; readonly seed: number }[] = [];
  const played = new Set<number>();
  const agent: Agent = async (session, { task, limits, seed }) => {
    const isFirst = !played.has(task.index);
    played.add(task.index);
    const messages = await session.messages();
    seen.push({ calls: messages.filter(({ role }) => role === 'assistant').length, turns: limits.turns, seed });
    for (const amount of isFirst ? [10, 0, 4] : [1, 1, 1]) {
      if (!session.finished) await session.call('take', { amount });
    }
    return undefined;
  };
  return { agent, seen };
}

describe('a run with branches', () => {
  test('estimates the advantage of each call from continuations of the states around it', async () => {
    await using stage = await openBranchStage(taking);
    const { agent, seen } = taker();

    const { results, error } = await stage.play(agent, { branch: { continuations: 2, states: null } });

    expect(error).toBeUndefined();
    const records = await stage.rewards();
    expect(records).toHaveLength(2);
    for (const { score, steps, branches } of records) {
      expect(score).toBe(14);
      expect(steps.map(({ reward, advantage }) => [reward, advantage])).toEqual([
        [10, 9],
        [0, -1],
        [4, 3],
      ]);
      expect(branches).toMatchObject([
        { calls: 0, value: 3, standard_error: 0, continuations: [{ score: 3 }, { score: 3 }] },
        { calls: 1, value: 12, continuations: [{ score: 2 }, { score: 2 }] },
        { calls: 2, value: 11, continuations: [{ score: 1, stop: 'finished' }, { score: 1 }] },
      ]);
    }
    expect(results.branches).toMatchObject({
      states: 6,
      continuations: 12,
      advantages: { take: { calls: 6, mean: expect.closeTo(11 / 3, 10) } },
    });
    expect(results.reward.mean).toBe(14);
    // The conversation, and what is left of the turns.
    const states = seen.map(({ calls, turns }) => `${calls} ${turns}`).sort();
    expect(states).toEqual(['0 20', '1 19', '2 18'].flatMap((state) => Array(state === '0 20' ? 6 : 4).fill(state)));
    expect(new Set(seen.map(({ seed }) => seed)).size).toBe(seen.length);
  });

  test('continues from at most as many states as requested, whose advantage the calls between them share', async () => {
    await using stage = await openBranchStage(taking);

    await stage.play(taker().agent, { branch: { continuations: 1, states: 2 }, tasks: [{ start: 0, stop: 1 }] });

    const [record] = await stage.rewards();
    expect(record?.branches?.map(({ calls, value, standard_error }) => [calls, value, standard_error])).toEqual([
      [0, 3, null],
      [1, 12, null],
    ]);
    expect(record?.steps.map(({ advantage }) => advantage)).toEqual([9, 2, 2]);
  });

  test('counts a whole episode, also if its reward is not a sum', async () => {
    await using stage = await openBranchStage(taking);

    await stage.play(taker().agent, { reducer: 'max', branch: { continuations: 1, states: null } });

    const [record] = await stage.rewards();
    expect(record?.branches?.map(({ value }) => value)).toEqual([1, 10, 10]);
    expect(record?.steps.map(({ advantage }) => advantage)).toEqual([9, 0, 0]);
  });

  test('records each continuation in a trace with its parent, and removes those of failed attempts', async () => {
    await using stage = await openBranchStage(taking);
    const { agent } = taker();
    let failures = 0;
    const unlucky: Agent = async (session, context) => {
      const isLast = (await session.messages()).length > 3;
      if (isLast && failures++ === 0) throw new AgentError('overloaded', { retryable: true });
      return agent(session, context);
    };

    await stage.play(unlucky, { branch: { continuations: 1, states: null }, tasks: [{ start: 0, stop: 1 }] });

    const [record] = await stage.rewards();
    const traces = await tracesOf(stage.store);
    const parents = traces.map(({ id, parent_trace_id, parent_calls }) => [id, parent_trace_id, parent_calls]);
    const branches = record?.branches?.map(({ calls, continuations }) => [
      continuations[0]?.trace_id,
      record.trace_id,
      calls,
    ]);
    expect(await stage.failures()).toMatchObject([{ kind: 'provider', retried: true }]);
    expect(parents.sort()).toEqual([[record?.trace_id, undefined, undefined], ...(branches ?? [])].sort());
  });

  test('continues the conversation of a model where it was', async () => {
    const take = (amount: number) => ({ calls: [{ name: 'take', input: { amount } }], text: `I take ${amount}.` });
    const replies = [take(5), take(6), take(7), ...Array.from({ length: 6 }, () => take(1))];
    await using model = await stageModel(replies);
    await using stage = await openBranchStage(taking);

    const { error } = await stage.play(
      model.agent,
      { branch: { continuations: 1, states: null }, tasks: [{ start: 0, stop: 1 }] },
      { concurrency: 1 },
    );

    expect(error).toBeUndefined();
    const [record] = await stage.rewards();
    expect(record?.branches?.map(({ value }) => value)).toEqual([3, 7, 12]);
    expect(record?.steps.map(({ advantage }) => advantage)).toEqual([4, 5, 6]);
    // The last continuation begins with the first two calls of the episode, and what the model said.
    const { text } = model.requests.at(-1) ?? { text: '' };
    for (const said of ['I take 5.', 'call 1', 'I take 6.', 'call 2']) expect(text).toContain(said);
    expect(text).not.toContain('I take 7.');
  });

  test('continues random play, with other calls in each continuation', async () => {
    await using stage = await openBranchStage(taking);

    await stage.play(randomAgent(), { branch: { continuations: 3, states: 1 }, tasks: [{ start: 0, stop: 1 }] });

    const [record] = await stage.rewards();
    const scores = record?.branches?.[0]?.continuations.map(({ score }) => score);
    expect(new Set(scores).size).toBe(3);
  });

  test('resumes with the traces of its continuations', async () => {
    await using stage = await openBranchStage(taking);
    const branch = { continuations: 1, states: null };
    await stage.play(taker().agent, { id: 'one', branch, tasks: [{ start: 0, stop: 1 }] });
    const before = await stage.rewards();

    const { results } = await stage.play(taker().agent, { branch });

    expect(results.complete).toBe(true);
    expect(await stage.rewards()).toEqual(before);
    expect(await tracesOf(stage.store)).toHaveLength(4);
  });

  test('ends at once if the server cannot fork sessions, and says what it needs', async () => {
    await using stage = await openStage(taking);

    const { error } = await stage.play(
      taker().agent,
      { branch: { continuations: 1, states: null } },
      { concurrency: 1 },
    );

    expect(String(error)).toMatch(/branches need a server that forks sessions: .*--journal/);
    expect(await stage.failures()).toHaveLength(1);
  });
});

describe('an agent that forks its session', () => {
  test('gets the conversation so far, and leaves no session behind', async () => {
    await using stage = await openBranchStage(taking);
    const open: string[] = [];
    const agent: Agent = async (session) => {
      await session.call('take', { amount: 2 });
      const trial = await session.fork();
      open.push(trial.sid);
      const messages = await trial.messages();
      const nested = await trial.fork();
      open.push(nested.sid);
      await nested.call('take', { amount: 100 });
      await session.call('take', { amount: messages.length });
      return { stop: 'stopped' };
    };

    const { error } = await stage.play(agent, { tasks: [{ start: 0, stop: 1 }] });

    expect(error).toBeUndefined();
    expect(await stage.rewards()).toMatchObject([{ reward: 5, steps: [{ reward: 2 }, { reward: 3 }] }]);
    for (const sid of open) {
      const response = await fetch(`${stage.url}/ping`, { method: 'POST', headers: { 'X-Session-ID': sid } });
      expect(response.status).toBe(410);
    }
  });
});
