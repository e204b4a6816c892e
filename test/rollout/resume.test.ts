import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { defineEnvironment, type Environment } from 'ors-kit';
import { OrsClient } from 'ors-kit/client';
import { serve } from 'ors-kit/server';
import { pino } from 'pino';
import { identityToText, processIdentity } from '../../src/core/node/index.ts';
import { type Agent, openRunFolder } from '../../src/rollout/index.ts';
import { openLineFile } from '../../src/rollout/run/run-folder.ts';
import { testUnless } from '../support/optional.ts';
import { openStage, tracesOf } from './stage.ts';

const counting = (tasks: readonly object[]): Environment =>
  defineEnvironment({
    name: 'counting',
    splits: { test: tasks.map((task) => ({ ...task })) },
    prompt: () => 'Count.',
    tools: { count: { description: 'Counts.', run: () => ({ text: '1', reward: 1, finished: true }) } },
  });

const TASKS = [{ n: 0 }, { n: 1 }, { n: 2 }];

const count: Agent = async (session) => {
  await session.call('count');
  return undefined;
};

test('keeps traces of another run with the same name in the same store', async () => {
  await using stage = await openStage(counting(TASKS));
  await stage.play(count);
  const first = (await tracesOf(stage.store)).map(({ id }) => id);
  await rm(stage.folder, { recursive: true });

  await stage.play(count);
  await stage.play(count);

  const ids = (await tracesOf(stage.store)).map(({ id }) => id);
  expect(ids).toHaveLength(6);
  expect(ids).toEqual(expect.arrayContaining(first));
});

test('records the training step in the traces of runs with the same name', async () => {
  await using stage = await openStage(counting(TASKS));
  for (const step of [0, 1]) {
    await rm(stage.folder, { recursive: true, force: true });
    await stage.play(count, { step });
  }

  const { steps } = await stage.store.runStats('default', 'trial', 4);

  expect(steps.map(({ step, trace_count }) => [step, trace_count])).toEqual([
    [0, 3],
    [1, 3],
  ]);
});

test('reports traces that are no longer in the store, and keeps their rewards', async () => {
  await using stage = await openStage(counting(TASKS));
  await stage.play(count);
  const [gone] = await tracesOf(stage.store);
  await stage.store.deleteTrace('default', gone?.id ?? '');
  const notices: string[] = [];

  const { results } = await stage.play(count, {}, { onNotice: (notice) => notices.push(notice) });

  expect(notices).toEqual([
    expect.stringMatching(/^1 of the 3 traces of completed episodes are no longer in the store/),
  ]);
  expect(results.complete).toBe(true);
});

test.each<[string, readonly object[], RegExp]>([
  [
    'more tasks',
    [...TASKS, { n: 3 }],
    /'test' of 'counting' had 3 tasks when the run began, and now has 4; .*start a new run/,
  ],
  ['fewer tasks', TASKS.slice(1), /'test' of 'counting' had 3 tasks when the run began, and now has 2; /],
  [
    'another task',
    [{ n: 0 }, { n: 7 }, { n: 2 }],
    /task 1 of split 'test' of 'counting' differs from the one that was played/,
  ],
])('rejects resuming a run with %s', async (_what, tasks, sentence) => {
  await using stage = await openStage(counting(TASKS));
  await stage.play(count, { task_count: 3 });
  await using changed = await serve([counting(tasks)], { port: 0, log: pino({ level: 'silent' }) });
  await using client = new OrsClient(changed.url);

  await expect(stage.play(count, {}, { client })).rejects.toThrow(sentence);
});

test('rejects a plan without existing tasks with their number', async () => {
  await using stage = await openStage(counting(TASKS));

  const played = stage.play(count, { tasks: [{ start: 5, stop: null }] });

  await expect(played).rejects.toThrow("invalid task 5: split 'test' of 'counting' has 3 tasks, from 0 to 2");
});

const ROW = { task: 0, sample: 0, reward: 1, score: 1, stop: 'finished', steps: [], turns: null, seconds: 1 };
const WHOLE = { ...ROW, input_tokens: null, output_tokens: null, trace_id: null };

test.each<[string, unknown, RegExp]>([
  ['a truncated row', { task: 1, sample: 0 }, /line 4 of .*rewards\.jsonl has an invalid 'reward'; delete the line/],
  ['an invalid score', { ...WHOLE, score: 'high' }, /line 4 .* has an invalid 'score'/],
  [
    'a task beyond the plan',
    { ...WHOLE, task: 700 },
    /line 4 .* contains task 700, sample 0, which is not in run\.json/,
  ],
  [
    'a sample beyond the plan',
    { ...WHOLE, sample: 9 },
    /line 4 .* contains task 0, sample 9, which is not in run\.json/,
  ],
  ['a repeated row', WHOLE, /line 4 .* repeats task 0, sample 0 of line \d/],
  ['null', null, /line 4 .* is not a JSON object; delete the line, and its episode is played again/],
])('names the line of %s', async (_what, row, sentence) => {
  await using stage = await openStage(counting(TASKS));
  await stage.play(count, { tasks: [{ start: 0, stop: 3 }] });
  await appendFile(join(stage.folder, 'rewards.jsonl'), `${JSON.stringify(row)}\n`);

  await expect(openRunFolder(stage.folder)).rejects.toThrow(sentence);
});

test.each<[string, (text: string) => string, RegExp]>([
  [
    'truncated JSON',
    (text) => text.slice(0, 40),
    /run\.json is not a valid run plan: expected a JSON object; restore the file/,
  ],
  ['invalid samples', (text) => text.replace('"samples": 1', '"samples": "x"'), /invalid 'samples'/],
  ['no limits', (text) => text.replace('"limits"', '"limit"'), /invalid 'limits'/],
])('reports a run.json with %s', async (_what, change, sentence) => {
  await using stage = await openStage(counting(TASKS));
  await stage.play(count);
  const file = join(stage.folder, 'run.json');
  await writeFile(file, change(await readFile(file, 'utf8')));

  await expect(openRunFolder(stage.folder)).rejects.toThrow(sentence);
});

test('describes how to remove the lock of a running process', async () => {
  await using stage = await openStage(counting(TASKS));
  await stage.play(count);
  await writeFile(join(stage.folder, 'run.lock'), identityToText(processIdentity(process.ppid)));

  const opened = openRunFolder(stage.folder);

  await expect(opened).rejects.toThrow(
    /in use by process \d+ of .+, according to .*run\.lock; .* has certainly ended, delete .*lock/,
  );
});

testUnless(process.platform === 'linux' ? undefined : 'the start time of a process is known on Linux only')(
  'takes over a lock whose process id belongs to another process by now',
  async () => {
    await using stage = await openStage(counting(TASKS));
    await stage.play(count);
    await writeFile(
      join(stage.folder, 'run.lock'),
      identityToText({ ...processIdentity(process.ppid), boot: 'another' }),
    );

    await using folder = await openRunFolder(stage.folder);

    expect(folder.completed).toHaveLength(3);
  },
);

test('removes a truncated last line, and skips a byte order mark', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'ors-lines-')), 'rewards.jsonl');
  await writeFile(path, '\ufeff{"a":1}\n{"b":');

  const file = await openLineFile(path);
  await file.append('{"c":3}');
  await file.close();

  expect(file.lines).toEqual(['{"a":1}']);
  expect(await readFile(path, 'utf8')).toBe('\ufeff{"a":1}\n{"c":3}\n');
  await rm(dirname(path), { recursive: true });
});
