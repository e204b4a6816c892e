import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { defineEnvironment, defineTool } from 'ors-kit';
import { z } from 'zod';
import { type Agent, AgentError, openRunFolder } from '../../src/rollout/index.ts';
import { readTokenUsage } from '../../src/trace/model/index.ts';
import { openStage, tracesOf } from './stage.ts';

/** Environment with ten tasks. `guess` returns the guess as reward, `crash` crashes, and `hint` returns no reward. */
const guessing = defineEnvironment({
  name: 'guessing',
  splits: { test: Array.from({ length: 10 }, (_, n) => ({ n })) },
  prompt: ({ task }) => `Guess ${task.n}.`,
  tools: {
    guess: defineTool({
      description: 'Guesses.',
      input: z.object({ worth: z.number() }),
      run: ({ input }) => ({ text: 'ok', reward: input.worth, finished: true }),
    }),
    hint: { description: 'Helps.', run: () => ({ text: 'higher' }) },
    crash: {
      description: 'Crashes.',
      run: () => {
        throw new Error('out of order');
      },
    },
  },
});

const guess =
  (worth: (task: number, sample: number) => number): Agent =>
  async (session, { task, sample }) => {
    await session.call('guess', { worth: worth(task.index, sample) });
    return undefined;
  };

const keys = (rows: readonly { readonly task: number; readonly sample: number }[]) =>
  rows.map(({ task, sample }) => `${task}/${sample}`).sort();
const grid = (tasks: number, samples: number) =>
  keys(Array.from({ length: tasks * samples }, (_, at) => ({ task: at % tasks, sample: Math.floor(at / tasks) })));

test('logs turns and tokens that an agent reports, beside its own metadata', async () => {
  await using stage = await openStage(guessing);
  const agent: Agent = async (session, { trace }) => {
    await session.call('guess', { worth: 1 });
    await trace?.update({ metadata: { temper: 'calm', turns: 'many' } });
    return { turns: 3, usage: { inputTokens: 40, outputTokens: 2 } };
  };

  await stage.play(agent, { tasks: [{ start: 0, stop: 1 }] });

  const [trace] = await tracesOf(stage.store);
  expect(trace?.metadata).toEqual({
    temper: 'calm',
    turns: 'many',
    usage: { input_tokens: 40, output_tokens: 2 },
  });
  expect(trace && readTokenUsage(trace)).toEqual({ input: 40, output: 2, total: 42 });
});

test('records each sample of each task once in rewards.jsonl and in one finished trace', async () => {
  await using stage = await openStage(guessing);

  const { results, error } = await stage.play(
    guess((task, sample) => Number(sample < task)),
    { samples: 3 },
  );

  const rewards = await stage.rewards();
  const traces = await tracesOf(stage.store);
  expect(error).toBeUndefined();
  expect(keys(rewards)).toEqual(grid(10, 3));
  expect(traces.map(({ id }) => id).sort()).toEqual(rewards.map(({ trace_id }) => trace_id).sort());
  expect(new Set(traces.map(({ status, run, tags }) => `${status} ${run} ${tags}`))).toEqual(
    new Set(['finished trial stop:finished']),
  );
  expect(
    keys(traces.map(({ task_index, rollout_index }) => ({ task: task_index ?? -1, sample: rollout_index ?? -1 }))),
  ).toEqual(grid(10, 3));
  expect(results).toMatchObject({
    complete: true,
    episodes: { planned: 30, ended: 30, missing: 0 },
    reward: { mean: (0 + 1 / 3 + 2 / 3 + 7) / 10, min: 0, max: 1, without: 0 },
    stops: { finished: 30 },
    tools: { guess: { calls: 30, rewardedCalls: 30, reward: 24 } },
  });
  expect(results.pass_at['1']).toBeCloseTo(0.8, 10);
  expect(results.pass_at['2']).toBeCloseTo((2 / 3 + 1 + 7) / 10, 10);
  expect(results.pass_at['3']).toBeCloseTo(0.9, 10);
  expect(results.groups[1]).toEqual({
    task: 1,
    scores: [1, 0, 0],
    mean: expect.closeTo(1 / 3, 10),
    std: expect.closeTo(Math.SQRT2 / 3, 10),
    advantages: [2 / 3, -1 / 3, -1 / 3].map((above) => expect.closeTo(above / (Math.SQRT2 / 3 + 1e-6), 10)),
  });
});

