import { EventEmitter, once } from 'node:events';
import { afterEach, expect, jest, test } from '@jest/globals';
import { ProbeRequests } from '../../../src/conformance/probe/requests.ts';
import { until, withDeadline } from '../../support/until.ts';
import { connect, httpAnswer, serveHttp, serveTcp } from './listening.ts';

afterEach(() => void jest.useRealTimers());

test('resends a request on a new connection if the server was closing the idle one', async () => {
  await using server = await serveTcp((socket, number) => {
    let count = 0;
    socket.on('data', () => {
      if (number === 1 && ++count === 2) socket.resetAndDestroy();
      else socket.write(httpAnswer('ok'));
    });
  });
  using connection = connect(server.url);
  const requests = new ProbeRequests(connection);

  await requests.send('GET', '/first');
  const answer = await requests.send('GET', '/second');

  expect([answer.status, answer.text, server.connections()]).toEqual([200, 'ok', 2]);
});

test('sends a request even if the server is closing several idle connections', async () => {
  let areOpen = true;
  await using server = await serveTcp((socket, number) => {
    socket.on('data', () => (areOpen || number > 3 ? socket.write(httpAnswer('ok')) : socket.resetAndDestroy()));
  });
  using connection = connect(server.url);
  const requests = new ProbeRequests(connection);

  await Promise.all(['/1', '/2', '/3'].map((path) => requests.send('GET', path)));
  areOpen = false;
  const answer = await requests.send('GET', '/4');

  expect([answer.status, server.connections()]).toEqual([200, 4]);
});

test('never sends a request on a separate connection twice', async () => {
  await using server = await serveTcp((socket) => void socket.once('data', () => socket.resetAndDestroy()));
  using connection = connect(server.url);

  const answer = await new ProbeRequests(connection).send('POST', '/create', { json: {} });

  expect([answer.status, answer.isSuccess, server.connections()]).toEqual([0, false, 1]);
  expect(answer.summary).toMatch(/^no complete response \(.+\)$/);
});

test('never resends a request whose response has started', async () => {
  await using server = await serveTcp((socket) => {
    let count = 0;
    socket.on('data', () => {
      if (++count === 1) socket.write(httpAnswer('ok'));
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', () => socket.destroy());
    });
  });
  using connection = connect(server.url);
  const requests = new ProbeRequests(connection);

  await requests.send('GET', '/first');
  const answer = await requests.send('GET', '/second');

  expect([answer.status, answer.text, answer.exchange.failure]).toEqual([
    200,
    'abc',
    'the connection closed before the end of the response',
  ]);
  expect(server.connections()).toBe(1);
});

test('returns a response with the failure if the server is unreachable', async () => {
  const gone = await serveTcp(() => undefined);
  await gone[Symbol.asyncDispose]();
  using connection = connect(gone.url);

  const answer = await new ProbeRequests(connection).send('GET', '/');

  expect([answer.status, answer.exchange.failure]).toEqual([0, expect.stringMatching(/ECONNREFUSED/)]);
});

