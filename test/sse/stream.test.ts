import { expect, test } from '@jest/globals';
import { decodeEvents } from '../../src/sse/index.ts';
import { collect, inReadsOf } from './reading.ts';

const MIB = 2 ** 20;
const HALF_A_MILLION = MIB / 2;

test.each([
  ['LF', ['data: a\n', '\n'], 1],
  ['CR LF', ['data: a\r\n', '\r\n'], 1],
  ['the CR of a CR LF', ['data: a\r\n\r', '\n'], 0],
  ['CR', ['data: a\r', '\r', 'data: b\r'], 1],
])('yields an event as soon as its blank line ends in %s', async (_name, texts, read) => {
  const { stream, asked } = watched(texts.map((text) => Buffer.from(text)));

  const first = await decodeEvents(stream).next();

  expect(first.value).toEqual({ event: 'message', data: 'a' });
  expect(asked()).toBe(read + 1);
});

test('does not read ahead of the events that are consumed', async () => {
  const { stream, asked } = watched(['data: a\n\ndata: b\n\n', 'data: c\n\n'].map((text) => Buffer.from(text)));
  const events = decodeEvents(stream);

  await events.next();
  await events.next();

  expect(asked()).toBe(1);
});

test('closes the stream when its consumer stops reading', async () => {
  const { stream, isClosed } = watched([Buffer.from('data: a\n\ndata: b\n\n')]);

  for await (const _event of decodeEvents(stream)) break;

  expect(isClosed()).toBe(true);
});

test('yields the complete events of a broken stream, then throws its error, and never yields the rest', async () => {
  const broken = new Error('the connection was cut');
  async function* stream() {
    yield Buffer.from('data: a\n\ndata: b\n');
    throw broken;
  }
  const events = decodeEvents(stream(), { incomplete: 'emit' });

  expect((await events.next()).value).toEqual({ event: 'message', data: 'a' });
  await expect(events.next()).rejects.toBe(broken);
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

test('accepts a stream that reuses one buffer', async () => {
  const wire = Buffer.from('\ufeffevent: a€\r\ndata: 豆腐😀\r\n\r\ndata: b\n\n');

  expect(await collect(inOneBuffer(1, wire))).toEqual([
    { event: 'a€', data: '豆腐😀' },
    { event: 'message', data: 'b' },
  ]);
});

// Quadratic work would take many minutes here, and exceed the timeout of the tests.
test.each([
  [MIB / 16, 1],
  [16 * MIB, 256],
])('decodes a line of %d bytes in chunks of %d', async (length, size) => {
  const wire = Buffer.from(`data: ${'x'.repeat(length)}\n\n`);

  const [event] = await collect(inOneBuffer(size, wire));

  expect(event?.data.length).toBe(length);
});

test.each([
  ['blank lines of CR', '\r', 0],
  ['lines without a colon', 'data\n', HALF_A_MILLION - 1],
  ['lines of data', 'data: x\r', HALF_A_MILLION * 2 - 1],
  ['comments', ':\n', 0],
])('decodes half a million %s in one chunk, or in many', async (_name, line, length) => {
  const wire = Buffer.from(`${line.repeat(HALF_A_MILLION)}\n\ndata\n\n`);

  const [whole] = await collect([wire]);
  const [pieces] = await collect(inReadsOf(1000, wire));

  expect(whole?.data.length).toBe(length);
  expect(pieces?.data.length).toBe(length);
});

/** Returns a stream that counts the requested reads, and records whether it was closed. */
function watched(reads: readonly Uint8Array[]) {
  let asked = 0;
  let isClosed = false;
  async function* stream(): AsyncGenerator<Uint8Array> {
    try {
      for (const read of reads) {
        asked += 1;
        yield read;
      }
      asked += 1;
    } finally {
      isClosed = true;
    }
  }
  return { stream: stream(), asked: () => asked, isClosed: () => isClosed };
}

/** Overwrites the same buffer with each read. */
async function* inOneBuffer(size: number, bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(size);
  for (const read of inReadsOf(size, bytes)) {
    buffer.set(read);
    yield buffer.subarray(0, read.length);
  }
}
