import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { createParser } from 'eventsource-parser';
import { create, request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { untilMetric } from '../support/metric.ts';
import { until, withDeadline } from '../support/until.ts';

/** Returns the joined chunks of a chunked response. */
function unchunk(response: Buffer): string {
  const parts: Buffer[] = [];
  let at = response.indexOf('\r\n\r\n') + 4;
  while (true) {
    const end = response.indexOf('\r\n', at);
    const size = Number.parseInt(response.toString('latin1', at, end), 16);
    if (Number.isNaN(size)) throw new Error(`the answer ends within its body, after ${response.length} bytes`);
    if (size === 0) return Buffer.concat(parts).toString('utf8');
    parts.push(response.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

test('delays no client while another one stops reading, and sends that one everything when it resumes', async () => {
  await using server = await start(lab().environment, { heartbeatMs: 20 });
  const sid = await create(server);
  const text = ' é\u2028😀'.repeat(2_000_000);
  const body = JSON.stringify({ name: 'echo', input: { text: ' é\u2028😀', times: 2_000_000 } });
  const socket = connect(server.port, '127.0.0.1');
  socket.pause();
  socket.write(
    `POST /lab/call HTTP/1.1\r\nHost: localhost\r\nX-Session-ID: ${sid}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );

  await untilMetric(server, 'ors_streams_stalled', 1);
  expect(await request(server, 'GET', '/health')).toMatchObject({ status: 200 });
  const received: Buffer[] = [];
  socket.on('data', (bytes) => received.push(bytes));
  socket.resume();
  await withDeadline(once(socket, 'end'), 'the end of the answer');

  let json = '';
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === 'chunk' || event === 'end') json += data;
    },
  });
  parser.feed(unchunk(Buffer.concat(received)));
  expect(JSON.parse(json).output.blocks[0].text === text).toBe(true);
});

test('frees the memory of clients that disconnect during a long result', async () => {
  await using server = await start(lab().environment);
  const sid = await create(server);
  const body = JSON.stringify({ name: 'echo', input: { text: 'x', times: 10_000_000 } });

  for (let count = 0; count < 10; count++) {
    const client = new AbortController();
    const headers = { 'X-Session-ID': sid, 'Content-Type': 'application/json' };
    const response = await fetch(`${server.url}/lab/call`, { method: 'POST', headers, body, signal: client.signal });
    await response.body?.getReader().read();
    client.abort();
  }

  expect(await request(server, 'POST', '/delete', { sid })).toMatchObject({ status: 200 });
});

test('keeps the result for the full time after a client is cut off while reading', async () => {
  let time = 0;
  await using server = await start(lab().environment, { now: () => time });
  const sid = await create(server);
  const body = JSON.stringify({ name: 'echo', input: { text: 'é', times: 10_000_000 }, task_id: 'long' });
  const headers = { 'X-Session-ID': sid, 'Content-Type': 'application/json' };
  const ask = (signal?: AbortSignal) =>
    fetch(`${server.url}/lab/call`, { method: 'POST', headers, body, ...(signal && { signal }) });

  const cut = new AbortController();
  const { body: stream } = await ask(cut.signal);
  const reader = stream?.getReader();
  let bytes = 0;
  await until(async () => {
    bytes += (await reader?.read())?.value?.length ?? 0;
    return bytes >= 100_000;
  }, '100,000 bytes of the result');
  time += 59_000;
  cut.abort();
  await untilMetric(server, 'ors_streams_open', 0);
  time += 59_000;
  server.sweep();

  expect(await (await ask()).text()).toMatch(/^event: task_id\ndata: long\n\nevent: chunk\n/);
});