test.each([
  ['never comes', ''],
  ['never ends', 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: task_id\ndata: 7\n\n'],
])('aborts a response that %s at the time limit, and closes its connection', async (_what, text) => {
  jest.useFakeTimers();
  const heard = new EventEmitter();
  const closed: Promise<unknown>[] = [];
  await using server = await serveTcp((socket) => {
    closed.push(once(socket, 'close'));
    socket.once('data', () => socket.write(text, () => heard.emit('request')));
  });
  using connection = connect(server.url, [], 2_000);

  const whole = once(heard, 'request');
  const transfer = new ProbeRequests(connection).open('GET', '/');
  await withDeadline(whole, 'the request');
  if (text !== '') await transfer.event('task_id');
  jest.advanceTimersByTime(1_999);
  const wasOver = transfer.hasEnded;
  jest.advanceTimersByTime(1);
  const answer = await transfer.end();

  expect([wasOver, answer.exchange.failure]).toEqual([false, 'no end within 2 s']);
  expect(answer.taskId).toBe(text === '' ? undefined : '7');
  await withDeadline(Promise.all(closed), 'the end of the connections');
});

test('applies the time limit of a single request', async () => {
  await using server = await serveTcp(() => undefined);
  using connection = connect(server.url);

  const answer = await new ProbeRequests(connection).send('GET', '/', { timeoutMs: 200 });

  expect(answer.exchange.failure).toBe('no end within 0.2 s');
});

test('reads a response while it arrives', async () => {
  let next = () => {};
  await using server = await serveHttp((_seen, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('event: task_id\ndata: 7\n\n');
    next = () => response.end('event: end\ndata: {}\n\n');
  });
  using connection = connect(server.url);

  const transfer = new ProbeRequests(connection).open('POST', '/call');
  await transfer.head();
  const first = await transfer.event('task_id');
  const wasOver = transfer.hasEnded;
  next();
  const answer = await transfer.end();

  expect([first?.data, wasOver, answer.events.length]).toEqual(['7', false, 2]);
  expect(await transfer.event('error')).toBeUndefined();
});

test('waits until a condition holds, the time is over, or the response has ended', async () => {
  await using server = await serveHttp(({ path }, response) => {
    response.write('a');
    if (path === '/over') response.end();
  });
  using connection = connect(server.url);
  const requests = new ProbeRequests(connection);
  using open = requests.open('GET', '/open');
  const over = requests.open('GET', '/over');

  expect(await open.waitUntil(() => open.exchange.chunks.length > 0, 5_000)).toBe(true);
  expect(await open.waitUntil(() => open.exchange.chunks.length > 1, 50)).toBe(false);
  expect(await over.waitUntil(() => over.exchange.chunks.length > 1, 60_000)).toBe(false);
});

test('fills the connection while paused, and resumes at the same position', async () => {
  const large = 'x'.repeat(20_000_000);
  let written = () => false;
  await using server = await serveHttp((_seen, response) => {
    response.end(large);
    written = () => response.writableFinished;
  });
  using connection = connect(server.url, [], 30_000);

  using transfer = new ProbeRequests(connection).open('GET', '/');
  transfer.pause();
  await transfer.head();
  await transfer.waitUntil(() => false, 200);
  const wasWritten = written();
  transfer.resume();
  const answer = await transfer.end();

  expect(wasWritten).toBe(false);
  expect(answer.text === large).toBe(true);
});

test('closes the connection of an aborted exchange, and no connection of a complete one', async () => {
  const closed: Promise<unknown>[] = [];
  await using server = await serveHttp(({ path }, response) => {
    closed.push(once(response, 'close'));
    if (path === '/quick') response.end('ok');
    else response.write('a');
  });
  using connection = connect(server.url);
  const requests = new ProbeRequests(connection);

  const quick = requests.open('GET', '/quick');
  await quick.end();
  const slow = requests.open('GET', '/slow');
  await slow.head();
  quick.abort();
  const isStillOpen = !slow.hasEnded;
  slow.abort();
  const answer = await slow.end();

  expect([isStillOpen, answer.exchange.failure]).toEqual([true, 'the suite closed the connection']);
  expect(server.connections()).toBe(1);
  await withDeadline(Promise.all(closed), 'the end of the connections');
});

test('sends raw bytes unchanged, and records the response until the server closes the connection', async () => {
  const heard: string[] = [];
  await using server = await serveTcp((socket) => {
    socket.on('data', (bytes) => {
      heard.push(bytes.toString('latin1'));
      if (heard.join('') === '\0\xffend') socket.end('bye');
      else socket.write('continue ');
    });
  });
  using connection = connect(server.url);
  const requests = new ProbeRequests(connection);

  const raw = requests.openRaw(Buffer.from('\0\xff', 'latin1'));
  const came = await raw.waitUntil(() => raw.text === 'continue ', 5_000);
  raw.write('end');
  await raw.waitUntil(() => raw.isClosed, 5_000);

  expect([came, raw.text, heard.join('')]).toEqual([true, 'continue bye', '\0\xffend']);
  expect(requests.exchanges[0]).toMatchObject({ method: 'RAW', endedAt: expect.any(Number) });
});

test('waits for the end of a raw exchange up to a time limit', async () => {
  await using server = await serveTcp(
    (socket, number) => void (number === 1 ? socket.end('bye') : socket.write('hello')),
  );
  using connection = connect(server.url);
  const requests = new ProbeRequests(connection);

  const ended = await requests.openRaw('a').closed(5_000);
  // Sockets need the first four, and `until` needs the clock.
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'performance'] });
  const waiting = requests.openRaw('a').closed(200);
  await until(() => requests.exchanges[1]?.chunks.length !== 0, 'the first piece of the answer');
  jest.advanceTimersByTime(200);
  const open = await waiting;

  expect([ended.failure, open.failure]).toEqual([undefined, 'no end within 0.2 s']);
  expect(open.chunks.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['hello']);
});

test('half-closes and pauses a raw connection, and leaves it out of the evidence on request', async () => {
  await using server = await serveTcp((socket) => void socket.on('end', () => socket.end('after the end')).resume());
  using connection = connect(server.url);
  const requests = new ProbeRequests(connection);

  const raw = requests.openRaw('a', false);
  raw.finish();
  await raw.waitUntil(() => raw.isClosed, 5_000);
  raw.write('too late');
  const paused = requests.openRaw('a');
  paused.pause();
  paused.finish();

  expect(raw.text).toBe('after the end');
  expect(await paused.waitUntil(() => paused.text !== '', 100)).toBe(false);
  expect(requests.exchanges).toEqual([paused.exchange]);
});

test('closes all connections at the end of a run', async () => {
  const heard = new EventEmitter();
  const closed: Promise<unknown>[] = [];
  await using server = await serveTcp((socket) => {
    closed.push(once(socket, 'close'));
    socket.on('data', (bytes) => heard.emit(bytes.toString().slice(0, 3)));
  });
  const connection = connect(server.url);
  const requests = new ProbeRequests(connection);
  const both = Promise.all([once(heard, 'raw'), once(heard, 'GET')]);
  const raw = requests.openRaw('raw');
  const transfer = requests.open('GET', '/');
  await withDeadline(both, 'both requests');

  connection[Symbol.dispose]();

  await withDeadline(Promise.all(closed), 'the end of the connections');
  expect((await transfer.end()).status).toBe(0);
  await raw.waitUntil(() => raw.isClosed, 5_000);
  expect(raw.isClosed).toBe(true);
});
