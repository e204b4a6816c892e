import { expect, test } from '@jest/globals';
import { type CallHandle, OrsClient, OrsHttpError, SessionLostError, ToolCallError } from 'ors-kit/client';
import { start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { until, withDeadline } from '../support/until.ts';
import {
  createClient,
  event,
  inOrder,
  json,
  open,
  openEpisode,
  output,
  startFakeServer,
  stream,
} from './fake-server.ts';

const TRAIN = { split: 'train', index: 0 };

test('plays an episode from prompt to reward, and deletes it at the end of its block', async () => {
  await using server = await start(lab().environment);
  await using client = new OrsClient(server.url);

  {
    await using session = await client.environment('lab').session(TRAIN);
    expect(await session.prompt()).toMatchObject([{ type: 'text', text: 'task {"n":0}, count 0' }]);
    expect((await session.tools()).map(({ name }) => name)).toContain('finish');
    expect(await session.call('count')).toMatchObject({ text: '1', reward: null, finished: false });
    expect(session.finished).toBe(false);
    expect(await session.call('finish')).toMatchObject({ text: 'done', reward: 1, finished: true });
    expect(session.finished).toBe(true);
    expect(server.sessionCount).toBe(1);
  }

  expect(server.sessionCount).toBe(0);
});

test('accepts a task by its position, as a whole, or by a handle that was serialized', async () => {
  await using server = await start(lab().environment);
  await using client = new OrsClient(server.url);
  const environment = client.environment('lab');
  const handle = JSON.parse(JSON.stringify(await environment.task('train', 1)));

  const prompts = [];
  for (const choice of [{ split: 'train', index: 1 }, { task: { n: 1 } }, handle]) {
    await using session = await environment.session(choice);
    prompts.push((await session.prompt())[0]);
  }

  expect(prompts).toEqual(Array(3).fill(expect.objectContaining({ text: 'task {"n":1}, count 0' })));
});

test.each([
  [undefined, 'expected an object'],
  [{}, 'expected split and index, or task'],
  [{ index: 1 }, 'invalid split: expected a string, got undefined'],
  [{ split: 'train' }, 'invalid index: expected an integer from 0, got undefined'],
  [{ split: 'train', index: -1 }, 'got -1'],
  [{ split: 'train', index: 1.5 }, 'got 1.5'],
  [{ task: [] }, 'invalid task: expected an object'],
  [{ task: { n: Number.NaN } }, 'task.n is NaN'],
  [{ task: { seeds: [1, 2 ** 53] } }, 'task.seeds[1] is 9007199254740992'],
  [{ environment: 'other', split: 'train', index: 0, task: {} }, "expected a task of 'maze', got one of 'other'"],
])('rejects the task %j before anything is sent', async (choice, reason) => {
  await using server = await startFakeServer();
  await using client = createClient(server);

  await expect(client.environment('maze').session(choice as never)).rejects.toThrow(reason);
  expect(server.seen).toEqual([]);
});

test('rejects an input that JSON would change, and does not send it', async () => {
  await using server = await startFakeServer();
  await using client = createClient(server);
  const session = await openEpisode(client);

  await expect(session.call('go', { steps: Number.POSITIVE_INFINITY })).rejects.toThrow('input.steps is Infinity');
  expect(server.to('/maze/call')).toEqual([]);
});

test('continues the episode after an error that the agent can handle', async () => {
  await using server = await start(lab().environment);
  await using client = new OrsClient(server.url);
  await using session = await client.environment('lab').session(TRAIN);

  await expect(session.call('fail')).rejects.toMatchObject({ detail: "Tool 'fail' failed: File not found" });
  await expect(session.call('nothing')).rejects.toBeInstanceOf(ToolCallError);
  await expect(session.call('echo', { times: 2 })).rejects.toBeInstanceOf(ToolCallError);
  expect(await session.call('echo', { text: 'still here' })).toMatchObject({ text: 'still here' });
});

test('does not lose a session of another environment', async () => {
  await using server = await start([lab().environment, lab({ name: 'other' }).environment]);
  await using client = new OrsClient(server.url);
  await using session = await client.environment('lab').session(TRAIN);
  const confused = client.attach({ ...session.handle, environment: 'other' });

  await expect(confused.call('count')).rejects.toBeInstanceOf(OrsHttpError);
  expect(await session.call('count')).toMatchObject({ text: '1' });
  confused.detach();
});

test('reports a failed setup to every request', async () => {
  const broken = lab({
    setup: () => {
      throw new Error('no disk');
    },
  });
  await using server = await start(broken.environment);
  await using client = new OrsClient(server.url);
  await using session = await client.environment('lab').session(TRAIN);

  await expect(session.prompt()).rejects.toMatchObject({ status: 500, detail: expect.stringContaining('no disk') });
  await expect(session.call('count')).rejects.toMatchObject({ detail: expect.stringContaining('no disk') });
});

test('pings a session between calls, and stops when it is closed', async () => {
  await using server = await startFakeServer();
  await using client = createClient(server, { pingIntervalMs: 10 });
  const session = await openEpisode(client);

  await until(() => server.to('/ping').length >= 3);
  await session.close();
  const before = server.to('/ping').length;
  await new Promise((resolve) => setTimeout(resolve, 60));

  expect(server.to('/ping').length - before).toBeLessThanOrEqual(1);
  expect(server.to('/ping')[0]?.headers['x-session-id']).toBe('s1');
});

test('sends no ping before the episode is created', async () => {
  await using server = await startFakeServer({
    '/create': (response, seen, nth) => void setTimeout(() => json({})(response, seen, nth), 80),
    '/ping': json({ detail: 'Session not found' }, 404),
    '/maze/call': stream(event('end', output('fine'))),
  });
  await using client = createClient(server, { pingIntervalMs: 20 });

  const session = await openEpisode(client);

  expect(server.to('/ping')).toEqual([]);
  expect((await session.call('go')).text).toBe('fine');
});

test('stops the pings when the episode is finished', async () => {
  await using server = await startFakeServer({ '/maze/call': stream(event('end', output('won', { finished: true }))) });
  await using client = createClient(server, { pingIntervalMs: 10 });
  const session = await openEpisode(client);

  await session.call('go');
  const before = server.to('/ping').length;
  await new Promise((resolve) => setTimeout(resolve, 60));

  expect(server.to('/ping').length - before).toBeLessThanOrEqual(1);
});

test('ends waiting calls when a ping finds the session gone', async () => {
  await using server = await startFakeServer({
    '/maze/call': open(event('task_id', 't1')),
    '/ping': inOrder(json({}), json({ detail: 'Session expired' }, 410)),
  });
  await using client = createClient(server, { pingIntervalMs: 15 });
  const session = await openEpisode(client);

  await expect(session.call('go')).rejects.toMatchObject({ name: 'SessionLostError', status: 410, sid: 's1' });
});

test('keeps sessions of a server without /ping', async () => {
  await using server = await startFakeServer({
    '/ping': json({ detail: 'Not Found' }, 404),
    '/maze/call': stream(event('end', output('fine'))),
  });
  await using client = createClient(server, { pingIntervalMs: 5 });
  const session = await openEpisode(client);
  await until(() => server.to('/ping').length > 1);

  expect((await session.call('go')).text).toBe('fine');
});

test('resumes a session by its handle, and fetches a running call', async () => {
  const { environment, events, open: openGate } = lab();
  await using server = await start(environment);
  await using first = new OrsClient(server.url);
  const session = await first.environment('lab').session(TRAIN);
  let call: CallHandle | undefined;
  const controller = new AbortController();
  const waiting = session.call(
    'wait',
    { gate: 'a' },
    { signal: controller.signal, onStart: (handle) => (call = handle) },
  );
  await until(() => events.includes('start a'));
  controller.abort(new Error('the process ended'));
  await expect(waiting).rejects.toThrow('the process ended');
  const saved = JSON.parse(JSON.stringify({ session: session.handle, call }));
  await first.close();

  await using second = new OrsClient(server.url);
  await using resumed = second.attach(saved.session);
  const result = resumed.resume(saved.call);
  openGate('a');

  expect(await result).toMatchObject({ text: 'a' });
  expect(events.filter((line) => line === 'start a')).toHaveLength(1);
});

test('rejects with CallLostError for a call that the server does not know', async () => {
  await using server = await start(lab().environment);
  await using client = new OrsClient(server.url);
  await using session = await client.environment('lab').session(TRAIN);
  let known = '';
  await session.call('count', {}, { onStart: ({ task_id }) => (known = task_id) });
  const unknown = { task_id: 't-unknown', name: 'count', input: {} };
  await using foreign = await startFakeServer({ '/maze/call': stream(event('error', 'unknown task_id')) });
  await using other = createClient(foreign);

  expect(await session.resume({ ...unknown, task_id: known })).toMatchObject({ text: '1' });
  await expect(other.attach({ environment: 'maze', sid: 's' }).resume(unknown)).rejects.toMatchObject({
    name: 'CallLostError',
  });
});

test('rejects every wait with the reason of the signal', async () => {
  const { environment, events } = lab({ setup: () => until(() => events.includes('go')) });
  await using server = await start(environment);
  await using client = new OrsClient(server.url);
  await using session = await client.environment('lab').session(TRAIN);
  const reason = new Error('enough');
  const soon = () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 20);
    return { signal: controller.signal };
  };

  await expect(session.prompt(soon())).rejects.toBe(reason);
  await expect(session.messages(soon())).rejects.toBe(reason);
  await expect(session.call('count', {}, soon())).rejects.toBe(reason);
  await expect(client.environments({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  await expect(client.environment('lab').session(TRAIN, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  events.push('go');
});

test('deletes an episode whose creation was aborted, even if the client is closed immediately', async () => {
  const controller = new AbortController();
  await using server = await startFakeServer({ '/create': () => controller.abort(new Error('enough')) });
  {
    await using client = createClient(server);
    const session = client.environment('maze').session(TRAIN, { signal: controller.signal });
    await expect(session).rejects.toThrow('enough');
  }

  expect(server.to('/delete').map(({ headers }) => headers['x-session-id'])).toEqual(['s1']);
});

test('ends waiting calls when the session is closed', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);
  await using client = new OrsClient(server.url);
  const session = await client.environment('lab').session(TRAIN);
  const waiting = session.call('until_aborted').catch((error: unknown) => error);
  await until(() => events.includes('start until_aborted'));

  await session.close();

  expect(await waiting).toBeInstanceOf(SessionLostError);
  await until(() => events.includes('teardown'));
  expect(server.sessionCount).toBe(0);
});

test('leaves no episode if the client is closed while a session is being opened', async () => {
  let created = () => {};
  const isCreated = new Promise<void>((resolve) => {
    created = resolve;
  });
  await using server = await startFakeServer({ '/create': () => created() });
  const client = createClient(server);
  const opening = openEpisode(client).catch((error: unknown) => error);
  await withDeadline(isCreated, 'a request for a session');

  await client.close();

  expect(await opening).toMatchObject({ name: 'OrsConnectionError', sid: 's1' });
  expect(server.to('/delete')).toHaveLength(1);
  expect(() => client.attach({ environment: 'maze', sid: 's1' })).toThrow('is closed');
});

test('ignores a failing deletion at the end of a block, but rejects in close', async () => {
  await using server = await startFakeServer({ '/delete': json({ detail: 'broken' }, 500) });
  await using client = createClient(server);

  const session = await openEpisode(client);
  await expect(session.close()).rejects.toMatchObject({ status: 500, sid: 's1' });
  await expect(session.close()).rejects.toMatchObject({ status: 500 });
  expect(server.to('/delete')).toHaveLength(2);
  await expect((await openEpisode(client))[Symbol.asyncDispose]()).resolves.toBeUndefined();
});

test('sends secrets in the body, or in the header if the server rejects them there', async () => {
  const refusal = json({ detail: [{ loc: ['body', 'secrets'], msg: 'Extra inputs are not permitted' }] }, 422);
  await using plain = await startFakeServer();
  await using strict = await startFakeServer({
    '/create': (response, seen, nth) => (seen.body.secrets ? refusal : json({}))(response, seen, nth),
  });
  const secrets = { KEY: 'schlüssel' };

  for (const server of [plain, strict]) {
    await using client = createClient(server);
    await client.environment('maze').session(TRAIN, { secrets });
    await client.environment('maze').session(TRAIN, { secrets });
  }

  const header = Buffer.from(JSON.stringify({ KEY: { value: 'schlüssel' } })).toString('base64');
  expect(plain.to('/create').map(({ body }) => body.secrets)).toEqual([secrets, secrets]);
  expect(plain.to('/create')[0]?.headers['x-secrets']).toBeUndefined();
  expect(strict.to('/create').map(({ body, headers }) => body.secrets ?? headers['x-secrets'])).toEqual([
    secrets,
    header,
    header,
  ]);
});

test('reads the session id from every form of response', async () => {
  const forms = [
    json({ sid: 'x' }),
    stream(event('task_id', 'x'), event('end', JSON.stringify({ sid: 'x' }))),
    stream(event('task_id', 'x'), event('end', '')),
    stream(event('end', JSON.stringify({ sid: 'x' }))),
    stream(`event: end\ndata: ${JSON.stringify({ sid: 'x' })}`),
    open(event('task_id', 'x'), event('end', '')),
    inOrder(stream(''), stream('event: task_id\n'), json({ sid: 'x' })),
    json({}, 200, { 'X-Session-ID': 'x' }),
  ];
  for (const form of forms) {
    await using server = await startFakeServer({ '/create_session': form });
    await using client = createClient(server);

    const session = await openEpisode(client);

    expect(session.sid).toBe('x');
    expect(server.to('/create')[0]).toMatchObject({
      headers: { 'x-session-id': 'x' },
      body: { env_name: 'maze', ...TRAIN },
    });
  }
});

test('returns the tools of the environment if the server has none of the task', async () => {
  await using server = await startFakeServer({
    '/maze/task_tools': json({ detail: 'Not Found' }, 404),
    '/maze/tools': json({ tools: [{ name: 'go', description: '' }] }),
  });
  await using client = createClient(server);
  const session = await openEpisode(client);

  expect(await session.tools()).toEqual([{ name: 'go', description: '', input_schema: null }]);
});

test.each([404, 410])('closes an episode that the server answers %d for without an error', async (status) => {
  await using server = await startFakeServer({ '/delete': json({ detail: 'Session not found' }, status) });
  await using client = createClient(server);
  const session = await openEpisode(client);

  await expect(session.close()).resolves.toBeUndefined();
});
