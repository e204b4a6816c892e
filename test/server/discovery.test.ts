import { expect, test } from '@jest/globals';
import { defineEnvironment, jsonSchema } from 'ors-kit';
import { call, create, request, start } from '../support/client.ts';
import fc, { runs } from '../support/fast-check.ts';
import { lab } from '../support/lab.ts';

const run = () => ({ text: '' });
const tools = { run: { description: 'Run.', run } };

const hidden = defineEnvironment({
  name: 'hidden',
  splits: {
    train: [
      { question: '1+1', answer: '2' },
      { question: '2+2', answer: '4' },
      { question: 'same', answer: 'a' },
      { question: 'same', answer: 'b' },
    ],
  },
  task: jsonSchema<{ question: string; answer: string }>({
    type: 'object',
    properties: { question: { type: 'string' }, answer: { type: 'string' } },
    required: ['question', 'answer'],
  }),
  prompt: ({ task }) => task.question,
  publicTask: ({ question }) => ({ question }),
  tools: {
    submit: {
      description: 'Submit an answer.',
      input: jsonSchema<{ answer: string }>({
        type: 'object',
        properties: { answer: { type: 'string' } },
        required: ['answer'],
      }),
      run: ({ input, task }) => ({ text: '', reward: input.answer === task.answer ? 1 : 0, finished: true }),
    },
  },
});

test('lists environments in order, and finds them ignoring case', async () => {
  await using server = await start([lab({ name: 'Math' }).environment, lab({ name: 'code_env' }).environment]);

  expect((await request(server, 'GET', '/list_environments')).body).toEqual(['Math', 'code_env']);
  expect((await request(server, 'POST', '/MATH/task', { body: { split: 'train', index: 1 } })).body).toEqual({
    task: { n: 1 },
    env_name: 'Math',
  });
});

test.each([
  ['GET', 'tools', undefined],
  ['GET', 'splits', undefined],
  ['POST', 'tasks', { split: 'train' }],
  ['POST', 'num_tasks', { split: 'train' }],
  ['POST', 'task', { split: 'train', index: 0 }],
  ['POST', 'task_range', { split: 'train' }],
])('answers 404 with the environments to %s /nope/%s', async (method, action, body) => {
  await using server = await start(lab().environment);

  const response = await request(server, method, `/nope/${action}`, body ? { body } : {});

  expect(response).toMatchObject({ status: 404, body: { detail: "unknown environment 'nope'; this server has: lab" } });
});

test('lists a tool with exactly three keys, and null without parameters', async () => {
  await using server = await start(lab().environment);

  const { body } = await request(server, 'GET', '/lab/tools');

  expect(body.tools[0]).toEqual({ name: 'count', description: 'Count.', input_schema: null });
  expect(body.tools[6].input_schema.required).toEqual(['text']);
});

test('assigns the type validation to a split with a custom name by default', async () => {
  const splits = { train: [], validation: [], test: [], hard: [], easy: { type: 'train', tasks: [{}] } } as const;
  await using server = await start(defineEnvironment({ name: 'lab', splits, prompt: () => '', tools }));

  expect((await request(server, 'GET', '/lab/splits')).body).toEqual([
    { name: 'train', type: 'train' },
    { name: 'validation', type: 'validation' },
    { name: 'test', type: 'test' },
    { name: 'hard', type: 'validation' },
    { name: 'easy', type: 'train' },
  ]);
});

test('slices task_range as Python does, for any bounds', async () => {
  const tasks = Array.from({ length: 7 }, (_, n) => ({ n }));
  const splits = { listed: tasks, counted: { count: 7, get: (n: number) => ({ n }) } };
  await using server = await start(defineEnvironment({ name: 'lab', splits, prompt: () => '', tools }));
  const bound = fc.option(fc.oneof(fc.integer({ min: -10, max: 10 }), fc.maxSafeInteger()), { nil: null });

  await fc.assert(
    fc.asyncProperty(fc.constantFrom('listed', 'counted'), bound, bound, async (split, start, stop) => {
      const { body } = await request(server, 'POST', '/lab/task_range', { body: { split, start, stop } });

      expect(body).toEqual({ tasks: tasks.slice(start ?? 0, stop ?? 7), env_name: 'lab' });
    }),
    { numRuns: runs(200) },
  );
});

