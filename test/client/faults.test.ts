import { afterEach, expect, jest, test } from '@jest/globals';
import {
  CallLostError,
  OrsClient,
  OrsConnectionError,
  OrsHttpError,
  OrsProtocolError,
  ToolCrashedError,
} from 'ors-kit/client';
import {
  createClient,
  event,
  inOrder,
  json,
  open,
  openEpisode,
  output,
  type Responder,
  reset,
  startFakeServer,
  stream,
} from './fake-server.ts';

const FIRST = event('task_id', 't1');
const DONE = event('end', output('done'));

afterEach(() => void jest.restoreAllMocks());

/** Makes failures cost only the pauses after them, not the time of a busy machine. */
const stopClock = () => jest.spyOn(performance, 'now').mockReturnValue(0);

test.each([
  ['a connection that is reset', reset],
  ['a gateway that fails', json({ detail: 'bad gateway' }, 502)],
  ['a gateway that times out', json({ detail: 'timeout' }, 504)],
  ['a server that is busy', json({ detail: 'later' }, 503, { 'Retry-After': '0' })],
  ['a server that limits requests', json({ detail: 'later' }, 429, { 'Retry-After': '0' })],
  ['an environment that is starting', json({ detail: 'starting' }, 503, { 'X-Backend-State': 'starting' })],
])('repeats a request after %s', async (_what, failure) => {
  await using server = await startFakeServer({ '/list_environments': inOrder(failure, failure, json(['maze'])) });
  await using client = createClient(server);

  const names = await client.environments();

  expect(names).toEqual(['maze']);
  expect(server.to('/list_environments')).toHaveLength(3);
});

test.each([400, 401, 403, 404, 409, 410, 413, 422, 500, 501])(
  'does not repeat a request after status %d',
  async (status) => {
    await using server = await startFakeServer({ '/list_environments': json({ detail: 'no' }, status) });
    await using client = createClient(server);

    const error = await client.environments().catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(OrsHttpError);
    expect(error).toMatchObject({ status, detail: 'no' });
    expect(server.to('/list_environments')).toHaveLength(1);
  },
);

test.each([
  ['a sentence', { detail: 'Invalid split' }, 'Invalid split'],
  [
    'a list of findings',
    { detail: [{ loc: ['body', 'split'], msg: 'Field required', type: 'missing' }] },
    'body.split: Field required',
  ],
  ['an object', { detail: { code: 7 } }, '{"code":7}'],
  ['another key', { error: 'nope' }, 'nope'],
])('reads the reason from %s', async (_form, body, detail) => {
  await using server = await startFakeServer({ '/list_environments': json(body, 422) });
  await using client = createClient(server);

  await expect(client.environments()).rejects.toMatchObject({ status: 422, detail });
});

test('rejects a page of HTML, and quotes it', async () => {
  await using server = await startFakeServer({
    '/list_environments': (response) => response.end('<html>Welcome</html>'),
  });
  await using client = createClient(server);

  const error = await client.environments().catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(OrsProtocolError);
  expect(String(error)).toContain('<html>Welcome</html>');
  expect(String(error)).toContain('is there an ORS server?');
});

test('gives up a dead server with the last failure when the budget is used up', async () => {
  const server = await startFakeServer();
  await server[Symbol.asyncDispose]();
  stopClock();
  await using client = createClient(server, { retry: { budgetMs: 200 } });

  const error = await client.environments().catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(OrsConnectionError);
  expect(error).toMatchObject({ status: null, retryable: true });
  expect(String(error)).toMatch(/ECONNREFUSED.*given up after \d+ attempts/);
});

test('gives up streams that end without a result, because their headers do not refill the budget', async () => {
  await using server = await startFakeServer({ '/maze/call': stream(FIRST) });
  stopClock();
  await using client = createClient(server, { retry: { budgetMs: 200 } });
  const session = await openEpisode(client);

  const error = await session.call('go').catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(CallLostError);
  expect(String(error)).toContain('the stream ended before the result did');
  expect(server.to('/maze/call').length).toBeGreaterThan(3);
});