test('counts an episode without a reward as 0', async () => {
  await using stage = await openStage(guessing);
  const hesitant: Agent = async (session) => {
    await session.call('hint');
    return undefined;
  };

  const { results } = await stage.play(hesitant, { tasks: [{ start: 4, stop: 6 }] });

  const rewards = await stage.rewards();
  expect(rewards.map(({ task, reward, score, stop }) => ({ task, reward, score, stop }))).toEqual(
    expect.arrayContaining([4, 5].map((task) => ({ task, reward: null, score: 0, stop: 'stopped' }))),
  );
  expect(results.reward).toMatchObject({ mean: 0, without: 2 });
});

test('retries a failed episode, and keeps only the trace of the attempt that ended', async () => {
  await using stage = await openStage(guessing);
  const tried = new Map<number, number>();
  const unlucky: Agent = async (session, { task: { index } }) => {
    tried.set(index, (tried.get(index) ?? 0) + 1);
    await session.call(tried.get(index) === 1 && index < 3 ? 'crash' : 'guess', { worth: 1 });
    return undefined;
  };

  const { results } = await stage.play(unlucky);

  const rewards = await stage.rewards();
  const failures = await stage.failures();
  expect(keys(rewards)).toEqual(grid(10, 1));
  expect(
    rewards
      .filter(({ attempt }) => attempt === 2)
      .map(({ task }) => task)
      .sort(),
  ).toEqual([0, 1, 2]);
  expect(failures.map(({ kind, retried }) => `${kind} ${retried}`)).toEqual(Array(3).fill('tool_crashed true'));
  expect(await tracesOf(stage.store)).toHaveLength(10);
  expect(results).toMatchObject({ complete: true, failures: { tool_crashed: 3 }, reward: { mean: 1 } });
});

test('excludes an episode from all means if all attempts fail, and counts it as missing', async () => {
  await using stage = await openStage(guessing);
  const unlucky: Agent = async (session, { task: { index } }) => {
    await session.call(index === 7 ? 'crash' : 'guess', { worth: 1 });
    return undefined;
  };

  const { results } = await stage.play(unlucky, {}, { attempts: 2 });
  const failed = (await tracesOf(stage.store)).filter(({ status }) => status === 'error');
  const later = await stage.play(guess(() => 1));

  expect(results).toMatchObject({
    complete: false,
    episodes: { planned: 10, ended: 9, missing: 1 },
    failures: { tool_crashed: 2 },
    reward: { mean: 1, min: 1 },
  });
  expect(failed.map(({ task_index, tags }) => [task_index, tags])).toEqual([[7, ['failed:tool_crashed']]]);
  expect(later.results).toMatchObject({ complete: true, failures: { tool_crashed: 2 } });
  expect(keys(await stage.rewards())).toEqual(grid(10, 1));
  expect((await tracesOf(stage.store)).map(({ status }) => status)).toEqual(Array(10).fill('finished'));
});

test('keeps the rewards of an episode that ends at the time limit', async () => {
  await using stage = await openStage(guessing);
  const dreamer: Agent = async (session, { signal }) => {
    await session.call('hint');
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    return undefined;
  };

  const limits = { turns: 5, tokens: null, seconds: 3 };
  const { results } = await stage.play(dreamer, { limits, tasks: [{ start: 0, stop: 2 }] });

  expect(results).toMatchObject({ complete: true, stops: { time_limit: 2 }, failures: {} });
  expect((await stage.rewards()).map(({ steps }) => steps.map(({ tool }) => tool))).toEqual([['hint'], ['hint']]);
});

test('resumes an interrupted run with the missing episodes', async () => {
  await using stage = await openStage(guessing);
  const stop = new AbortController();
  let played = 0;
  const steady: Agent = async (session, context) => {
    if (++played === 12) stop.abort(new Error('interrupted'));
    return guess(() => 1)(session, context);
  };

  const first = await stage.play(steady, { samples: 3 }, { concurrency: 4, signal: stop.signal });
  const before = await stage.rewards();
  const second = await stage.play(guess(() => 1));

  const rewards = await stage.rewards();
  expect(first.error).toEqual(new Error('interrupted'));
  expect(first.results).toMatchObject({ complete: false, episodes: { planned: 30, ended: before.length } });
  expect(second.results).toMatchObject({ complete: true, failures: {} });
  expect(keys(rewards)).toEqual(grid(10, 3));
  expect(rewards.slice(0, before.length)).toEqual(before);
  expect((await tracesOf(stage.store)).map(({ id }) => id).sort()).toEqual(
    rewards.map(({ trace_id }) => trace_id).sort(),
  );
});