test('counts a split of a million tasks and returns single tasks and ranges, but not all of them', async () => {
  await using server = await start(lab().environment);
  const ask = (action: string, body: object) =>
    request(server, 'POST', `/lab/${action}`, { body: { split: 'hard', ...body } });

  expect((await ask('num_tasks', {})).body).toEqual({ num_tasks: 1_000_000 });
  expect((await ask('task', { index: 999_999 })).body.task).toEqual({ n: 999_999 });
  expect((await ask('task_range', { start: -2 })).body.tasks).toEqual([{ n: 999_998 }, { n: 999_999 }]);
  expect(await ask('tasks', {})).toMatchObject({
    status: 400,
    body: {
      detail: "split 'hard' looks tasks up one by one; request at most 10000 by /task_range, not 1000000",
    },
  });
});

test('calls the function of a split once, and again after a failure', async () => {
  let calls = 0;
  const load = async () => {
    if (++calls === 1) throw new Error('no network');
    return [{ n: 0 }, { n: 1 }];
  };
  await using server = await start(
    defineEnvironment({ name: 'lab', splits: { train: load }, prompt: () => '', tools }),
  );
  const count = () => request(server, 'POST', '/lab/num_tasks', { body: { split: 'train' } });

  expect(await count()).toMatchObject({ status: 500, body: { detail: 'Error: no network' } });
  expect((await count()).body).toEqual({ num_tasks: 2 });
  await count();

  expect(calls).toBe(2);
});

test.each([
  [[{ ok: 1 }, { score: Number.NaN }], "split 'train', task 1.score is NaN, which JSON cannot keep"],
  [['text'], "split 'train', task 0 is not an object"],
  ['text', "split 'train': the tasks are not an array"],
])('reports the position of a task that is not JSON: %j', async (tasks, message) => {
  const splits = { train: () => tasks as { ok: number }[] };
  await using server = await start(
    defineEnvironment({ name: 'lab', splits, prompt: () => '', tools: { run: { description: 'Run.', run } } }),
  );

  const response = await request(server, 'POST', '/lab/tasks', { body: { split: 'train' } });

  expect(response).toMatchObject({ status: 500, body: { detail: `TypeError: ${message}` } });
});

test('lists a task with a field named toJSON', async () => {
  const splits = { train: [{ toJSON: 'x' }] };
  await using server = await start(
    defineEnvironment({ name: 'lab', splits, prompt: () => '', tools: { run: { description: 'Run.', run } } }),
  );

  const { body } = await request(server, 'POST', '/lab/tasks', { body: { split: 'train' } });

  expect(body.tasks).toEqual([{ toJSON: 'x' }]);
});

test('hides answers from clients, and restores a public task that a client sends back', async () => {
  await using server = await start(hidden);
  const listed = (await request(server, 'POST', '/hidden/tasks', { body: { split: 'train' } })).body.tasks;
  const one = (await request(server, 'POST', '/hidden/task', { body: { split: 'train', index: 0 } })).body.task;

  const bySpec = await create(server, { task_spec: listed[1] });
  const byIndex = await create(server, { split: 'train', index: 0 });

  expect(JSON.stringify([listed, one])).not.toContain('answer');
  const responses = await Promise.all([
    call(server, bySpec, 'submit', { answer: '4' }, { environment: 'hidden' }),
    call(server, byIndex, 'submit', { answer: '2' }, { environment: 'hidden' }),
  ]);
  expect(responses.map(({ result }) => result.output.reward)).toEqual([1, 1]);
});

