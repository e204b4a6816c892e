import { expect, test } from '@jest/globals';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { decodeEvents, encodeEvent, HEARTBEAT, type ServerSentEvent } from '../../src/sse/index.ts';

async function* inPieces(text: string, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  for (const [index, place] of [0, ...places].entries()) yield bytes.slice(place, places[index] ?? bytes.length);
}

async function decode(text: string, cuts: readonly number[] = []): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of decodeEvents(inPieces(text, cuts))) events.push(event);
  return events;
}

const line = fc.string({ unit: fc.constantFrom('a', ' ', ':', 'é', '😀', '\u2028', '\u00a0', '\0'), maxLength: 30 });
const data = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n'));

test('what is encoded is decoded again, by us and by a standard parser, wherever the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(data, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 10 }), async (texts, cuts) => {
      const events = texts.map((text) => ({ event: 'chunk', data: text }));
      const wire = events.map((event) => encodeEvent(event) + HEARTBEAT).join('');
      const foreign: ServerSentEvent[] = [];
      const parser = createParser({ onEvent: ({ event = 'message', data }) => foreign.push({ event, data }) });

      parser.feed(wire);

      expect(await decode(wire, cuts)).toEqual(events);
      expect(foreign).toEqual(events);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['LF', 'event: end\ndata: x\n\n'],
  ['CR LF', 'event: end\r\ndata: x\r\n\r\n'],
  ['CR', 'event: end\rdata: x\r\r'],
  ['a byte order mark', '\ufeffevent: end\ndata: x\n\n'],
  ['no space after the colon', 'event:end\ndata:x\n\n'],
  ['comments and unknown fields', ': hello\nid: 1\nretry: 5\nfoo: bar\nevent: end\ndata: x\n\n'],
  ['a field without a colon', 'foo\nevent: end\ndata: x\n\n'],
])('events framed with %s are understood, cut at any byte', async (_name, wire) => {
  const cuts = Array.from({ length: new TextEncoder().encode(wire).length }, (_, index) => index);

  expect(await decode(wire)).toEqual([{ event: 'end', data: 'x' }]);
  expect(await decode(wire, cuts)).toEqual([{ event: 'end', data: 'x' }]);
});

test('only one space after the colon is taken away', async () => {
  expect(await decode('data:   x\n\n')).toEqual([{ event: 'message', data: '  x' }]);
});

test('an event that no blank line ends is none', async () => {
  expect(await decode('event: end\ndata: x\n')).toEqual([]);
});

test('an event without data is none', async () => {
  expect(await decode('event: end\n\ndata: y\n\n')).toEqual([{ event: 'message', data: 'y' }]);
});
