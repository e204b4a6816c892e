import { expect, test } from '@jest/globals';
import { call, create, request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { until } from '../support/until.ts';

test('issues an id as JSON, or as events if Accept lists them', async () => {
  await using server = await start(lab().environment);

  const json = await request(server, 'POST', '/create_session');
  const any = await request(server, 'POST', '/create_session', { body: {}, headers: { Accept: '*/*' } });
  const events = await request(server, 'POST', '/create_session', {
    body: {},
    headers: { Accept: 'text/event-stream' },
  });

  expect(json.body.sid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(json.headers.get('X-Session-ID')).toBe(json.body.sid);
  expect(any.body.sid).not.toBe(json.body.sid);
  const sid = events.headers.get('X-Session-ID');
  expect(events.body).toBe(`event: task_id\ndata: ${sid}\n\nevent: end\ndata: {"sid":"${sid}"}\n\n`);
});

test.each([
  ['text/event-stream', true],
  ['Text/Event-Stream; charset=utf-8', true],
  ['text/event-stream, application/json', true],
  ['text/event-stream, */*', true],
  ['*/*, text/event-stream', true],
  ['text/*', true],
  ['application/json;q=0.5, text/event-stream', true],
  ['application/json; q=0.5 , text/event-stream ; q=0.9', true],
  ['application/*, text/event-stream', true],
  ['application/json;q=0, */*;q=0.1', true],
  ['application/json', false],
  ['application/json, text/event-stream', false],
  ['application/json, text/event-stream;q=1.0', false],
  ['application/json, text/event-stream;q=0.9', false],
  ['text/event-stream;q=0.1, */*', false],
  ['text/event-stream;q=0', false],
  ['text/event-stream;q=0.000, application/json;q=0', false],
  ['text/event-stream;q=none', false],
  ['text/*;q=0.5, */*', false],
  ['text/html, application/xhtml+xml, */*;q=0.8', false],
  ['image/png', false],
  ['', false],
  [',;q=1,', false],
])('issues an id to Accept %j as events: %j', async (accept, expected) => {
  await using server = await start(lab().environment);

  const { status, headers } = await request(server, 'POST', '/create_session', { headers: { Accept: accept } });

  expect([status, headers.get('Content-Type')?.startsWith('text/event-stream')]).toEqual([200, expected]);
});

test('issues a requested id again', async () => {
  await using server = await start(lab().environment);
  const { sid } = (await request(server, 'POST', '/create_session')).body;

  const again = await request(server, 'POST', '/create_session', { body: { task_id: sid } });
  const foreign = await request(server, 'POST', '/create_session', { body: { task_id: 'mine' } });

  expect(again.body.sid).toBe(sid);
  expect(foreign.body.sid).not.toBe('mine');
});

test.each([
  [{}, 'no task is named; send task_spec, or split and index'],
  [{ task_spec: null, split: null }, 'no task is named; send task_spec, or split and index'],
  [{ task_spec: {}, split: 'train', index: 0 }, 'task_spec and split with index exclude each other; send one of them'],
  [{ task_spec: {}, split: 'train' }, 'task_spec and split with index exclude each other; send one of them'],
  [{ split: 'train' }, 'split came without index; send both, or task_spec'],
  [{ index: 0 }, 'index came without split; send both, or task_spec'],
  [{ split: 'nope', index: 0 }, "unknown split 'nope'; 'lab' has: train, test, hard"],
  [{ split: 'train', index: 2 }, "index 2 is out of range for split 'train'; its indices are 0 to 1"],
  [{ split: 'test', index: 0 }, "index 0 is out of range for split 'test'; it has no tasks"],
  [{ split: 'train', index: -1 }, 'body.index must be >= 0'],
  [{ split: 'train', index: '1' }, 'body.index must be integer or null'],
  [{ task_spec: {}, secrets: { key: 1 } }, 'body.secrets.key must be string'],
  [{ task_spec: {}, secrets: 'key' }, 'body.secrets must be object or null'],
  [{ task_sepc: {} }, "body.task_sepc is not a field of this request; did you mean 'task_spec'?"],
  [{ task_spec: {}, secret: { a: 'b' } }, "body.secret is not a field of this request; did you mean 'secrets'?"],
])('rejects /create with %j: %s', async (body, detail) => {
  await using server = await start(lab().environment);

  const response = await request(server, 'POST', '/create', { sid: 's', body });

  expect(response).toMatchObject({ status: 400, body: { detail } });
  expect(await request(server, 'POST', '/create', { sid: 's', body: { task_spec: {} } })).toMatchObject({
    status: 200,
  });
});

test.each(['salt', 'inbox', 'secret_key', 'token'])('takes the field %j for no misspelled one', async (field) => {
  await using server = await start(lab().environment);

  const body = { split: 'train', index: 0, [field]: 'sk-123' };
  const response = await request(server, 'POST', '/create', { sid: 's', body });

  expect(response.status).toBe(200);
  expect(response.headers.get('X-Ignored-Fields')).toBe(field);
});

test('answers 404 to an empty name of an environment, which is not an omitted one', async () => {
  await using server = await start(lab().environment);
  const ask = (env_name: unknown) =>
    request(server, 'POST', '/create', { sid: 's', body: { env_name, task_spec: {} } });

  expect(await ask('')).toMatchObject({ status: 404, body: { detail: expect.stringContaining('lab') } });
  expect((await ask(null)).status).toBe(200);
});

test('ignores unknown fields, and lists them', async () => {
  await using server = await start(lab().environment);

  const response = await request(server, 'POST', '/create', {
    sid: 's',
    body: { task_spec: {}, variant: 'x', 'ü, y': 1 },
  });

  expect(response).toMatchObject({ status: 200, body: { sid: 's' } });
  expect(response.headers.get('X-Ignored-Fields')).toBe('variant, %C3%BC%2C%20y');
});

test('creates a session once for concurrent requests', async () => {
  await using server = await start(lab().environment);

  const responses = await Promise.all(
    Array.from({ length: 20 }, () =>
      request(server, 'POST', '/create', { sid: 's', body: { split: 'train', index: 0 } }),
    ),
  );

  const rejected = responses.filter(({ status }) => status === 400);
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(rejected).toHaveLength(19);
  expect(rejected[0]?.body.detail).toContain('Session already exists');
});

test('waits for setup in prompt, tools and calls', async () => {
  const { environment, open, events } = lab({ setup: () => until(() => events.includes('go')) });
  await using server = await start(environment);
  const sid = await create(server, { split: 'train', index: 1 });

  const responses = Promise.all([
    request(server, 'GET', '/lab/prompt', { sid }),
    request(server, 'GET', '/lab/task_tools', { sid }),
    call(server, sid, 'count'),
  ]);
  expect((await request(server, 'POST', '/ping', { sid })).body).toEqual({ status: 'ok' });
  events.push('go');
  const [prompt, tools, counted] = await responses;

  expect(prompt.body).toEqual([{ text: 'task {"n":1}, count 0', detail: null, type: 'text' }]);
  expect(tools.body.tools).toHaveLength(8);
  expect(counted.result.output.blocks[0].text).toBe('1');
  open('unused');
});

test('reports a failed setup to every request, tears it down once, and allows a new session with the id', async () => {
  const tornDown: string[] = [];
  const { environment, events } = lab({
    setup: ({ onCleanup }) => {
      onCleanup(() => void tornDown.push('first'));
      onCleanup(() => {
        tornDown.push('second');
        throw new Error('cannot be undone');
      });
      throw new Error('no database');
    },
  });
  await using server = await start(environment);
  const sid = await create(server);

  const prompt = await request(server, 'GET', '/lab/prompt', { sid });
  const tools = await request(server, 'GET', '/lab/task_tools', { sid });

  expect(prompt).toMatchObject({ status: 500, body: { detail: 'Error: no database' } });
  expect(tools).toMatchObject({ status: 500, body: { detail: 'Error: no database' } });
  await expect(call(server, sid, 'count')).rejects.toThrow('500 {"detail":"Error: no database"}');
  expect(await request(server, 'POST', '/ping', { sid })).toMatchObject({ status: 200 });
  expect(await request(server, 'POST', '/create', { sid, body: { task_spec: {} } })).toMatchObject({ status: 400 });
  await until(() => tornDown.length === 2);
  expect(await request(server, 'POST', '/delete', { sid })).toMatchObject({ status: 200 });
  expect(tornDown).toEqual(['second', 'first']);
  expect(events).toEqual(['setup']);
  expect(await create(server, { task_spec: {} }, sid)).toBe(sid);
});

test('answers 404 before a session is created and 410 after it is deleted, when it can be created again', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);
  const routes = [
    ['GET', '/lab/prompt'],
    ['GET', '/lab/task_tools'],
    ['POST', '/ping'],
    ['POST', '/lab/call'],
  ] as const;
  const statuses = () =>
    Promise.all(
      routes.map(async ([method, path]) => {
        const body = path === '/lab/call' ? { name: 'count', input: {} } : undefined;
        return (await request(server, method, path, { sid: 's', body })).status;
      }),
    );

  expect(await statuses()).toEqual([404, 404, 404, 404]);
  expect(await request(server, 'POST', '/delete', { sid: 's' })).toMatchObject({ status: 404 });
  expect(await request(server, 'POST', '/delete_session', { sid: 's' })).toMatchObject({
    status: 200,
    body: { sid: 's' },
  });

  await create(server, { task_spec: {} }, 's');
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  expect(await request(server, 'POST', '/delete', { sid: 's' })).toMatchObject({ status: 200, body: { sid: 's' } });
  expect(await request(server, 'POST', '/delete', { sid: 's' })).toMatchObject({ status: 200, body: { sid: 's' } });
  expect(await statuses()).toEqual([410, 410, 410, 410]);
  expect(events).toEqual(['setup', 'teardown']);

  await create(server, { task_spec: {} }, 's');
  expect(await statuses()).toEqual([200, 200, 200, 200]);
});