test.each([
  [{ question: '3+3' }, "task_spec is not a task of 'hidden'; send one as it was listed, or split and index"],
  [
    { question: '1+1', answer: '2' },
    "task_spec is not a task of 'hidden'; send one as it was listed, or split and index",
  ],
  [{ question: 'same' }, "task_spec matches 2 tasks of 'hidden'; send split and index instead"],
])('rejects %j as a task', async (task_spec, detail) => {
  await using server = await start(hidden);

  const response = await request(server, 'POST', '/create', { sid: 's', body: { task_spec } });

  expect(response).toMatchObject({ status: 400, body: { detail } });
});

test('validates a task_spec against the schema before author code receives it', async () => {
  const seen: unknown[] = [];
  const environment = defineEnvironment({
    name: 'lab',
    splits: { train: [{ n: 1 }] },
    task: jsonSchema<{ n: number }>({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }),
    setup: ({ task }) => void seen.push(task),
    prompt: () => '',
    tools,
  });
  await using server = await start(environment);

  const rejected = await request(server, 'POST', '/create', { sid: 's', body: { task_spec: { n: 'x' } } });

  expect(rejected).toMatchObject({
    status: 400,
    body: { detail: "task_spec is not a task of 'lab': /n must be an integer" },
  });
  expect(seen).toEqual([]);
});

test('answers 400 to a task that resolveTask rejects', async () => {
  const environment = defineEnvironment({
    name: 'lab',
    splits: { train: { count: 1, get: (n) => ({ n, answer: n }) } },
    prompt: () => '',
    publicTask: (task) => ({ n: task.n as number }),
    resolveTask: ({ n }) => ({ n, answer: n.toFixed() }),
    tools,
  });
  await using server = await start(environment);

  const response = await request(server, 'POST', '/create', { sid: 's', body: { task_spec: { wrong: true } } });

  expect(response).toMatchObject({
    status: 400,
    body: { detail: "task_spec is not a task of 'lab'; send one as it was listed" },
  });
});

test('returns its version, readiness and OpenAPI document', async () => {
  await using server = await start(lab().environment);

  expect((await request(server, 'GET', '/version')).body).toMatchObject({ name: 'ors-kit' });
  expect((await request(server, 'GET', '/ready')).body).toEqual({ status: 'ok' });
  const { body } = await request(server, 'GET', '/openapi.json');
  expect(body.paths['/{env_name}/call'].post.operationId).toBe('callTool');
});

test('rejects a public task that matches tasks of two splits', async () => {
  const environment = defineEnvironment({
    name: 'lab',
    splits: { train: [{ question: 'q', answer: 1 }], test: [{ question: 'q', answer: 2 }] },
    prompt: () => '',
    publicTask: (task) => ({ question: task.question as string }),
    tools,
  });
  await using server = await start(environment);

  const response = await request(server, 'POST', '/create', { sid: 's', body: { task_spec: { question: 'q' } } });

  expect(response).toMatchObject({
    status: 400,
    body: { detail: "task_spec matches 2 tasks of 'lab'; send split and index instead" },
  });
});

test('searches tasks again after a failed search', async () => {
  let calls = 0;
  const environment = defineEnvironment({
    name: 'lab',
    splits: { train: [{ question: 'q', answer: 1 }] },
    prompt: () => '',
    publicTask: (task) => {
      if (++calls === 1) throw new Error('first time');
      return { question: task.question as string };
    },
    tools,
  });
  await using server = await start(environment);
  const ask = () => request(server, 'POST', '/create', { sid: 's', body: { task_spec: { question: 'q' } } });

  expect(await ask()).toMatchObject({ status: 500, body: { detail: 'Error: first time' } });
  expect(await ask()).toMatchObject({ status: 200 });
});

test('sends multi-byte characters completely', async () => {
  const environment = defineEnvironment({
    name: 'cities',
    splits: { train: [{ city: 'Bogotá' }] },
    prompt: () => '',
    tools,
  });
  await using server = await start(environment);

  const { body } = await request(server, 'POST', '/cities/task', { body: { split: 'train', index: 0 } });

  expect(body).toEqual({ task: { city: 'Bogotá' }, env_name: 'cities' });
});