test('plays a truncated line again, and reports an invalid one', async () => {
  await using stage = await openStage(guessing);
  await stage.play(
    guess(() => 1),
    { tasks: [{ start: 0, stop: 2 }] },
  );
  const file = join(stage.folder, 'rewards.jsonl');

  await appendFile(file, '{"task":2,"sam');
  const { results } = await stage.play(guess(() => 1));
  await appendFile(file, 'not JSON\n');

  expect(results.complete).toBe(true);
  expect(keys(await openRewards(stage.folder))).toEqual(['0/0', '1/0']);
  await expect(openRunFolder(stage.folder)).rejects.toThrow(/line 3 of .*rewards\.jsonl is not a JSON object/);
});

/** Returns the lines that are complete JSON. */
async function openRewards(folder: string) {
  const text = await readFile(join(folder, 'rewards.jsonl'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

test('rejects a second resume of the same run', async () => {
  await using stage = await openStage(guessing);
  await stage.play(guess(() => 1));
  await using _held = await openRunFolder(stage.folder);

  await expect(openRunFolder(stage.folder)).rejects.toThrow(/is in use by this process already; wait until/);
});

test('ends the run if the provider rejects the first episode', async () => {
  await using stage = await openStage(guessing);
  const refused: Agent = async () => {
    throw new AgentError('the key is wrong', { retryable: false });
  };

  const { results, error } = await stage.play(refused, {}, { concurrency: 1 });

  expect(error).toEqual(expect.objectContaining({ name: 'AgentError', message: 'the key is wrong' }));
  expect(results).toMatchObject({ complete: false, episodes: { ended: 0, missing: 10 }, failures: { provider: 1 } });
});

test('continues if the provider rejects the content of the first task', async () => {
  await using stage = await openStage(guessing);
  const picky: Agent = async (session, context) => {
    if (context.task.index === 0) throw new AgentError('no images', { scope: 'task' });
    return guess(() => 1)(session, context);
  };

  const { results, error } = await stage.play(picky, {}, { concurrency: 1 });

  expect(error).toBeUndefined();
  expect(results).toMatchObject({ episodes: { ended: 9, missing: 1 }, failures: { provider: 1 } });
});

test('ends the run if the provider rejects the content of the first three tasks', async () => {
  await using stage = await openStage(guessing);
  const refused: Agent = async () => {
    throw new AgentError('no tools', { scope: 'task' });
  };

  const { results, error } = await stage.play(refused, { samples: 2 }, { concurrency: 1 });

  expect(error).toMatchObject({ name: 'AgentError', message: 'no tools' });
  expect(results).toMatchObject({ episodes: { ended: 0 }, failures: { provider: 5 } });
});

test('ends the run with the reason if all episodes fail', async () => {
  await using stage = await openStage(guessing);
  const broken: Agent = async () => {
    throw new TypeError('agent is out of order');
  };

  const { error } = await stage.play(broken, { samples: 9 }, { concurrency: 2 });

  expect(String(error)).toMatch(/1\d consecutive episodes failed, the last one with: agent is out of order/);
  expect((await stage.failures()).every(({ kind, retried }) => kind === 'agent' && !retried)).toBe(true);
});

test('passes each episode a different seed, which is the same in every run', async () => {
  await using stage = await openStage(guessing);
  const seeds = new Map<string, number>();
  const noting: Agent = async (session, context) => {
    seeds.set(`${context.task.index}/${context.sample}`, context.seed);
    return guess(() => 1)(session, context);
  };
  await using again = await openStage(guessing);

  await stage.play(noting, { samples: 3 });
  const first = new Map(seeds);
  await again.play(noting, { samples: 3 });

  expect([...seeds].sort()).toEqual([...first].sort());
  expect(new Set(seeds.values()).size).toBe(30);
});

test('records a tool error as a step without a reward', async () => {
  await using stage = await openStage(guessing);

  await stage.play(
    async (session) => {
      await session.call('nothing').catch(() => undefined);
      await session.call('hint');
      return undefined;
    },
    { tasks: [{ start: 0, stop: 1 }] },
  );

  const [episode] = await stage.rewards();
  expect(episode?.steps).toMatchObject([
    { tool: 'nothing', ok: false, reward: null },
    { tool: 'hint', ok: true, reward: null },
  ]);
});
