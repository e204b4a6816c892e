import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { apiKeys, type ServerOptions } from 'ors-kit/server';
import { serveTraces } from '../../src/trace/api/index.ts';
import { readTraceLimits } from '../../src/trace/model/index.ts';
import { request, start } from '../support/client.ts';
import { chunked, exchange, requestBytes } from '../support/http.ts';
import { lab } from '../support/lab.ts';
import { withDeadline } from '../support/until.ts';
import { openTestStore } from '../trace/store/open-test-store.ts';

const LIMIT = 100_000;
/** Larger than the buffers of both sockets, and many times the limit. */
const BODY = Buffer.alloc(20_000_000, ' ');

type Started = { readonly url: string; readonly port: number } & AsyncDisposable;

const startTraces = async () =>
  serveTraces({ store: await openTestStore(), port: 0, limits: { ...readTraceLimits({}), request: LIMIT } });

const SERVERS: readonly (readonly [name: string, start: () => Promise<Started>, path: string])[] = [
  ['the ORS server', () => start(lab().environment, { bodyLimitBytes: LIMIT }), '/lab/tasks'],
  ['the trace server', startTraces, '/v1/traces'],
];

/** Sends a request as many clients do: reads the response only after everything is sent. Rejects if sending fails. */
async function sendThenRead({ port }: Started, bytes: Buffer): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.pause();
  await new Promise<void>((sent, failed) => {
    socket.once('error', failed);
    socket.write(bytes, (error) => (error ? failed(error) : sent()));
  });
  const [data] = await withDeadline(once(socket.resume(), 'data'), 'the response');
  socket.destroy();
  return String(data);
}

describe.each(SERVERS)('a body over the limit of %s', (_name, startIt, target) => {
  const json = ['Content-Type', 'application/json'] as const;
  const bytesOf = (connection: string, isChunked: boolean) =>
    requestBytes('http://127.0.0.1', {
      method: 'POST',
      target,
      headers: [json, ['Connection', connection], ...(isChunked ? [['Transfer-Encoding', 'chunked'] as const] : [])],
      body: isChunked ? chunked(BODY) : BODY,
    });

  test.each([
    ['close', false],
    ['close', true],
    ['keep-alive', false],
    ['keep-alive', true],
  ])('gets 413 that a client reads after sending it (Connection: %s, chunked: %j)', async (connection, isChunked) => {
    await using server = await startIt();

    expect(await sendThenRead(server, bytesOf(connection, isChunked))).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('gets 413 that fetch reads', async () => {
    await using server = await startIt();

    for (let times = 0; times < 4; times++) {
      const { status } = await fetch(server.url + target, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: BODY,
      });
      expect(status).toBe(413);
    }
  });

  test('gets 413 before it has arrived, and the connection can be used again after it', async () => {
    await using server = await startIt();
    const socket = connect({ port: server.port, host: '127.0.0.1' });
    const bytes = bytesOf('keep-alive', false);

    socket.write(bytes.subarray(0, LIMIT));
    const [first] = await withDeadline(once(socket, 'data'), 'the first response');
    socket.write(bytes.subarray(LIMIT));
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    const [second] = await withDeadline(once(socket, 'data'), 'the second response');
    socket.destroy();

    expect(String(first)).toMatch(/^HTTP\/1\.1 413 /);
    expect(String(second)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('is not requested from a client that asks first', async () => {
    await using server = await startIt();

    const { status, headers } = await exchange(
      server.url,
      requestBytes(server.url, {
        method: 'POST',
        target,
        headers: [json, ['Content-Length', `${BODY.length}`], ['Expect', '100-continue'], ['Connection', 'keep-alive']],
      }),
    );

    expect([status, headers.connection]).toEqual([413, 'close']);
  });
});

test.each([
  [401, { authenticate: apiKeys('secret-key') }],
  [403, {}],
] as [number, ServerOptions][])(
  'sends a refusal with %i to a client that reads it after its body',
  async (status, options) => {
    await using server = await start(lab().environment, options);
    const headers = [['Host', status === 403 ? 'rebound.example' : '127.0.0.1'] as const];

    const bytes = requestBytes(server.url, { method: 'POST', target: '/lab/tasks', headers, body: BODY });

    expect(await sendThenRead(server, bytes)).toContain(`HTTP/1.1 ${status} `);
  },
);

test('closes the connection of a body that does not arrive in time, after a refusal', async () => {
  await using server = await start(lab().environment, { bodyLimitBytes: LIMIT, requestTimeoutMs: 200 });
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  socket.on('error', () => {});
  const head = requestBytes(server.url, {
    method: 'POST',
    target: '/lab/tasks',
    headers: [
      ['Content-Length', `${BODY.length}`],
      ['Connection', 'keep-alive'],
    ],
  });

  socket.write(head);
  const [response] = await withDeadline(once(socket, 'data'), 'the response');
  await withDeadline(once(socket, 'close'), 'the end of the connection');

  expect(String(response)).toMatch(/^HTTP\/1\.1 413 /);
  expect((await request(server, 'GET', '/health')).status).toBe(200);
});
