import { expect, test } from '@jest/globals';
import { defineEnvironment, jsonSchema } from 'ors-kit';
import type { Authenticate } from 'ors-kit/server';
import { call, create, request, start } from '../support/client.ts';
import { untilMetric } from '../support/metric.ts';
import { until } from '../support/until.ts';

const forEver = () => new Promise<never>(() => undefined);

/** An environment that never finds task 1 and never returns a prompt for task 2, and the requested task indexes. */
function slow() {
  const asked: number[] = [];
  const environment = defineEnvironment({
    name: 'slow',
    splits: {
      train: {
        count: 3,
        get: (index) => {
          asked.push(index);
          return index === 1 ? forEver() : { index };
        },
      },
    },
    task: jsonSchema<{ index: number }>({ type: 'object' }),
    prompt: ({ task }) => (task.index === 2 ? forEver() : 'Well?'),
    tools: { say: { description: 'Say something.', run: () => ({ text: 'something' }) } },
  });
  return { environment, asked };
}

const createTask = (server: { url: string }, sid: string, index: number, signal?: AbortSignal) =>
  fetch(`${server.url}/create`, {
    method: 'POST',
    headers: { 'X-Session-ID': sid, 'Content-Type': 'application/json' },
    body: JSON.stringify({ split: 'train', index }),
    ...(signal && { signal }),
  });

test('reports tasks and prompts that exceed the time limit as errors, and loses no slot or session', async () => {
  const { environment } = slow();
  await using server = await start(environment, { lookupTimeoutMs: 500, maxSessions: 1 });

  const responses = [
    await createTask(server, 'a', 1),
    await createTask(server, 'a', 2),
    await request(server, 'GET', '/slow/prompt', { sid: 'a' }),
    await request(server, 'POST', '/slow/task', { body: { split: 'train', index: 1 } }),
    await request(server, 'POST', '/slow/tasks', { body: { split: 'train' } }),
  ];
  const said = await call(server, 'a', 'say', {}, { environment: 'slow' });

  expect(responses.map(({ status }) => status)).toEqual([500, 200, 500, 500, 500]);
  expect(await (responses[0] as Response).json()).toEqual({
    detail: 'the environment was stopped: it took longer than 500 ms',
  });
  expect(said.result.ok).toBe(true);
});

test('frees the id and the slot of a client that disconnects while its task is being found', async () => {
  const { environment, asked } = slow();
  await using server = await start(environment, { maxSessions: 1 });
  const client = new AbortController();
  const created = createTask(server, 'a', 1, client.signal).catch(() => 'gone');
  await until(() => asked.length === 1);

  client.abort();
  await created;

  await until(async () => (await createTask(server, 'a', 0)).status === 200, 'a free slot for the same id');
});

test('deletes a session whose task is being found, only for its owner', async () => {
  const { environment, asked } = slow();
  const authenticate: Authenticate = (headers) => String(headers['x-api-key']);
  await using server = await start(environment, { deleteGraceMs: 10, authenticate });
  const as = (key: string) => ({ sid: 'a', headers: { 'X-API-Key': key } });
  const created = request(server, 'POST', '/create', { ...as('one'), body: { split: 'train', index: 1 } });
  await until(() => asked.length === 1);

  const others = await request(server, 'POST', '/delete', as('two'));
  const own = await request(server, 'POST', '/delete', as('one'));

  expect([others.status, own.status]).toEqual([404, 200]);
  expect(await created).toMatchObject({ status: 410, body: { detail: 'Session deleted' } });
});

test('closes while a task is being found', async () => {
  const { environment, asked } = slow();
  await using server = await start(environment);
  const created = createTask(server, 'a', 1).then(
    ({ status }) => status,
    () => 'cut',
  );
  await until(() => asked.length === 1);

  await server.drain({ timeoutMs: 10 });

  expect([503, 'cut']).toContain(await created);
});

test('responds with the first 4,000 characters of an error of the prompt', async () => {
  const loud = defineEnvironment({
    name: 'loud',
    splits: { train: [{}] },
    prompt: () => {
      throw new Error('a'.repeat(5_000_000));
    },
    tools: { say: { description: 'Say something.', run: () => ({ text: 'something' }) } },
  });
  await using server = await start(loud);
  const sid = await create(server);

  const { status, body } = await request(server, 'GET', '/loud/prompt', { sid });

  expect(status).toBe(500);
  expect(body.detail).toBe(`Error: ${'a'.repeat(3_992)}…`);
  await untilMetric(server, 'ors_sessions{environment="loud",state="idle"}', 1);
});

test('counts the time in which a task blocks the server towards its time limit', async () => {
  const get = async () => {
    const end = performance.now() + 400;
    while (performance.now() < end);
    await new Promise((resolve) => setTimeout(resolve, 400));
    return {};
  };
  const environment = defineEnvironment({
    name: 'slow',
    splits: { train: { count: 1, get } },
    prompt: () => 'Well?',
    tools: { say: { description: 'Say something.', run: () => ({ text: 'something' }) } },
  });
  await using server = await start(environment, { lookupTimeoutMs: 600 });

  const created = await createTask(server, 'a', 0);

  expect(await created.json()).toEqual({ detail: 'the environment was stopped: it took longer than 600 ms' });
});
