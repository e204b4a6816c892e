import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { call, create, request, start } from '../support/client.ts';
import { exchange } from '../support/http.ts';
import { lab } from '../support/lab.ts';
import { untilMetric } from '../support/metric.ts';
import { until, withDeadline } from '../support/until.ts';

const HALF_OPEN = 100;

test(`closes ${HALF_OPEN} connections with incomplete requests in time, without delaying other clients`, async () => {
  await using server = await start(lab().environment, { headersTimeoutMs: 1_500 });
  let closed = 0;
  const sockets = await Promise.all(
    Array.from({ length: HALF_OPEN }, async (_, index) => {
      const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
      socket.resume().once('close', () => closed++);
      await withDeadline(once(socket, 'connect'), 'a connection');
      // Some connections send nothing.
      if (index % 5 > 0) socket.write('POST /create HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
      return socket;
    }),
  );

  const meanwhile = await Promise.all(Array.from({ length: 20 }, () => request(server, 'GET', '/health')));
  const openThen = HALF_OPEN - closed;
  await until(() => closed === HALF_OPEN);

  expect(meanwhile.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(openThen).toBeGreaterThan(0);
  expect(sockets.every(({ destroyed }) => destroyed)).toBe(true);
  expect((await request(server, 'GET', '/health')).status).toBe(200);
});

test('answers 408 to a body that does not arrive', async () => {
  await using server = await start(lab().environment, { requestTimeoutMs: 300 });

  const response = await exchange(
    server.url,
    Buffer.from('POST /create HTTP/1.1\r\nHost: localhost\r\nX-Session-ID: a\r\nContent-Length: 100\r\n\r\n{'),
  );

  expect(response).toMatchObject({ status: 408, body: '{"detail":"the request did not arrive in time"}' });
});

test('answers 431 with the limit to headers over the limit', async () => {
  await using server = await start(lab().environment, { headerLimitBytes: 2_000 });
  const ask = (length: number) =>
    exchange(
      server.url,
      Buffer.from(
        `GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Long: ${'x'.repeat(length)}\r\n\r\n`,
      ),
    );

  expect(await ask(3_000)).toMatchObject({
    status: 431,
    body: '{"detail":"the headers are larger than the limit of 2000 bytes"}',
  });
  expect(await ask(1_000)).toMatchObject({ status: 200 });
});

/** Requests a result of 16 MB, over a connection that the test reads itself. */
async function requestLargeResult({ port }: { port: number }, sid: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.pause();
  const body = '{"name":"echo","input":{"text":"x","times":16000000}}';
  socket.write(
    `POST /lab/call HTTP/1.1\r\nHost: localhost\r\nX-Session-ID: ${sid}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  await withDeadline(once(socket, 'readable'), 'the first bytes of the answer');
  return socket;
}

/** Reads only the first event. */
async function readTaskId(socket: Socket): Promise<string> {
  for (let text = ''; ; text += socket.read() ?? '') {
    const [, taskId] = /^data: (\w{32})\n/m.exec(text) ?? [];
    if (taskId !== undefined) return taskId;
    if (socket.readableLength === 0) await withDeadline(once(socket, 'readable'), 'the task_id');
  }
}

/** Creates a log that calls a function as soon as a call completes, before any time limit can expire. */
const logThatCalls = (act: () => void) =>
  pino({ level: 'debug' }, { write: (line) => void (JSON.parse(line).msg === 'call' && setImmediate(act)) });

test('disconnects a client that stops reading, and keeps its result', async () => {
  let time = 0;
  // Long after the call: without the restored result, it would be forgotten.
  const log = logThatCalls(() => {
    time = 100_000;
    server.sweep();
  });
  await using server = await start(lab().environment, { stalledReaderMs: 500, now: () => time, log });
  const sid = await create(server);
  const socket = await requestLargeResult(server, sid);
  const taskId = await readTaskId(socket);

  await untilMetric(server, 'ors_readers_cut_total', 1);
  await untilMetric(server, 'ors_streams_open', 0);
  time = 150_000;
  server.sweep();
  const again = await call(server, sid, 'echo', { text: 'x', times: 16_000_000 }, { taskId });
  socket.destroy();

  expect(again.result.output.blocks[0].text).toHaveLength(16_000_000);
});

/** Requests a response of 20 MB in one piece, without reading it. */
async function requestLargePrompt(server: { url: string; port: number }): Promise<Socket> {
  const sid = await create(server, { task_spec: { text: 'x'.repeat(20_000_000) } });
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
  socket.pause();
  socket.write(`GET /lab/prompt HTTP/1.1\r\nHost: localhost\r\nX-Session-ID: ${sid}\r\n\r\n`);
  await withDeadline(once(socket, 'readable'), 'the first bytes of the answer');
  return socket;
}

test('disconnects a client that stops reading a response in one piece', async () => {
  await using server = await start(lab().environment, { stalledReaderMs: 500 });
  const socket = await requestLargePrompt(server);

  await untilMetric(server, 'ors_http_requests_open', 1);
  let bytes = 0;
  socket.on('data', (part) => {
    bytes += part.length;
  });
  await withDeadline(once(socket, 'close'), 'the end of the connection');

  expect(bytes).toBeLessThan(20_000_000);
  await untilMetric(server, 'ors_readers_cut_total', 1);
});

test('sends everything to a client that reads slowly, however long it takes', async () => {
  await using server = await start(lab().environment, { stalledReaderMs: 1_500 });
  const socket = await requestLargePrompt(server);

  let bytes = 0;
  let sip = 0;
  socket.on('data', (part) => {
    bytes += part.length;
    sip += part.length;
    if (sip < 1_000_000) return;
    sip = 0;
    socket.pause();
    setTimeout(() => socket.resume(), 150);
  });
  await Promise.race([until(() => bytes > 20_000_000), once(socket, 'close')]);
  socket.destroy();

  expect(bytes).toBeGreaterThan(20_000_000);
  await untilMetric(server, 'ors_readers_cut_total', 0);
});
