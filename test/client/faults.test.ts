import { afterEach, expect, jest, test } from '@jest/globals';
import {
  CallLostError,
  OrsClient,
  OrsConnectionError,
  OrsHttpError,
  OrsProtocolError,
  ToolCrashedError,
} from 'ors-kit/client';
import { type Answer, episode, event, fake, hasty, inTurn, json, open, output, reset, stream } from './fake-server.ts';

const FIRST = event('task_id', 't1');
const DONE = event('end', output('done'));

afterEach(() => void jest.restoreAllMocks());

/** Has failures cost the pauses after them alone, and not the time that a busy machine takes. */
const stopClock = () => jest.spyOn(performance, 'now').mockReturnValue(0);

test.each([
  ['a connection that is reset', reset],
  ['a gateway that fails', json({ detail: 'bad gateway' }, 502)],
  ['a gateway that times out', json({ detail: 'timeout' }, 504)],
  ['a server that is busy', json({ detail: 'later' }, 503, { 'Retry-After': '0' })],
  ['a server that limits requests', json({ detail: 'later' }, 429, { 'Retry-After': '0' })],
  ['an environment that is starting', json({ detail: 'starting' }, 503, { 'X-Backend-State': 'starting' })],
])('after %s the request is made again', async (_what, failure) => {
  await using server = await fake({ '/list_environments': inTurn(failure, failure, json(['maze'])) });
  await using client = hasty(server);

  const names = await client.environments();

  expect(names).toEqual(['maze']);
  expect(server.to('/list_environments')).toHaveLength(3);
});

test.each([400, 401, 403, 404, 409, 410, 413, 422, 500, 501])('a refusal of %d is final', async (status) => {
  await using server = await fake({ '/list_environments': json({ detail: 'no' }, status) });
  await using client = hasty(server);

  const error = await client.environments().catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(OrsHttpError);
  expect(error).toMatchObject({ status, detail: 'no' });
  expect(server.to('/list_environments')).toHaveLength(1);
});

test.each([
  ['a sentence', { detail: 'Invalid split' }, 'Invalid split'],
  [
    'a list of findings',
    { detail: [{ loc: ['body', 'split'], msg: 'Field required', type: 'missing' }] },
    'body.split: Field required',
  ],
  ['an object', { detail: { code: 7 } }, '{"code":7}'],
  ['another key', { error: 'nope' }, 'nope'],
])('a refusal is read as %s', async (_form, body, detail) => {
  await using server = await fake({ '/list_environments': json(body, 422) });
  await using client = hasty(server);

  await expect(client.environments()).rejects.toMatchObject({ status: 422, detail });
});

test('a page of HTML is an answer that is not ORS, and is shown', async () => {
  await using server = await fake({ '/list_environments': (response) => response.end('<html>Welcome</html>') });
  await using client = hasty(server);

  const error = await client.environments().catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(OrsProtocolError);
  expect(String(error)).toContain('<html>Welcome</html>');
  expect(String(error)).toContain('is there an ORS server?');
});

test('a dead server is given up when the budget is used up, and the error says why', async () => {
  const server = await fake();
  await server[Symbol.asyncDispose]();
  stopClock();
  await using client = hasty(server, { retry: { budgetMs: 200 } });

  const error = await client.environments().catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(OrsConnectionError);
  expect(error).toMatchObject({ status: null, retryable: true });
  expect(String(error)).toMatch(/ECONNREFUSED.*given up after \d+ attempts/);
});

test('streams that open and end forever are given up, since success of headers refills nothing', async () => {
  await using server = await fake({ '/maze/call': stream(FIRST) });
  stopClock();
  await using client = hasty(server, { retry: { budgetMs: 200 } });
  const session = await episode(client);

  const error = await session.call('go').catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(CallLostError);
  expect(String(error)).toContain('the stream ended before the result did');
  expect(server.to('/maze/call').length).toBeGreaterThan(3);
});

test('a call that is named is asked for by its name, with the same body', async () => {
  await using server = await fake({
    '/maze/call': inTurn(stream(FIRST), stream(FIRST, event('chunk', '{"ok":tr')), stream(FIRST, DONE)),
  });
  await using client = hasty(server);
  const session = await episode(client);

  const result = await session.call('go', { north: 3 });

  expect(result).toMatchObject({ text: 'done', repeated: false });
  expect(server.to('/maze/call').map(({ body }) => body)).toEqual([
    { name: 'go', input: { north: 3 } },
    { name: 'go', input: { north: 3 }, task_id: 't1' },
    { name: 'go', input: { north: 3 }, task_id: 't1' },
  ]);
});

