import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { textFrame, WebSocketConnection } from '../../bench/load/websocket.ts';
import { until } from '../support/until.ts';

const HANDSHAKE = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';

/** Opens a WebSocket to a server that sends `answer` to each read after the handshake, in writes of `size` bytes. */
async function connect(answer: Buffer, size = answer.length) {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    socket.setNoDelay();
    socket.once('data', () => {
      socket.write(HANDSHAKE);
      socket.on('data', (part) => {
        received.push(part);
        if (received.length === 1) void writeParts(socket, answer, size);
      });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connection = await WebSocketConnection.open((server.address() as AddressInfo).port, '/ws');
  return {
    connection,
    received,
    [Symbol.dispose]() {
      connection.destroy();
      server.close();
    },
  };
}

async function writeParts(socket: Socket, bytes: Buffer, size: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += size) {
    socket.write(bytes.subarray(at, at + size));
    await new Promise(setImmediate);
  }
}

/** Formats an unmasked frame of a server. */
function serverFrame(opcode: number, payload: string): Buffer {
  const header = Buffer.alloc(payload.length < 126 ? 2 : payload.length < 65_536 ? 4 : 10);
  header[0] = 0x80 | opcode;
  header[1] = header.length === 2 ? payload.length : header.length === 4 ? 126 : 127;
  if (header.length === 4) header.writeUInt16BE(payload.length, 2);
  if (header.length === 10) header.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([header, Buffer.from(payload)]);
}

test.each([
  ['whole, of 5 bytes', 5, undefined],
  ['byte by byte, of 5 bytes', 5, 1],
  ['byte by byte, of 300 bytes', 300, 1],
  ['whole, of 70,000 bytes', 70_000, undefined],
  ['in parts of 7,000 bytes, of 70,000 bytes', 70_000, 7_000],
])('reads a message that arrives %s', async (_how, length, size) => {
  const text = 'x'.repeat(length);
  using opened = await connect(serverFrame(1, text), size);

  expect(await opened.connection.send(textFrame('hello'))).toBe(text);
});

test('answers a ping with its payload before it returns the message', async () => {
  using opened = await connect(Buffer.concat([serverFrame(9, 'ab'), serverFrame(1, 'done')]));

  expect(await opened.connection.send(textFrame('hello'))).toBe('done');

  expect(opened.connection.pings).toBe(1);
  await until(() => Buffer.concat(opened.received).toString('hex').includes(`8a82${'00000000'}6162`));
});

test('sends masked frames', async () => {
  using opened = await connect(serverFrame(1, 'done'));

  await opened.connection.send(textFrame('hello'));

  expect(opened.received[0]?.toString('hex')).toBe(`8185${'00000000'}${Buffer.from('hello').toString('hex')}`);
});

test('resolves end() when the server closes, and rejects a message that the server does not answer', async () => {
  using closing = await connect(serverFrame(8, '\u0003!'));
  using other = await connect(serverFrame(8, ''));

  await expect(closing.connection.end(textFrame('bye'))).resolves.toBeUndefined();
  await expect(other.connection.send(textFrame('hello'))).rejects.toThrow('closed the WebSocket');
});
