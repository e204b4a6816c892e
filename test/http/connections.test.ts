import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { serveTraces } from '../../src/trace/api/index.ts';
import { call, create, request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { untilMetric } from '../support/metric.ts';
import { until, withDeadline } from '../support/until.ts';
import { openTestStore } from '../trace/store/open-test-store.ts';

const startTraces = async () => serveTraces({ store: await openTestStore(), port: 0 });

type Started = { readonly url: string; readonly port: number } & AsyncDisposable;

const SERVERS: readonly (readonly [name: string, start: () => Promise<Started>, path: string])[] = [
  ['the ORS server', () => start(lab().environment), '/health'],
  ['the trace server', startTraces, '/healthz'],
];

/** A connection, and all that was received on it so far. */
function open({ port }: { readonly port: number }): Socket & { received: string } {
  const socket = Object.assign(connect({ port, host: '127.0.0.1', allowHalfOpen: true }), { received: '' });
  socket.on('error', () => undefined);
  socket.setEncoding('utf8').on('data', (text) => {
    socket.received += text;
  });
  return socket;
}

/** Resolves at the next event of a connection with this name. */
const eventOf = (socket: Socket, name: string) => withDeadline(once(socket, name), `'${name}' of a connection`);

const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

function post(path: string, body: object, sid = 's'): string {
  const json = JSON.stringify(body);
  return (
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Session-ID: ${sid}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`
  );
}

describe.each(SERVERS)('connections of %s', (_name, startIt, path) => {
  test.each(['CONNECT', 'UPGRADE'])('survive a reset after %s', async (method) => {
    await using server = await startIt();
    const upgrade = `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

    for (let times = 0; times < 5; times++) {
      const socket = open(server);
      socket.write(method === 'CONNECT' ? CONNECT : upgrade);
      await eventOf(socket, 'data');
      socket.resetAndDestroy();
    }

    expect((await request(server, 'GET', path)).status).toBe(200);
  });

  test.each([
    ['CONNECT', CONNECT, 405],
    ['input that is not HTTP', 'GARBAGE\r\n\r\n', 400],
    ['CONNECT behind a request', get(path) + CONNECT, 405],
    ['input that is not HTTP behind a request', `${get(path)}GARBAGE\r\n\r\n`, 400],
  ])('are closed after %s, whether or not the client closes its half', async (_case, bytes, status) => {
    await using server = await startIt();
    const socket = open(server);

    socket.write(bytes);
    await eventOf(socket, 'end');
    const statuses = [...socket.received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code));
    // Half open for this side; writing shows when the other side is gone.
    await until(() => socket.destroyed || !socket.write('x'.repeat(65_536)));
    await until(() => socket.destroyed);

    expect(statuses).toEqual(bytes.startsWith('GET') ? [200, status] : [status]);
  });

  test('are destroyed when the server closes, also those that Node has handed out', async () => {
    const server = await startIt();
    const socket = open(server);
    socket.write(CONNECT);
    await eventOf(socket, 'end');

    await server[Symbol.asyncDispose]();
    await until(() => socket.destroyed || !socket.write('x'));

    expect(socket.received).toContain('405');
  });

  test('are closed first when the server closes if nothing has arrived on them', async () => {
    const server = await startIt();
    const [incomplete, unused] = [open(server), open(server)];
    let isCut = false;
    incomplete.once('end', () => {
      isCut = true;
    });
    incomplete.write('GET ');
    // Both connections have been accepted when a later request is answered.
    await request(server, 'GET', path);

    const closed = server[Symbol.asyncDispose]();
    await eventOf(unused, 'end');
    await new Promise(setImmediate);

    expect(isCut).toBe(false);
    await closed;
    for (const socket of [incomplete, unused]) socket.destroy();
  });

  test('are destroyed when more than 256 requests wait on them', async () => {
    await using server = await startIt();
    const socket = open(server);

    socket.write(get(path).repeat(300));
    await Promise.race([eventOf(socket, 'end'), eventOf(socket, 'close')]);
    socket.destroy();

    expect(socket.received.split('HTTP/1.1').length).toBeLessThan(300);
    expect((await request(server, 'GET', path)).status).toBe(200);
  });

  test.each(['http://x?a', 'http://x', 'https://x/?a', '*', '//', 'http://x#a', 'http://[', 'HTTP://[::1'])(
    'get JSON for the request target %s',
    async (target) => {
      await using server = await startIt();
      const socket = open(server);

      socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      await eventOf(socket, 'end');
      socket.destroy();

      expect(socket.received).not.toContain('<html');
      expect(socket.received).toMatch(/HTTP\/1\.1 (4\d\d|308)/);
    },
  );
});

test('answers a valid call before it refuses the garbage behind it', async () => {
  const { environment, open: openGate, events } = lab();
  await using server = await start(environment);
  const sid = await create(server);
  const socket = open(server);

  socket.write(`${post('/lab/call', { name: 'wait', input: { gate: 'a' } }, sid)}\0garbage\r\n\r\n`);
  await until(() => events.includes('start a'));
  openGate('a');
  await eventOf(socket, 'end');
  socket.destroy();

  expect(socket.received).toMatch(/^HTTP\/1\.1 200[\s\S]*event: end[\s\S]*HTTP\/1\.1 400/);
});

