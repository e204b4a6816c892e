import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openSqliteStore, type TraceStore } from '../../src/trace/store/index.ts';
import { orsInProcess } from '../support/command-in-process.ts';
import { testUnless } from '../support/optional.ts';
import { newFolder, sqliteMissing } from '../trace/store/stores.ts';
import { behindServer, message } from './traces/stage.ts';

const ORG = 'default';

/** Rewards by task of a run; null for a trace without a reward. */
type Rewards = Readonly<Record<number, readonly (number | null)[]>>;

const BEFORE: Rewards = { 0: [0, 0], 1: [1, 0], 2: [1, 1], 3: [0, null], 9: [0] };
const AFTER: Rewards = { 0: [1, 1], 1: [1, 0], 2: [0, 1], 3: [1, 1] };

async function fill(store: TraceStore, run: string, rewards: Rewards, step = 4): Promise<void> {
  const limits = { message: 1e6, think: 1e6, toolArguments: 1e6, toolResult: 1e6, request: 1e6 };
  for (const [task, samples] of Object.entries(rewards)) {
    for (const [sample, reward] of samples.entries()) {
      const id = `tr_${run.replaceAll(' ', '-')}_${step}_${task}_${sample}`;
      const place = { run, environment: 'maze', split: 'test', model: 'm', task_index: Number(task), step };
      await store.createTrace(ORG, { id, ...place, metadata: { usage: { total_tokens: 100 }, cost: 0.5 } });
      if (reward === null) continue;
      const block = {
        ...message(`tb_${run.replaceAll(' ', '-')}_${step}_${task}_${sample}`, 'done'),
        extra: { reward },
      };
      await store.append(ORG, id, { body: block, limits });
    }
  }
}

async function stageRuns() {
  const stage = await behindServer();
  await fill(stage.store, 'before', BEFORE);
  await fill(stage.store, 'after', AFTER);
  const compare = (...args: string[]) => orsInProcess(['compare', ...args, ...stage.flags]);
  return { ...stage, compare };
}

test('compares the means, the tasks and pass@k of two runs as JSON', async () => {
  await using stage = await stageRuns();

  const { code, stdout } = await stage.compare('before', 'after', '--json');
  const { leaderboard, differences, pass_at, pass } = JSON.parse(stdout);

  expect([code, pass]).toEqual([0, 1]);
  // Means of tasks: 0, 0.5, 1, 0, 0 before; 1, 0.5, 0.5, 1 after.
  expect(leaderboard).toEqual([
    expect.objectContaining({ run: 'after', model: 'm', environment: 'maze', tasks: 4, traces: 8, mean: 0.75 }),
    expect.objectContaining({ run: 'before', tasks: 5, traces: 9, without_reward: 1, mean: expect.closeTo(0.3) }),
  ]);
  expect(leaderboard[0]).toMatchObject({
    standard_error: expect.closeTo(Math.sqrt(0.25 / 3 / 4), 10),
    pass_rate: 0.75,
    error_rate: 0,
    tokens: 100,
    cost: 4,
  });
  // Differences over tasks 0 to 3: 1, 0, -0.5, 1.
  const [difference] = differences;
  expect(difference).toMatchObject({ baseline: 'before', run: 'after', gained: 2, lost: 0, unpaired: 1 });
  const error = Math.sqrt((0.625 ** 2 * 2 + 0.375 ** 2 + 0.875 ** 2) / 3 / 4);
  expect(difference.reward).toMatchObject({ pairs: 4, mean: 0.375, standard_error: expect.closeTo(error, 10) });
  expect(difference.reward.low).toBeCloseTo(0.375 - 3.182446 * error, 4);
  expect(
    difference.tasks.map(({ task_index, change }: { task_index: number; change: string }) => [task_index, change]),
  ).toEqual([
    [0, 'gained'],
    [3, 'gained'],
    [2, 'same'],
    [1, 'same'],
  ]);
  expect(pass_at[1].curve).toMatchObject([
    { k: 1, pass: 0.75, tasks: 4 },
    { k: 2, pass: 1, tasks: 4 },
  ]);
});