test('rejects waiting requests on a delete during setup, and tears down a late setup', async () => {
  const { environment, events } = lab({ setup: () => until(() => events.includes('go')) });
  await using server = await start(environment, { deleteGraceMs: 20 });
  const sid = await create(server);
  const waiting = request(server, 'GET', '/lab/prompt', { sid });
  await until(() => events.includes('setup'));

  expect(await request(server, 'POST', '/delete', { sid })).toMatchObject({ status: 200 });
  expect(await waiting).toMatchObject({ status: 410, body: { detail: 'Session deleted' } });
  events.push('go');
  await until(() => events.includes('teardown'));

  expect(events).toEqual(['setup', 'go', 'teardown']);
});

test('aborts the tool, ends the stream with an error and tears down once on a delete during a call', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);
  const sid = await create(server);
  const running = call(server, sid, 'until_aborted');
  await until(() => events.includes('start until_aborted'));

  await Promise.all([1, 2, 3].map(() => request(server, 'POST', '/delete', { sid })));

  expect((await running).error).toBe('session deleted');
  expect(events).toEqual(['setup', 'start until_aborted', 'aborted', 'teardown']);
});

test('tears down a session whose tool ignores the signal', async () => {
  const { environment, events, open } = lab();
  await using server = await start(environment, { deleteGraceMs: 20 });
  const sid = await create(server);
  const running = call(server, sid, 'wait', { gate: 'a' });
  await until(() => events.includes('start a'));

  await request(server, 'POST', '/delete', { sid });

  expect((await running).error).toBe('session deleted');
  expect(events).toEqual(['setup', 'start a', 'teardown']);
  open('a');
});

test('tears down all sessions on close', async () => {
  const { environment, events } = lab();
  const server = await start(environment);
  await Promise.all([create(server), create(server), create(server)]);

  await server.close();
  await server.close();

  expect(events.filter((event) => event === 'teardown')).toHaveLength(3);
});
