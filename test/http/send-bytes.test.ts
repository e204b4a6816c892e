import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { ByteStream } from '../../src/http/operation.ts';
import { sendBytes } from '../../src/http/send-response.ts';

/** An answer whose reader takes everything at once. */
function eagerReader(): ServerResponse {
  const taken = new Writable({ write: (_chunk, _encoding, done) => done() });
  return Object.assign(taken, { writeHead: () => {}, socket: null }) as unknown as ServerResponse;
}

/** Chunks that each take a millisecond of computing, until `isOver`; at most two seconds of them. */
async function* laborious(isOver: () => boolean) {
  for (let chunk = 0; chunk < 2_000 && !isOver(); chunk++) {
    for (const end = performance.now() + 1; performance.now() < end; );
    yield 'x';
  }
}

test('yields to the event loop while it sends bytes to a fast reader', async () => {
  let hadTurn = false;
  let ended = false;
  const bytes = new ByteStream(
    laborious(() => hadTurn),
    'text/plain',
  );
  const sending = sendBytes(eagerReader(), { status: 200, headers: {} }, bytes, { stalledReaderMs: 1_000 });
  void sending.then(() => {
    ended = true;
  });

  const endedFirst = await new Promise((resolve) => {
    setImmediate(() => {
      hadTurn = true;
      resolve(ended);
    });
  });
  await sending;

  expect(endedFirst).toBe(false);
});

const LINES = Array.from({ length: 10_000 }, (_, place) => `{"line":${place}}\n`);

test('joins consecutive texts into few writes, in order with bytes', async () => {
  const writes: Buffer[] = [];
  const reader = new Writable({
    write(chunk, _encoding, done) {
      writes.push(chunk);
      done();
    },
  });
  const response = Object.assign(reader, { writeHead: () => {}, socket: null }) as unknown as ServerResponse;
  const bytes = new ByteStream([...LINES, Buffer.from('bytes'), 'the', ' ', 'end'], 'text/plain');

  await sendBytes(response, { status: 200, headers: {} }, bytes, { stalledReaderMs: 1_000 });

  expect(Buffer.concat(writes).toString()).toBe(`${LINES.join('')}bytesthe end`);
  expect(writes.length).toBeLessThan(LINES.length / 10);
});
