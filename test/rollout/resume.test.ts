import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { defineEnvironment, type Environment } from 'ors-kit';
import { OrsClient } from 'ors-kit/client';
import { serve } from 'ors-kit/server';
import { pino } from 'pino';
import { identityToText, openLineFile, processIdentity } from '../../src/core/node/index.ts';
import { type Agent, openRunFolder } from '../../src/rollout/index.ts';
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

test('two runs of one name in one store leave the traces of each other alone', async () => {
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

test('the steps of a training are runs of one name, whose traces have their step', async () => {
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

  expect(notices).toEqual([expect.stringMatching(/^1 of the 3 traces of episodes that ended are not in the store/)]);
  expect(results.complete).toBe(true);
});

test.each<[string, readonly object[], RegExp]>([
  [
    'more tasks',
    [...TASKS, { n: 3 }],
    /'test' of 'counting' had 3 tasks when the run began, and has 4; .*begin a new run/,
  ],
  ['fewer tasks', TASKS.slice(1), /'test' of 'counting' had 3 tasks when the run began, and has 2; /],
  [
    'another task',
    [{ n: 0 }, { n: 7 }, { n: 2 }],
    /task 1 of split 'test' of 'counting' is another than the one that was/,
  ],
])('refuses to resume a run with %s', async (_what, tasks, sentence) => {
  await using stage = await openStage(counting(TASKS));
  await stage.play(count, { task_count: 3 });
  await using changed = await serve([counting(tasks)], { port: 0, log: pino({ level: 'silent' }) });
  await using client = new OrsClient(changed.url);

  await expect(stage.play(count, {}, { client })).rejects.toThrow(sentence);
});

test('a plan whose tasks are not there is refused with how many there are', async () => {
  await using stage = await openStage(counting(TASKS));

  const played = stage.play(count, { tasks: [{ start: 5, stop: null }] });

  await expect(played).rejects.toThrow("there is no task 5: split 'test' of 'counting' has 3, from 0 to 2");
});

const ROW = { task: 0, sample: 0, reward: 1, score: 1, stop: 'finished', steps: [], turns: null, seconds: 1 };
const WHOLE = { ...ROW, input_tokens: null, output_tokens: null, trace_id: null };

test.each<[string, unknown, RegExp]>([
  [
    'half a row',
    { task: 1, sample: 0 },
    /line 4 of .*rewards\.jsonl is no episode, because of its 'reward'; take it away/,
  ],
  ['a score that is none', { ...WHOLE, score: 'high' }, /line 4 .* is no episode, because of its 'score'/],
  ['a task beyond the plan', { ...WHOLE, task: 700 }, /line 4 .* is task 700, sample 0, which run\.json does not have/],
  ['a sample beyond the plan', { ...WHOLE, sample: 9 }, /line 4 .* is task 0, sample 9, which run\.json does not have/],
  ['a row that is there', WHOLE, /line 4 .* is task 0, sample 0, which line \d is already/],
  ['null', null, /line 4 .* is no episode; take it away, and what it told is played again/],
])('a run with %s too many names the line', async (_what, row, sentence) => {
  await using stage = await openStage(counting(TASKS));
  await stage.play(count, { tasks: [{ start: 0, stop: 3 }] });
  await appendFile(join(stage.folder, 'rewards.jsonl'), `${JSON.stringify(row)}\n`);

  await expect(openRunFolder(stage.folder)).rejects.toThrow(sentence);
});

test.each<[string, (text: string) => string, RegExp]>([
  [
    'half of it',
    (text) => text.slice(0, 40),
    /run\.json is no plan of a run, because it is no JSON object; put it back/,
  ],
  ['no number of samples', (text) => text.replace('"samples": 1', '"samples": "x"'), /because of its 'samples'/],
  ['no limits', (text) => text.replace('"limits"', '"limit"'), /because of its 'limits'/],
])('reports a run.json with %s', async (_what, change, sentence) => {
  await using stage = await openStage(counting(TASKS));
  await stage.play(count);
  const file = join(stage.folder, 'run.json');
  await writeFile(file, change(await readFile(file, 'utf8')));

  await expect(openRunFolder(stage.folder)).rejects.toThrow(sentence);
});

test('a lock of a process that lives says how it is taken away', async () => {
  await using stage = await openStage(counting(TASKS));
  await stage.play(count);
  await writeFile(join(stage.folder, 'run.lock'), identityToText(processIdentity(process.ppid)));

  const opened = openRunFolder(stage.folder);

  await expect(opened).rejects.toThrow(
    /in use by process \d+ of .+, according to .*run\.lock; .* has certainly ended, delete .*lock/,
  );
});

testUnless(process.platform === 'linux' ? undefined : 'the start time of a process is known on Linux only')(
  'a lock of a process whose number another has by now is taken over',
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

test('takes away a last line that was not written to its end', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'ors-lines-')), 'rewards.jsonl');
  await writeFile(path, '{"a":1}\n{"b":');

  const file = await openLineFile(path);
  await file.append('{"c":3}');
  await file.close();

  expect(file.lines).toEqual(['{"a":1}']);
  expect(await readFile(path, 'utf8')).toBe('{"a":1}\n{"c":3}\n');
  await rm(dirname(path), { recursive: true });
});
