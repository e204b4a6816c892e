import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import { sendEvents } from '../../src/http/send-response.ts';
import { until, withDeadline } from '../support/until.ts';

const FIRST = 'event: first\ndata: é\n\n';

/** Tells one event, and never ends. */
async function* toldOnce() {
  yield { event: 'first', data: 'é' };
  await new Promise(() => {});
}

/** The text that a client has after the first event of a stream, and the writes to its socket for that. */
async function firstOf(prepare: (response: ServerResponse) => void) {
  const writes: number[] = [];
  const server = createServer((_request, response) => {
    const { socket } = response;
    for (const name of ['_write', '_writev'] as const) {
      const write = socket?.[name]?.bind(socket) as (...args: unknown[]) => void;
      Object.assign(socket ?? {}, {
        [name]: (...args: unknown[]) => {
          writes.push(1);
          write(...args);
        },
      });
    }
    prepare(response);
    void sendEvents(response, toldOnce(), {}, { heartbeatMs: 60_000, stalledReaderMs: 60_000 });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  let bytes = Buffer.alloc(0);
  client.on('data', (some) => {
    bytes = Buffer.concat([bytes, some]);
  });
  await until(() => bytes.includes(FIRST), 'the first event');
  client.destroy();
  server.close();
  return { writes: writes.length, bytes };
}

test('sends the head of a stream and its first event in one write', async () => {
  const { writes } = await firstOf(() => {});

  expect(writes).toBe(1);
});

test('encodes a header that is not ASCII as Latin-1 at the head of a stream', async () => {
  const { bytes } = await firstOf((response) => response.setHeader('X-Name', 'é'));

  expect(bytes.includes(Buffer.from('X-Name: é\r\n', 'latin1'))).toBe(true);
});

test('sends no heartbeat with a heartbeatMs of Infinity', async () => {
  const server = createServer((_request, response) => {
    void sendEvents(response, toldOnce(), {}, { heartbeatMs: Infinity, stalledReaderMs: 60_000 });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  let text = '';
  client.on('data', (some) => {
    text += some;
  });

  await until(() => text.includes(FIRST), 'the first event');
  await delay(50);
  client.destroy();
  server.close();

  expect(text).not.toMatch(/^:/m);
});

test('closes its source and stops its heartbeat when the client leaves', async () => {
  const close = jest.fn(async () => ({ done: true as const, value: undefined }));
  const write = new Promise((left) => {
    const server = createServer(async (_request, response) => {
      const source = { [Symbol.asyncIterator]: () => ({ next: nextOf(toldOnce()), return: close }) };
      await sendEvents(response, source as never, {}, { heartbeatMs: 5, stalledReaderMs: 60_000 });
      const spy = jest.spyOn(response, 'write');
      await delay(50);
      left(spy);
    });
    server.listen(0, '127.0.0.1', () => {
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
      client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      client.once('data', () => {
        client.destroy();
        server.close();
      });
    });
  });

  expect(await withDeadline(write, 'the end of the stream')).not.toHaveBeenCalled();
  expect(close).toHaveBeenCalledTimes(1);
});

const nextOf = (events: AsyncGenerator<unknown>) => () => events.next();

test('requests no further events from its source while the client does not read', async () => {
  let given = 0;
  async function* endless() {
    for (; given < 2_000; given++) {
      await turn();
      yield { event: 'chunk', data: 'x'.repeat(65_536) };
    }
  }
  const server = createServer((_request, response) => {
    void sendEvents(response, endless(), {}, { heartbeatMs: 60_000, stalledReaderMs: 60_000 });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');

  await until(async () => {
    const before = given;
    await delay(100);
    return given > 0 && given === before;
  }, 'a source that is not asked');

  expect(given).toBeLessThan(2_000);
  client.destroy();
  server.close();
});
