import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { defineEnvironment } from 'ors-kit';
import { call, create, start } from '../support/client.ts';
import { scrape, scrapeUntil } from './scrape.ts';

const LENGTH = 16 * 1024 * 1024;

const big = () =>
  defineEnvironment({
    name: 'lab',
    splits: { train: [{}] },
    prompt: () => '',
    tools: { big: { description: 'Say a lot.', run: () => ({ text: 'x'.repeat(LENGTH) }) } },
  });

test('counts the bytes of streams', async () => {
  await using server = await start(big());
  const sid = await create(server);

  const { json } = await call(server, sid, 'big');
  const { value } = await scrape(server);

  expect(value('ors_stream_bytes_total')).toBeGreaterThan(json.length);
  expect(value('ors_streams_open')).toBe(0);
});

test('reports a stream as waiting while its reader has stopped, until the reader disconnects', async () => {
  await using server = await start(big());
  const sid = await create(server);
  const body = JSON.stringify({ name: 'big', input: {} });
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);

  socket.write(
    `POST /lab/call HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Session-ID: ${sid}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  socket.pause();
  const stalled = await scrapeUntil(server, ({ value }) => value('ors_streams_stalled') === 1);
  socket.destroy();
  const after = await scrapeUntil(server, ({ value }) => value('ors_streams_open') === 0);

  expect(stalled.value('ors_streams_open')).toBe(1);
  expect(after.value('ors_streams_stalled')).toBe(0);
  expect(after.value('ors_stream_stalled_seconds_total')).toBeGreaterThan(0);
});