test('prints the leaderboard, the difference with its interval, flips and pass@k', async () => {
  await using stage = await stageRuns();

  const { code, stdout, stderr } = await stage.compare('before', 'after');
  const [titles = '', first = '', second = ''] = stdout.split('\n');

  expect([code, stderr]).toEqual([0, '']);
  expect(titles.split(/ {2,}/).slice(0, 6)).toEqual(['ENVIRONMENT', 'MODEL', 'RUN', 'TASKS', 'TRACES', 'MEAN']);
  const columns = titles.split(/ {2,}/);
  expect([first, second].map((row) => row.split(/ {2,}/)[2])).toEqual(['after', 'before']);
  // Tokens and time are means.
  expect(first.split(/ {2,}/)[columns.indexOf('TOTAL COST')]).toBe('4');
  expect(stdout).toContain('over 4 tasks that both have; 1 task is only in one of them\n');
  expect(stdout).toMatch(/reward {5}\+0\.375 \(95 % from -0\.\d+ to \+1\.\d+; it contains 0\)/);
  expect(stdout).toContain('gained 2, lost 0, unchanged 2\n');
  expect(stdout).toMatch(/gained {2}maze test\[0\] +0 +1 +\+1 +0\/2 +2\/2\n/);
  expect(stdout).toMatch(/RUN +PASS@1 +PASS@2\nbefore +30 % +\d/);
});

test.each([
  ['leaderboard', /^environment,model,run,tasks,traces,/, 2],
  ['tasks', /^baseline,run,environment,split,task_index,/, 4],
  ['pass_at', /^run,k,pass,standard_error,tasks\r/, 4],
])('prints the table %s as CSV', async (table, header, rows) => {
  await using stage = await stageRuns();

  const { stdout } = await stage.compare('before', 'after', '--csv', '--table', table);

  expect(stdout).toMatch(header);
  expect(stdout.trimEnd().split('\r\n')).toHaveLength(rows + 1);
});

test('filters by step, also by the last one of each run, and passes from another reward', async () => {
  await using stage = await stageRuns();
  await fill(stage.store, 'before', { 0: [0.25] }, 7);
  const compare = async (...args: string[]) =>
    JSON.parse((await stage.compare('before', 'after', '--json', ...args)).stdout);

  const last = await compare('--step', 'last', '--pass', '0.25');
  const fourth = await compare('--step', '4');

  expect(last.differences[0].tasks).toMatchObject([{ baseline: { mean: 0.25, passed: 1 }, other: { mean: 1 } }]);
  expect(fourth.differences[0].tasks).toHaveLength(4);
});

test('counts a finished trace without a reward as 0, and other ones not at all', async () => {
  await using stage = await stageRuns();
  for (const status of ['finished', 'error', 'running'] as const) {
    const place = { run: 'ended', environment: 'maze', split: 'test', task_index: 2 };
    await stage.store.createTrace(ORG, { id: `tr_${status}`, ...place, status });
  }

  const { stdout } = await stage.compare('after', 'ended', '--json');

  const { leaderboard, differences } = JSON.parse(stdout);
  expect(leaderboard[1]).toMatchObject({ run: 'ended', traces: 3, without_reward: 3, tasks: 1, mean: 0, pass_rate: 0 });
  expect(differences[0].tasks).toMatchObject([{ difference: -0.5, change: 'lost', other: { traces: 1 } }]);
});

test.each([
  [['before'], 'expected 2 to 8 runs, got 1'],
  [['before', 'before'], "'before' is named twice"],
  [['before', 'nowhere'], "there is no run 'nowhere'; ors traces stats lists the runs"],
  [['before', 'after', '--model', 'other'], "no trace of the run 'before' matches the filters"],
  [['before', 'after', '--step', 'x'], '--step'],
])('rejects %j', async (args, problem) => {
  await using stage = await stageRuns();

  const { code, stderr } = await stage.compare(...args);

  expect(code).toBe(1);
  expect(stderr).toContain(problem);
});

testUnless(sqliteMissing)(
  'compares runs in the folders of ors rollout, also after an editor has added a byte order mark',
  async () => {
    await using folder = await newFolder();
    for (const [name, rewards] of Object.entries({ idle: BEFORE, random: AFTER })) {
      const path = join(folder.path, name);
      await mkdir(path);
      await writeFile(join(path, 'run.json'), `\ufeff${JSON.stringify({ run: `run of ${name}` })}`);
      const store = await openSqliteStore({ path: join(path, 'traces.db') });
      await fill(store, `run of ${name}`, rewards);
      await store.close();
    }

    const { code, stdout } = await orsInProcess([
      'compare',
      join(folder.path, 'idle'),
      join(folder.path, 'random'),
      '--json',
    ]);

    expect(code).toBe(0);
    expect(JSON.parse(stdout).differences[0].reward.mean).toBe(0.375);
  },
);

test('shows usage and examples in --help', async () => {
  const { code, stdout } = await orsInProcess(['compare', '--help']);

  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: ors compare/);
  expect(stdout).toContain('$ ors compare baseline tuned\n');
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(125);
});