test('resumes a call by its task id, with the same body', async () => {
  await using server = await startFakeServer({
    '/maze/call': inOrder(stream(FIRST), stream(FIRST, event('chunk', '{"ok":tr')), stream(FIRST, DONE)),
  });
  await using client = createClient(server);
  const session = await openEpisode(client);

  const result = await session.call('go', { north: 3 });

  expect(result).toMatchObject({ text: 'done', repeated: false });
  expect(server.to('/maze/call').map(({ body }) => body)).toEqual([
    { name: 'go', input: { north: 3 } },
    { name: 'go', input: { north: 3 }, task_id: 't1' },
    { name: 'go', input: { north: 3 }, task_id: 't1' },
  ]);
});

test('repeats a call whose connection breaks before its task id, and marks the result', async () => {
  await using server = await startFakeServer({ '/maze/call': inOrder(reset, stream(FIRST, DONE)) });
  await using client = createClient(server);
  const session = await openEpisode(client);

  const result = await session.call('go');

  expect(result).toMatchObject({ text: 'done', repeated: true });
});

test('does not repeat a call without a task id if repeat is false', async () => {
  await using server = await startFakeServer({ '/maze/call': inOrder(reset, stream(FIRST, DONE)) });
  await using client = createClient(server);
  const session = await openEpisode(client);

  const error = await session.call('go', {}, { repeat: false }).catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(CallLostError);
  expect(error).toMatchObject({ retryable: true, sid: 's1' });
  expect(server.to('/maze/call')).toHaveLength(1);
});

test('rejects with CallLostError if a repeated call finds the episode finished', async () => {
  const refusal = event('end', JSON.stringify({ ok: false, error: 'the episode is finished' }));
  await using server = await startFakeServer({ '/maze/call': inOrder(reset, stream(FIRST, refusal)) });
  await using client = createClient(server);
  const session = await openEpisode(client);

  await expect(session.call('submit')).rejects.toBeInstanceOf(CallLostError);
});

test('chooses the task id if the server accepts one, so that a call without a response runs once', async () => {
  await using server = await startFakeServer({
    '/version': json({ name: 'ors-kit', version: '0.1.0' }),
    '/maze/call': inOrder(reset, reset, stream(DONE)),
  });
  await using client = createClient(server);
  const session = await openEpisode(client);

  const result = await session.call('go');

  const names = server.to('/maze/call').map(({ body }) => body.task_id);
  expect(result.repeated).toBe(false);
  expect(names).toEqual([names[0], names[0], names[0]]);
  expect(names[0]).toMatch(/^client-[0-9a-f]{32}$/);
});

test('rejects with CallLostError if a call may have arrived when the budget is used up', async () => {
  await using server = await startFakeServer({
    '/version': json({ name: 'ors-kit', version: '0.1.0' }),
    '/maze/call': reset,
  });
  stopClock();
  await using client = createClient(server, { retry: { budgetMs: 200 } });
  const session = await openEpisode(client);

  await expect(session.call('go')).rejects.toBeInstanceOf(CallLostError);
});

test('treats "already exists" as success after a lost response to /create', async () => {
  await using server = await startFakeServer({
    '/create': inOrder(reset, json({ detail: 'Session already exists' }, 400)),
  });
  await using client = createClient(server);

  const session = await openEpisode(client);

  expect(session.sid).toBe('s1');
});

test('rejects with "already exists" if no response was lost', async () => {
  await using server = await startFakeServer({ '/create': json({ detail: 'Session already exists' }, 400) });
  await using client = createClient(server);

  await expect(openEpisode(client)).rejects.toMatchObject({ status: 400, detail: 'Session already exists' });
});