test('ends a call whose client is gone although other requests are pipelined behind it', async () => {
  await using server = await start(lab().environment, { stalledReaderMs: 60_000 });
  const sid = await create(server);
  const big = post('/lab/call', { name: 'echo', input: { text: 'x', times: 3_000_000 } }, sid);

  for (let times = 0; times < 5; times++) {
    const socket = open(server);
    socket.pause();
    socket.write(post('/lab/call', { name: 'wait', input: { gate: `${times}` } }, sid) + big.repeat(20));
    await eventOf(socket, 'readable');
    socket.resetAndDestroy();
  }

  await untilMetric(server, 'ors_streams_open', 0);
  await untilMetric(server, 'ors_http_requests_open', 1);
});

test('ends pipelined streams of a trace when the connection is gone', async () => {
  await using server = await startTraces();
  const base = '/v1/organizations/default/traces';
  await request(server, 'POST', base, { body: { id: 'tr_p' } });

  for (let times = 0; times < 5; times++) {
    const socket = open(server);
    socket.write(get(`${base}/tr_p/stream`).repeat(20));
    await eventOf(socket, 'data');
    socket.resetAndDestroy();
  }

  await untilMetric(server, 'ors_traces_streams_open', 0);
});

test('ends a stream that waits for its reader when CONNECT is pipelined behind it', async () => {
  await using server = await start(lab().environment, { stalledReaderMs: 60_000_000 });
  const sid = await create(server);
  const socket = open(server);
  socket.pause();

  socket.write(post('/lab/call', { name: 'echo', input: { text: 'x', times: 12_000_000 } }, sid) + CONNECT);
  await eventOf(socket, 'readable');
  socket.destroy();

  await untilMetric(server, 'ors_streams_open', 0);
});

test('handles pipelined requests in order, one at a time', async () => {
  const { environment, open: openGate, events } = lab();
  await using server = await start(environment);
  const sid = await create(server);
  const socket = open(server);

  socket.write(
    ['a', 'b'].map((gate) => post('/lab/call', { name: 'wait_together', input: { gate } }, sid)).join('') +
      get('/health').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
  );
  openGate('b');
  await until(() => events.includes('start a'));
  await request(server, 'GET', '/health');
  openGate('a');
  await eventOf(socket, 'end');
  socket.destroy();

  expect(events.filter((event) => /^(start|end) /.test(event))).toEqual(['start a', 'end a', 'start b', 'end b']);
  expect(socket.received).toMatch(/"a"[\s\S]*"b"[\s\S]*\{"status":"ok"\}/);
});

describe('a body over the limit', () => {
  test.each(['Content-Length', 'Transfer-Encoding'])('gets 413 in full when it is sent with %s', async (framing) => {
    await using server = await start(lab().environment, { bodyLimitBytes: 1_000_000 });
    const socket = open(server);
    const chunk = 'x'.repeat(100_000);
    const isChunked = framing === 'Transfer-Encoding';

    socket.write('POST /create HTTP/1.1\r\nHost: localhost\r\nX-Session-ID: s\r\nContent-Type: application/json\r\n');
    socket.write(isChunked ? 'Transfer-Encoding: chunked\r\n\r\n' : `Content-Length: ${30 * chunk.length}\r\n\r\n`);
    let resets = 0;
    socket.on('error', () => resets++);
    for (let part = 0; part < 30; part++) {
      const isRoom = socket.write(isChunked ? `${chunk.length.toString(16)}\r\n${chunk}\r\n` : chunk);
      if (!isRoom) await eventOf(socket, 'drain');
    }
    socket.write(isChunked ? '0\r\n\r\n' : '');
    // The connection can still be used.
    socket.write(get('/health').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    await eventOf(socket, 'end');
    socket.destroy();

    expect(resets).toBe(0);
    expect(socket.received).toMatch(/^HTTP\/1\.1 413[\s\S]*HTTP\/1\.1 200/);
  });

  test('is not read for ever', async () => {
    await using server = await start(lab().environment, { bodyLimitBytes: 1_000_000 });
    const socket = open(server);
    socket.write('POST /create HTTP/1.1\r\nHost: localhost\r\nX-Session-ID: s\r\nContent-Length: 1000000000\r\n\r\n');
    const chunk = 'x'.repeat(100_000);
    let sent = 0;
    const send = () => {
      while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
      if (!socket.destroyed) socket.once('drain', send);
    };

    send();
    await until(() => socket.destroyed);

    expect(sent).toBeLessThan(300_000_000);
  });
});

test('refuses compressed bodies that together take more than twice the limit', async () => {
  const bodyLimitBytes = 4_000_000;
  const { environment, open: openGate, events } = lab();
  await using server = await start(environment, { bodyLimitBytes });
  const sid = await create(server);
  const bomb = (gate: string) =>
    gzipSync(JSON.stringify({ name: 'wait_together', input: { gate } }).padEnd(bodyLimitBytes * 0.9, ' '));
  const send = async (gate: string) => {
    const response = await fetch(`${server.url}/lab/call`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', 'X-Session-ID': sid },
      body: bomb(gate),
    });
    return { status: response.status, retryAfter: response.headers.get('Retry-After'), text: response.text() };
  };
  const held = [await send('a'), await send('b')];
  await until(() => events.includes('start a') && events.includes('start b'));

  const refused = await send('c');
  const small = await call(server, sid, 'echo', { text: 'x' });
  openGate('a');
  openGate('b');
  await Promise.all(held.map(({ text }) => text));
  openGate('d');
  const accepted = await until(async () => {
    const answer = await send('d');
    return answer.status !== 503 && answer;
  }, 'a status other than 503');

  expect(held.map(({ status }) => status)).toEqual([200, 200]);
  expect(refused).toMatchObject({ status: 503, retryAfter: '1' });
  expect(small.result).toMatchObject({ ok: true });
  expect(accepted.status).toBe(200);
});