test('a call whose connection breaks before it is named is repeated, and the result says so', async () => {
  await using server = await fake({ '/maze/call': inTurn(reset, stream(FIRST, DONE)) });
  await using client = hasty(server);
  const session = await episode(client);

  const result = await session.call('go');

  expect(result).toMatchObject({ text: 'done', repeated: true });
});

test('such a call is not repeated where the caller forbids it', async () => {
  await using server = await fake({ '/maze/call': inTurn(reset, stream(FIRST, DONE)) });
  await using client = hasty(server);
  const session = await episode(client);

  const error = await session.call('go', {}, { repeat: false }).catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(CallLostError);
  expect(error).toMatchObject({ retryable: true, sid: 's1' });
  expect(server.to('/maze/call')).toHaveLength(1);
});

test('a repeated call that finds the episode finished is lost, not refused', async () => {
  const refusal = event('end', JSON.stringify({ ok: false, error: 'the episode is finished' }));
  await using server = await fake({ '/maze/call': inTurn(reset, stream(FIRST, refusal)) });
  await using client = hasty(server);
  const session = await episode(client);

  await expect(session.call('submit')).rejects.toBeInstanceOf(CallLostError);
});

test('a server that lets clients name calls gets a name at once, so that a call whose answer never began runs once', async () => {
  await using server = await fake({
    '/version': json({ name: 'ors-kit', version: '0.1.0' }),
    '/maze/call': inTurn(reset, reset, stream(DONE)),
  });
  await using client = hasty(server);
  const session = await episode(client);

  const result = await session.call('go');

  const names = server.to('/maze/call').map(({ body }) => body.task_id);
  expect(result.repeated).toBe(false);
  expect(names).toEqual([names[0], names[0], names[0]]);
  expect(names[0]).toMatch(/^client-[0-9a-f]{32}$/);
});

test('a call with a name that may have arrived is lost when the budget is used up', async () => {
  await using server = await fake({ '/version': json({ name: 'ors-kit', version: '0.1.0' }), '/maze/call': reset });
  stopClock();
  await using client = hasty(server, { retry: { budgetMs: 200 } });
  const session = await episode(client);

  await expect(session.call('go')).rejects.toBeInstanceOf(CallLostError);
});

test('after a lost answer to /create, "already exists" is success', async () => {
  await using server = await fake({
    '/create': inTurn(reset, json({ detail: 'Session already exists' }, 400)),
  });
  await using client = hasty(server);

  const session = await episode(client);

  expect(session.sid).toBe('s1');
});

test('without a lost answer, "already exists" is a refusal', async () => {
  await using server = await fake({ '/create': json({ detail: 'Session already exists' }, 400) });
  await using client = hasty(server);

  await expect(episode(client)).rejects.toMatchObject({ status: 400, detail: 'Session already exists' });
});

test('a server that asks to wait longer than the queue may last is not waited for', async () => {
  await using server = await fake({ '/create': json({ detail: 'full' }, 503, { 'Retry-After': '3600' }) });
  await using client = hasty(server);

  await expect(episode(client)).rejects.toMatchObject({ status: 503, detail: 'full', retryable: true });
  expect(server.to('/create')).toHaveLength(1);
});

test('a Retry-After with a fraction is a number of seconds, and not a date in January 2001', async () => {
  await using server = await fake({ '/create': json({ detail: 'full' }, 503, { 'Retry-After': '1.5' }) });
  await using client = hasty(server, { retry: { queueMs: 1_000 } });

  await expect(episode(client)).rejects.toMatchObject({ status: 503, detail: 'full' });
  expect(server.to('/create')).toHaveLength(1);
});

test('a Retry-After in the form of a date is honoured', async () => {
  const soon = new Date(Date.now() - 1000).toUTCString();
  await using server = await fake({
    '/create': inTurn(json({ detail: 'full' }, 503, { 'Retry-After': soon }), json({})),
  });
  await using client = hasty(server);

  await episode(client);

  expect(server.to('/create')).toHaveLength(2);
});

test('a stream that stays open after its last event gives its result all the same', async () => {
  await using server = await fake({ '/maze/call': open(FIRST, DONE) });
  await using client = hasty(server);
  const session = await episode(client);

  const result = await session.call('go');

  expect(result.text).toBe('done');
});

test.each([
  ['no JSON', 'nonsense'],
  ['no result', '{"fine":true}'],
  ['an output without blocks in a list', '{"ok":true,"output":{"blocks":"text"}}'],
  ['a reward that is not a number', '{"ok":true,"output":{"blocks":[],"reward":"1"}}'],
  ['a picture without data', '{"ok":true,"output":{"blocks":[{"type":"image","mimeType":"image/png"}]}}'],
])('reports a result that is %s, and does not request it again', async (_what, data) => {
  await using server = await fake({ '/maze/call': stream(FIRST, event('end', data)) });
  await using client = hasty(server);
  const session = await episode(client);

  await expect(session.call('go')).rejects.toBeInstanceOf(OrsProtocolError);
  expect(server.to('/maze/call')).toHaveLength(1);
});