test('does not wait for a server that asks for more time than queueMs', async () => {
  await using server = await startFakeServer({ '/create': json({ detail: 'full' }, 503, { 'Retry-After': '3600' }) });
  await using client = createClient(server);

  await expect(openEpisode(client)).rejects.toMatchObject({ status: 503, detail: 'full', retryable: true });
  expect(server.to('/create')).toHaveLength(1);
});

test('reads a Retry-After with a fraction as seconds, not as a date', async () => {
  await using server = await startFakeServer({ '/create': json({ detail: 'full' }, 503, { 'Retry-After': '1.5' }) });
  await using client = createClient(server, { retry: { queueMs: 1_000 } });

  await expect(openEpisode(client)).rejects.toMatchObject({ status: 503, detail: 'full' });
  expect(server.to('/create')).toHaveLength(1);
});

test('waits until the date in Retry-After', async () => {
  const soon = new Date(Date.now() - 1000).toUTCString();
  await using server = await startFakeServer({
    '/create': inOrder(json({ detail: 'full' }, 503, { 'Retry-After': soon }), json({})),
  });
  await using client = createClient(server);

  await openEpisode(client);

  expect(server.to('/create')).toHaveLength(2);
});

test('returns the result of a stream that stays open after its last event', async () => {
  await using server = await startFakeServer({ '/maze/call': open(FIRST, DONE) });
  await using client = createClient(server);
  const session = await openEpisode(client);

  const result = await session.call('go');

  expect(result.text).toBe('done');
});

test.each([
  ['not JSON', 'nonsense'],
  ['an object without ok', '{"fine":true}'],
  ['an output without blocks in a list', '{"ok":true,"output":{"blocks":"text"}}'],
  ['a reward that is not a number', '{"ok":true,"output":{"blocks":[],"reward":"1"}}'],
  ['an image without data', '{"ok":true,"output":{"blocks":[{"type":"image","mimeType":"image/png"}]}}'],
])('reports a result that is %s, and does not request it again', async (_what, data) => {
  await using server = await startFakeServer({ '/maze/call': stream(FIRST, event('end', data)) });
  await using client = createClient(server);
  const session = await openEpisode(client);

  await expect(session.call('go')).rejects.toBeInstanceOf(OrsProtocolError);
  expect(server.to('/maze/call')).toHaveLength(1);
});

test('reads missing fields as null, and ignores unknown ones', async () => {
  const plain = JSON.stringify({
    ok: true,
    output: { blocks: [{ type: 'text', text: 'hi', colour: 'red' }], cost: 3 },
  });
  await using server = await startFakeServer({ '/maze/call': stream(event('progress', '50 %'), event('end', plain)) });
  await using client = createClient(server);
  const session = await openEpisode(client);

  const result = await session.call('go');

  expect(result).toMatchObject({ text: 'hi', reward: null, finished: false, metadata: null, images: [] });
});

test('accepts a complete result without its last blank line, and requests a cut one again', async () => {
  const whole = `event: end\ndata: ${output('done')}`;
  await using server = await startFakeServer({
    '/maze/call': inOrder(stream('event: task_id\ndata: t'), stream(FIRST, whole.slice(0, -1)), stream(FIRST, whole)),
  });
  await using client = createClient(server);
  const session = await openEpisode(client);

  const result = await session.call('go');

  expect(result.text).toBe('done');
  expect(server.to('/maze/call').map(({ body }) => body.task_id)).toEqual([undefined, undefined, 't1']);
});

test('gives up a response without end', async () => {
  const endless: Responder = (response) => {
    const piece = Buffer.alloc(1_000_000, 'x');
    const write = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.writeHead(200, { 'Content-Type': 'application/json' }).on('drain', write);
    write();
  };
  await using server = await startFakeServer({ '/list_environments': endless });
  await using client = createClient(server);

  await expect(client.environments()).rejects.toThrow('is longer than 268435456 bytes');
});

