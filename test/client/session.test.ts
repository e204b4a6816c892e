import { expect, test } from '@jest/globals';
import { type CallHandle, OrsClient, OrsHttpError, SessionLostError, ToolCallError } from 'ors-kit/client';
import { start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { until, withDeadline } from '../support/until.ts';
import { episode, event, fake, hasty, inTurn, json, open, output, stream } from './fake-server.ts';

const TRAIN = { split: 'train', index: 0 };

test('an episode is played from prompt to reward, and deleted at the end of its block', async () => {
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

test('a task can be given by its place, whole, or by a handle that went through JSON', async () => {
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
  [undefined, 'is missing'],
  [{}, 'names no task'],
  [{ index: 1 }, 'split is undefined'],
  [{ split: 'train' }, 'index is undefined'],
  [{ split: 'train', index: -1 }, 'index is -1'],
  [{ split: 'train', index: 1.5 }, 'index is 1.5'],
  [{ task: [] }, 'the task is no object'],
  [{ task: { n: Number.NaN } }, 'task.n is NaN'],
  [{ task: { seeds: [1, 2 ** 53] } }, 'task.seeds[1] is 9007199254740992'],
  [{ environment: 'other', split: 'train', index: 0, task: {} }, "the task is of 'other' and not of 'maze'"],
])('rejects the choice %j before anything is sent', async (choice, reason) => {
  await using server = await fake();
  await using client = hasty(server);

  await expect(client.environment('maze').session(choice as never)).rejects.toThrow(reason);
  expect(server.seen).toEqual([]);
});

test('rejects an input that JSON would change, and does not send it', async () => {
  await using server = await fake();
  await using client = hasty(server);
  const session = await episode(client);

  await expect(session.call('go', { steps: Number.POSITIVE_INFINITY })).rejects.toThrow('input.steps is Infinity');
  expect(server.to('/maze/call')).toEqual([]);
});

test('a failure that the agent can mend does not end the episode', async () => {
  await using server = await start(lab().environment);
  await using client = new OrsClient(server.url);
  await using session = await client.environment('lab').session(TRAIN);

  await expect(session.call('fail')).rejects.toMatchObject({ detail: "Tool 'fail' failed: File not found" });
  await expect(session.call('nothing')).rejects.toBeInstanceOf(ToolCallError);
  await expect(session.call('echo', { times: 2 })).rejects.toBeInstanceOf(ToolCallError);
  expect(await session.call('echo', { text: 'still here' })).toMatchObject({ text: 'still here' });
});

test('a session with the wrong environment is a refusal and not lost', async () => {
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

test('pings keep a session alive while its player thinks, and stop when it is closed', async () => {
  await using server = await fake();
  await using client = hasty(server, { pingIntervalMs: 10 });
  const session = await episode(client);

  await until(() => server.to('/ping').length >= 3);
  await session.close();
  const before = server.to('/ping').length;
  await new Promise((resolve) => setTimeout(resolve, 60));

  expect(server.to('/ping').length - before).toBeLessThanOrEqual(1);
  expect(server.to('/ping')[0]?.headers['x-session-id']).toBe('s1');
});

test('no ping goes out before the episode is created', async () => {
  await using server = await fake({
    '/create': (response, seen, nth) => void setTimeout(() => json({})(response, seen, nth), 80),
    '/ping': json({ detail: 'Session not found' }, 404),
    '/maze/call': stream(event('end', output('fine'))),
  });
  await using client = hasty(server, { pingIntervalMs: 20 });

  const session = await episode(client);

  expect(server.to('/ping')).toEqual([]);
  expect((await session.call('go')).text).toBe('fine');
});

test('pings stop when the episode is finished', async () => {
  await using server = await fake({ '/maze/call': stream(event('end', output('won', { finished: true }))) });
  await using client = hasty(server, { pingIntervalMs: 10 });
  const session = await episode(client);

  await session.call('go');
  const before = server.to('/ping').length;
  await new Promise((resolve) => setTimeout(resolve, 60));

  expect(server.to('/ping').length - before).toBeLessThanOrEqual(1);
});

test('a ping that finds the session gone ends what waits for it', async () => {
  await using server = await fake({
    '/maze/call': open(event('task_id', 't1')),
    '/ping': inTurn(json({}), json({ detail: 'Session expired' }, 410)),
  });
  await using client = hasty(server, { pingIntervalMs: 15 });
  const session = await episode(client);

  await expect(session.call('go')).rejects.toMatchObject({ name: 'SessionLostError', status: 410, sid: 's1' });
});

test('a server without /ping loses no session by that', async () => {
  await using server = await fake({
    '/ping': json({ detail: 'Not Found' }, 404),
    '/maze/call': stream(event('end', output('fine'))),
  });
  await using client = hasty(server, { pingIntervalMs: 5 });
  const session = await episode(client);
  await until(() => server.to('/ping').length > 1);

  expect((await session.call('go')).text).toBe('fine');
});

test('another client resumes a session by its handle, and fetches a running call', async () => {
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
  await using foreign = await fake({ '/maze/call': stream(event('error', 'unknown task_id')) });
  await using other = hasty(foreign);

  expect(await session.resume({ ...unknown, task_id: known })).toMatchObject({ text: '1' });
  await expect(other.attach({ environment: 'maze', sid: 's' }).resume(unknown)).rejects.toMatchObject({
    name: 'CallLostError',
  });
});

test('an abort ends every wait with its reason', async () => {
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
  await expect(session.tools(soon())).rejects.toBe(reason);
  await expect(session.call('count', {}, soon())).rejects.toBe(reason);
  await expect(client.environments({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  await expect(client.environment('lab').session(TRAIN, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  events.push('go');
});

test('an episode whose creation is aborted is deleted, even if the client is closed at once', async () => {
  const controller = new AbortController();
  await using server = await fake({ '/create': () => controller.abort(new Error('enough')) });
  {
    await using client = hasty(server);
    const session = client.environment('maze').session(TRAIN, { signal: controller.signal });
    await expect(session).rejects.toThrow('enough');
  }

  expect(server.to('/delete').map(({ headers }) => headers['x-session-id'])).toEqual(['s1']);
});

test('closing a session ends the calls that wait in it', async () => {
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

test('a client that is closed while a session is being opened leaves no episode', async () => {
  let created = () => {};
  const isCreated = new Promise<void>((resolve) => {
    created = resolve;
  });
  await using server = await fake({ '/create': () => created() });
  const client = hasty(server);
  const opening = episode(client).catch((error: unknown) => error);
  await withDeadline(isCreated, 'a request for a session');

  await client.close();

  expect(await opening).toMatchObject({ name: 'OrsConnectionError', sid: 's1' });
  expect(server.to('/delete')).toHaveLength(1);
  expect(() => client.attach({ environment: 'maze', sid: 's1' })).toThrow('is closed');
});

test('leaving a block does not fail where the farewell fails, but close tells', async () => {
  await using server = await fake({ '/delete': json({ detail: 'broken' }, 500) });
  await using client = hasty(server);

  const session = await episode(client);
  await expect(session.close()).rejects.toMatchObject({ status: 500, sid: 's1' });
  await expect(session.close()).rejects.toMatchObject({ status: 500 });
  expect(server.to('/delete')).toHaveLength(2);
  await expect((await episode(client))[Symbol.asyncDispose]()).resolves.toBeUndefined();
});

test('secrets go into the body, and into the header for servers that refuse them there', async () => {
  const refusal = json({ detail: [{ loc: ['body', 'secrets'], msg: 'Extra inputs are not permitted' }] }, 422);
  await using plain = await fake();
  await using strict = await fake({
    '/create': (response, seen, nth) => (seen.body.secrets ? refusal : json({}))(response, seen, nth),
  });
  const secrets = { KEY: 'schlüssel' };

  for (const server of [plain, strict]) {
    await using client = hasty(server);
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
    inTurn(stream(''), stream('event: task_id\n'), json({ sid: 'x' })),
    json({}, 200, { 'X-Session-ID': 'x' }),
  ];
  for (const form of forms) {
    await using server = await fake({ '/create_session': form });
    await using client = hasty(server);

    const session = await episode(client);

    expect(session.sid).toBe('x');
    expect(server.to('/create')[0]).toMatchObject({
      headers: { 'x-session-id': 'x' },
      body: { env_name: 'maze', ...TRAIN },
    });
  }
});

test('a server that lists no tools of a task is asked for those of the environment', async () => {
  await using server = await fake({
    '/maze/task_tools': json({ detail: 'Not Found' }, 404),
    '/maze/tools': json({ tools: [{ name: 'go', description: '' }] }),
  });
  await using client = hasty(server);
  const session = await episode(client);

  expect(await session.tools()).toEqual([{ name: 'go', description: '', input_schema: null }]);
});

test.each([404, 410])('closes an episode that the server answers %d for without an error', async (status) => {
  await using server = await fake({ '/delete': json({ detail: 'Session not found' }, status) });
  await using client = hasty(server);
  const session = await episode(client);

  await expect(session.close()).resolves.toBeUndefined();
});