test('fields that a server leaves out are null, and those that it adds do no harm', async () => {
  const plain = JSON.stringify({
    ok: true,
    output: { blocks: [{ type: 'text', text: 'hi', colour: 'red' }], cost: 3 },
  });
  await using server = await fake({ '/maze/call': stream(event('progress', '50 %'), event('end', plain)) });
  await using client = hasty(server);
  const session = await episode(client);

  const result = await session.call('go');

  expect(result).toMatchObject({ text: 'hi', reward: null, finished: false, metadata: null, images: [] });
});

test('an answer whose last blank line is missing counts if it is whole, and is asked for again if it is cut', async () => {
  const whole = `event: end\ndata: ${output('done')}`;
  await using server = await fake({
    '/maze/call': inTurn(stream('event: task_id\ndata: t'), stream(FIRST, whole.slice(0, -1)), stream(FIRST, whole)),
  });
  await using client = hasty(server);
  const session = await episode(client);

  const result = await session.call('go');

  expect(result.text).toBe('done');
  expect(server.to('/maze/call').map(({ body }) => body.task_id)).toEqual([undefined, undefined, 't1']);
});

test('an answer without end is given up', async () => {
  const endless: Answer = (response) => {
    const piece = Buffer.alloc(1_000_000, 'x');
    const write = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.writeHead(200, { 'Content-Type': 'application/json' }).on('drain', write);
    write();
  };
  await using server = await fake({ '/list_environments': endless });
  await using client = hasty(server);

  await expect(client.environments()).rejects.toThrow('is longer than 268435456 bytes');
});

test('a gateway that fails after the call may have run leaves that open', async () => {
  await using server = await fake({ '/maze/call': inTurn(json({ detail: 'reset' }, 503), stream(DONE)) });
  await using client = hasty(server);
  const session = await episode(client);

  expect(await session.call('go')).toMatchObject({ repeated: true });
});

test('a server that does not say what it is holds up neither sessions nor calls for long', async () => {
  await using server = await fake({
    '/version': json({ detail: 'bad gateway' }, 502),
    '/openapi.json': json({ detail: 'bad gateway' }, 502),
    '/maze/call': stream(DONE),
  });
  await using client = hasty(server, { retry: { budgetMs: 100 } });
  const session = await episode(client);

  expect((await session.call('go', {}, { signal: AbortSignal.timeout(4_000) })).text).toBe('done');
});

test('a signal ends the wait for a server that does not say what it is', async () => {
  await using server = await fake({ '/version': () => {} });
  await using client = hasty(server);
  const session = client.attach({ environment: 'maze', sid: 's1' });

  await expect(session.call('go', {}, { signal: AbortSignal.timeout(30) })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});

test('without a budget there is one attempt, and it has its time', async () => {
  await using server = await fake({
    '/list_environments': (response) => void setTimeout(() => json(['maze'])(response, {} as never, 1), 100),
    '/maze/splits': reset,
  });
  await using client = hasty(server, { retry: { budgetMs: 0 } });

  expect(await client.environments()).toEqual(['maze']);
  await expect(client.environment('maze').splits()).rejects.toBeInstanceOf(OrsConnectionError);
  expect(server.to('/maze/splits')).toHaveLength(1);
});

test.each([
  [{ pingIntervalMs: Number.POSITIVE_INFINITY }, 'pingIntervalMs is Infinity'],
  [{ pingIntervalMs: -1 }, 'pingIntervalMs is -1'],
  [{ stallTimeoutMs: 0 }, 'stallTimeoutMs is 0'],
  [{ retry: { budgetMs: Number.NaN } }, 'retry.budgetMs is NaN'],
  [{ retry: { firstDelayMs: '5' as never } }, 'retry.firstDelayMs is 5'],
])('the options %j are refused', async (options, reason) => {
  await using server = await fake();

  expect(() => new OrsClient(server.url, options)).toThrow(reason);
});

test('an error event is a crash with the text of the server', async () => {
  await using server = await fake({ '/maze/call': stream(FIRST, event('error', 'ZeroDivisionError: by zero')) });
  await using client = hasty(server);
  const session = await episode(client);

  const error = await session.call('go').catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(ToolCrashedError);
  expect(error).toMatchObject({ detail: 'ZeroDivisionError: by zero', sid: 's1', status: null });
});