test('rejects with CallLostError if a gateway fails after the call may have run', async () => {
  await using server = await startFakeServer({ '/maze/call': inOrder(json({ detail: 'reset' }, 503), stream(DONE)) });
  await using client = createClient(server);
  const session = await openEpisode(client);

  expect(await session.call('go')).toMatchObject({ repeated: true });
});

test('opens sessions and calls tools before the dialect is known', async () => {
  await using server = await startFakeServer({
    '/version': json({ detail: 'bad gateway' }, 502),
    '/openapi.json': json({ detail: 'bad gateway' }, 502),
    '/maze/call': stream(DONE),
  });
  await using client = createClient(server, { retry: { budgetMs: 100 } });
  const session = await openEpisode(client);

  expect((await session.call('go', {}, { signal: AbortSignal.timeout(4_000) })).text).toBe('done');
});

test('stops waiting for the dialect when the signal aborts', async () => {
  await using server = await startFakeServer({ '/version': () => {} });
  await using client = createClient(server);
  const session = client.attach({ environment: 'maze', sid: 's1' });

  await expect(session.call('go', {}, { signal: AbortSignal.timeout(30) })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});

test('makes one complete attempt if the budget is 0', async () => {
  await using server = await startFakeServer({
    '/list_environments': (response) => void setTimeout(() => json(['maze'])(response, {} as never, 1), 100),
    '/maze/splits': reset,
  });
  await using client = createClient(server, { retry: { budgetMs: 0 } });

  expect(await client.environments()).toEqual(['maze']);
  await expect(client.environment('maze').splits()).rejects.toBeInstanceOf(OrsConnectionError);
  expect(server.to('/maze/splits')).toHaveLength(1);
});

test.each([
  [
    { pingIntervalMs: Number.POSITIVE_INFINITY },
    'invalid pingIntervalMs: expected a number of milliseconds from 0 to 2147483647, got Infinity',
  ],
  [{ pingIntervalMs: -1 }, 'got -1'],
  [{ stallTimeoutMs: 0 }, 'invalid stallTimeoutMs: expected a number of milliseconds from'],
  [{ retry: { budgetMs: Number.NaN } }, 'invalid retry.budgetMs: expected a number of milliseconds from'],
  [{ retry: { firstDelayMs: '5' as never } }, 'invalid retry.firstDelayMs: expected a number of milliseconds from'],
])('rejects the options %j', async (options, reason) => {
  await using server = await startFakeServer();

  expect(() => new OrsClient(server.url, options)).toThrow(reason);
});

test.each(['session moved: another server continues it', 'its journal failed: PostgreSQL is not available'])(
  'resumes a call by its task id after the event error: %s',
  async (text) => {
    await using server = await startFakeServer({
      '/maze/call': inOrder(stream(FIRST, event('error', text)), stream(FIRST, DONE)),
    });
    await using client = createClient(server);
    const session = await openEpisode(client);

    const result = await session.call('go');

    expect(result.text).toBe('done');
    expect(server.to('/maze/call').map(({ body }) => body.task_id)).toEqual([undefined, 't1']);
  },
);

test('rejects with ToolCrashedError if a session moves without an end', async () => {
  const text = 'session moved: says the author';
  await using server = await startFakeServer({ '/maze/call': stream(FIRST, event('error', text)) });
  await using client = createClient(server);
  const session = await openEpisode(client);

  await expect(session.call('go')).rejects.toMatchObject({ name: 'ToolCrashedError', detail: text });
});

test('rejects with ToolCrashedError and the text of an error event', async () => {
  await using server = await startFakeServer({
    '/maze/call': stream(FIRST, event('error', 'ZeroDivisionError: by zero')),
  });
  await using client = createClient(server);
  const session = await openEpisode(client);

  const error = await session.call('go').catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(ToolCrashedError);
  expect(error).toMatchObject({ detail: 'ZeroDivisionError: by zero', sid: 's1', status: null });
});
