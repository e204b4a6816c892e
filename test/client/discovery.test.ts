import { expect, test } from '@jest/globals';
import { OrsClient, OrsHttpError, OrsProtocolError, type TaskHandle } from 'ors-kit/client';
import { start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { until } from '../support/until.ts';
import { createClient, json, type Responder, startFakeServer, stream } from './fake-server.ts';

const tasks = Array.from({ length: 7 }, (_, n) => ({ n }));

async function all(list: AsyncIterable<TaskHandle>): Promise<TaskHandle[]> {
  const handles: TaskHandle[] = [];
  for await (const handle of list) handles.push(handle);
  return handles;
}

test('lists the environments, splits, tools and tasks of a server', async () => {
  await using server = await start([lab().environment, lab({ name: 'Other' }).environment]);
  await using client = new OrsClient(server.url);
  const environment = client.environment('lab');

  expect(await client.environments()).toEqual(['lab', 'Other']);
  expect(await environment.splits()).toContainEqual({ name: 'train', type: 'train' });
  expect((await environment.tools()).map(({ name }) => name)).toContain('echo');
  expect(await environment.countTasks('hard')).toBe(1_000_000);
  expect(await environment.task('train', 1)).toEqual({ environment: 'lab', split: 'train', index: 1, task: { n: 1 } });
});

test('fetches tasks page by page, and only the requested pages', async () => {
  await using server = await start(lab().environment);
  await using client = new OrsClient(server.url);
  const environment = client.environment('lab');

  const last = await all(environment.tasks('hard', { start: 999_990 }));
  const some = await all(environment.tasks('hard', { start: 5, stop: 9, pageSize: 3 }));
  const none = await all(environment.tasks('test'));
  let first: TaskHandle | undefined;
  for await (const handle of environment.tasks('hard')) {
    first = handle;
    break;
  }

  expect(last.map(({ index }) => index)).toEqual(Array.from({ length: 10 }, (_, n) => 999_990 + n));
  expect(some.map(({ task }) => task)).toEqual([{ n: 5 }, { n: 6 }, { n: 7 }, { n: 8 }]);
  expect(none).toEqual([]);
  expect(first).toEqual({ environment: 'lab', split: 'hard', index: 0, task: { n: 0 } });
});

const list: Responder = json({ tasks, env_name: 'maze' });
const one: Responder = (response, { body }) => json({ task: tasks[body.index] })(response, {} as never, 1);

test.each([
  ['lists only', { '/maze/tasks': list }, ['/maze/task_range', '/maze/tasks']],
  [
    'single tasks only',
    { '/maze/num_tasks': json({ num_tasks: 7 }), '/maze/task': one },
    ['/maze/task_range', '/maze/tasks', '/maze/num_tasks', '/maze/task', '/maze/task'],
  ],
  [
    'single tasks, and no lists of tasks made by number',
    { '/maze/tasks': json({ detail: 'no list' }, 400), '/maze/num_tasks': json({ num_tasks: 7 }), '/maze/task': one },
    ['/maze/task_range', '/maze/tasks', '/maze/num_tasks', '/maze/task', '/maze/task'],
  ],
])('lists the tasks of a server that has %s', async (_what, answers, paths) => {
  await using server = await startFakeServer(answers);
  await using client = createClient(server);

  const handles = await all(client.environment('maze').tasks('train', { start: 2, stop: 4 }));

  expect(handles.map(({ task, index }) => [index, task.n])).toEqual([
    [2, 2],
    [3, 3],
  ]);
  expect(server.seen.map(({ path }) => path)).toEqual(paths);
});

test('counts and selects tasks on a server that can only list them', async () => {
  await using server = await startFakeServer({ '/maze/tasks': list });
  await using client = createClient(server);
  const environment = client.environment('maze');

  expect(await environment.countTasks('train')).toBe(7);
  expect((await environment.task('train', 6)).task).toEqual({ n: 6 });
  await expect(environment.task('train', 7)).rejects.toThrow("split 'train' has no task 7");
});

test('continues after a page that is shorter than requested', async () => {
  await using server = await startFakeServer({
    '/maze/task_range': (response, { body }) =>
      json({ tasks: tasks.slice(body.start, Math.min(body.stop, body.start + 2)) })(response, {} as never, 1),
  });
  await using client = createClient(server);

  expect(await all(client.environment('maze').tasks('train', { pageSize: 5 }))).toHaveLength(7);
});

test('cuts a page that is longer than requested', async () => {
  await using server = await startFakeServer({ '/maze/task_range': json({ tasks }) });
  await using client = createClient(server);

  expect(await all(client.environment('maze').tasks('train', { stop: 1 }))).toHaveLength(1);
});

test.each(['', '.', '..', '\ud800', undefined])('rejects %j as the name of an environment', async (name) => {
  await using server = await startFakeServer();
  await using client = createClient(server);

  expect(() => client.environment(name as string)).toThrow('is not a valid name of an environment');
});

test.each([
  ['start', { start: -1 }],
  ['stop', { stop: 2.5 }],
  ['pageSize', { pageSize: 0 }],
])('rejects an invalid %s before anything is sent', async (name, range) => {
  await using server = await startFakeServer();
  await using client = createClient(server);

  await expect(all(client.environment('maze').tasks('train', range))).rejects.toThrow(
    `invalid ${name}: expected an integer from`,
  );
  expect(server.seen).toEqual([]);
});

test('rejects with the status of an unknown environment or split', async () => {
  await using server = await start(lab().environment);
  await using client = new OrsClient(server.url);

  await expect(client.environment('nowhere').splits()).rejects.toMatchObject({ name: 'OrsHttpError', status: 404 });
  await expect(all(client.environment('nowhere').tasks('train'))).rejects.toMatchObject({ status: 404 });
  await expect(client.environment('lab').countTasks('dev')).rejects.toBeInstanceOf(OrsHttpError);
});

test.each([
  ['the server of this package', { '/version': json({ name: 'ors-kit', version: '9.9' }) }, 'ors-kit', '9.9', true],
  ['openreward', { '/version': json({ version: '0.1.167', build_sha: null }) }, 'openreward', '0.1.167', false],
  [
    'ors-sdk',
    { '/openapi.json': json({ info: { title: 'FastAPI' }, paths: { '/create_session': {} } }) },
    'ors-sdk',
    null,
    false,
  ],
  ['another server', {}, 'unknown', null, false],
  ['a server that responds to anything', { '/version': stream('hello') }, 'unknown', null, false],
])('detects %s', async (_who, answers, name, version, acceptsTaskIds) => {
  await using server = await startFakeServer(answers as Record<string, Responder>);
  await using client = createClient(server);

  expect(await client.dialect()).toEqual({ name, version, acceptsTaskIds });
});

test('accepts splits without a type, and tools without a schema', async () => {
  await using server = await startFakeServer({
    '/maze/splits': json(['train', 'test']),
    '/maze/tools': json({ tools: [{ name: 'look' }, { name: 'go', description: 'Go.', input_schema: {}, more: 1 }] }),
  });
  await using client = createClient(server);
  const environment = client.environment('maze');

  expect(await environment.splits()).toEqual([
    { name: 'train', type: 'train' },
    { name: 'test', type: 'test' },
  ]);
  expect(await environment.tools()).toEqual([
    { name: 'look', description: '', input_schema: null },
    { name: 'go', description: 'Go.', input_schema: {} },
  ]);
});

test('leaves out entries of lists that have no name, with a warning, and keeps the others', async () => {
  await using server = await startFakeServer({
    '/list_environments': json(['maze', { name: 'lost' }]),
    '/maze/splits': json([{ name: 'train', type: 'train' }, { type: 'test' }, 7]),
    '/maze/tools': json({ tools: [{ name: 'look' }, { description: 'No name.' }, null, { name: 'go' }] }),
  });
  await using client = createClient(server);
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => void warnings.push(message);
  process.on('warning', onWarning);

  const names = await client.environments();
  const splits = await client.environment('maze').splits();
  const tools = await client.environment('maze').tools();

  expect([names, splits, tools.map(({ name }) => name)]).toEqual([
    ['maze'],
    [{ name: 'train', type: 'train' }],
    ['look', 'go'],
  ]);
  const expected = `${server.url}/list_environments has entries that are not names; they are left out`;
  await until(() => warnings.includes(expected));
  process.off('warning', onWarning);
});

test.each([
  ['/list_environments', (client: OrsClient) => client.environments()],
  ['/maze/splits', (client: OrsClient) => client.environment('maze').splits()],
  ['/maze/tools', (client: OrsClient) => client.environment('maze').tools()],
  ['/maze/num_tasks', (client: OrsClient) => client.environment('maze').countTasks('train')],
  ['/maze/task', (client: OrsClient) => client.environment('maze').task('train', 0)],
  ['/maze/task_range', (client: OrsClient) => all(client.environment('maze').tasks('train'))],
])('rejects an invalid response of %s', async (path, ask) => {
  await using server = await startFakeServer({ [path]: json({ nothing: 1 }) });
  await using client = createClient(server);

  await expect(ask(client)).rejects.toBeInstanceOf(OrsProtocolError);
});

test('encodes every character of the name of an environment', async () => {
  await using server = await startFakeServer({ '/a%2Fb%20%3F/splits': json({ splits: [] }) });
  await using client = createClient(server);

  expect(await client.environment('a/b ?').splits()).toEqual([]);
});
