import { expect, test } from '@jest/globals';
import { createParser } from 'eventsource-parser';
import { StrictSseParser } from '../../../src/conformance/probe/sse-parser.ts';
import fc, { runs } from '../../support/fast-check.ts';

test.each([
  ['LF', 'event: end\ndata: x\n\n', [['end', 'x']]],
  ['CR LF', 'event: end\r\ndata: x\r\n\r\n', [['end', 'x']]],
  ['CR alone', 'event: end\rdata: x\r\r', [['end', 'x']]],
  ['all of them', 'event: end\rdata: x\r\n\n', [['end', 'x']]],
  ['no space after the colon', 'event:end\ndata:x\n\n', [['end', 'x']]],
  ['two spaces, of which one belongs to the data', 'data:  x\n\n', [['message', ' x']]],
  ['a tab, which belongs to the data', 'data:\tx\n\n', [['message', '\tx']]],
  ['colons in the data', 'data: {"a":1}: b\n\n', [['message', '{"a":1}: b']]],
  ['two data lines', 'data: a\ndata: b\n\n', [['message', 'a\nb']]],
  ['an empty data line at the end', 'data: a\ndata:\n\n', [['message', 'a\n']]],
  ['data that is empty', 'event: end\ndata:\n\n', [['end', '']]],
  ['data without a colon', 'event: end\ndata\n\n', [['end', '']]],
  ['an event that is named twice', 'event: a\nevent: b\ndata: x\n\n', [['b', 'x']]],
  ['an event name that is emptied', 'event: a\nevent\ndata: x\n\n', [['message', 'x']]],
  ['a name without data, which the next event must not get', 'event: a\n\ndata: x\n\n', [['message', 'x']]],
  ['id and retry', 'id: 7\nretry: 5\ndata: x\n\n', [['message', 'x']]],
  ['comments between the lines of an event', ': a\ndata: x\n:\nevent: end\n\n', [['end', 'x']]],
  ['an unknown field', 'Data: x\n data: y\ndata : z\n\n', []],
  ['a byte-order mark', '\ufeffdata: x\n\n', [['message', 'x']]],
  ['a byte-order mark on its own line', '\ufeff\ndata: x\n\n', [['message', 'x']]],
  ['a second byte-order mark', '\ufeff\ufeffdata: x\n\n', []],
  ['a byte-order mark later on', 'data: x\n\n\ufeffdata: y\n\n', [['message', 'x']]],
  ['separators that end no line', 'data: a\u2028b\u0085c\vd\n\n', [['message', 'a\u2028b\u0085c\vd']]],
  [
    'blank lines before, between and after',
    '\n\n\ndata: x\n\n\n\ndata: y\n\n\n',
    [
      ['message', 'x'],
      ['message', 'y'],
    ],
  ],
  ['an end without a blank line', 'data: x\n\ndata: y\n', [['message', 'x']]],
  ['an end within a line', 'data: x\n\ndata: y', [['message', 'x']]],
])('parses %s like WHATWG', (_what, wire, events) => {
  const reader = read([Buffer.from(wire)]);

  expect(reader.events.map(({ event, data }) => [event, data])).toEqual(events);
});

test.each([
  ['a clean stream', 'event: end\ndata: x\n\n: ping\n\nid: 1\nretry: 2\ndata: y\n\n', [], []],
  ['an empty stream', '', [], []],
  ['an unknown field', 'foo: x\n\n', ["'foo' is not a field of Server-Sent Events"], []],
  ['an end within a line', 'data: x\n\nevent: e', ['the stream ends within a line: event: e'], []],
  ['an end without a blank line', 'data: x\n', ['the last event has no blank line after it'], []],
  ['an end after the name of an event', 'event: x\n', ['the last event has no blank line after it'], []],
  ['an end within a comment', 'data: x\n\n: pi', [], ['the stream ends within a comment: : pi']],
  ['an event without data', 'event: ping\n\n', [], ["the event 'ping' has no data, so parsers ignore it"]],
  ['a line without a colon', 'data\n\n', [], ['a line has no colon: data']],
  ['a byte-order mark', '\ufeffdata: x\n\n', [], ['the stream begins with a byte-order mark']],
])('reports %s', (_what, wire, problems, oddities) => {
  const reader = read([Buffer.from(wire)]);

  expect(reader.problems).toEqual(problems);
  expect(reader.anomalies).toEqual(oddities);
});

test.each([
  ['a byte that is none', [0xff]],
  ['half a character', [0xf0, 0x9f, 0x98]],
  ['a surrogate', [0xed, 0xa0, 0xbd]],
  ['an overlong slash', [0xc0, 0xaf]],
])('reports %s as not UTF-8, within a line and at the end', (_what, bytes) => {
  const inside = read([Buffer.concat([Buffer.from('data: '), Buffer.from(bytes), Buffer.from('\n\n')])]);
  const atEnd = read([Buffer.concat([Buffer.from(': '), Buffer.from(bytes)])]);

  expect(inside.problems).toEqual(['the stream is not UTF-8']);
  expect(inside.events[0]?.data).toMatch(/^\ufffd+$/);
  expect(atEnd.problems).toContain('the stream is not UTF-8');
});

test('records the arrival of the blank line of an event, and of the line of a comment', () => {
  const reader = new StrictSseParser();

  for (const [at, text] of ['data: x', '\n: ping', '\r', '\n\r', '\ndata: y\n'].entries())
    reader.feed(Buffer.from(text), at);
  reader.end(9);

  expect(reader.comments).toEqual([{ text: ' ping', at: 2 }]);
  expect(reader.events).toEqual([{ event: 'message', data: 'x', dataLines: ['x'], at: 3 }]);
});

test('measures the longest line in bytes, without its line end', () => {
  expect(read([Buffer.from('data: é\r\n\r\n')]).longestLine).toBe(8);
  expect(read([Buffer.from(`data: x\n\n: ${'y'.repeat(100)}`)]).longestLine).toBe(102);
});

test('limits the number of reported problems', () => {
  const reader = read([Buffer.from('foo\nbar: x\n'.repeat(10_000))]);

  expect(reader.problems).toHaveLength(20);
  expect(reader.anomalies).toHaveLength(20);
});

const TOKENS = [
  'data',
  'data:',
  'data: ',
  'event: ',
  'event',
  'id: ',
  'retry: 5',
  ':',
  ': ',
  ' ',
  'x',
  'end',
  '{"a":1}',
];
const RARE = ['\0', '\t', '\ufeff', '\u2028', '\u0085', 'é', '€', '😀'];
const LINE_ENDS = ['\n', '\n\n', '\r', '\r\n', '\r\n\r\n'];
const BROKEN = [[0xff], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xed, 0xa0], [0xbf], [0xef, 0xbb]];

const wires = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...TOKENS, ...LINE_ENDS).map((text) => Buffer.from(text)) },
      { weight: 4, arbitrary: fc.constantFrom(...LINE_ENDS).map((text) => Buffer.from(text)) },
      { weight: 2, arbitrary: fc.constantFrom(...RARE).map((text) => Buffer.from(text)) },
      { weight: 1, arbitrary: fc.constantFrom(...BROKEN).map((bytes) => Buffer.from(bytes)) },
    ),
    { maxLength: 40, size: 'max' },
  )
  .map((parts) => Buffer.concat(parts));
const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 20, size: 'max' });

test('parses the same events however the bytes are split', () => {
  fc.assert(
    fc.property(wires, cuts, (wire, cuts) => {
      expect(whatIsRead(pieces(wire, cuts))).toEqual(whatIsRead([wire]));
    }),
    { numRuns: runs(3_000) },
  );
});

test('parses the same events and comments as eventsource-parser', () => {
  fc.assert(
    fc.property(wires, cuts, (wire, cuts) => {
      const { events, comments } = whatIsRead(pieces(wire, cuts));

      // The peer takes the space after the colon for no part of the comment.
      const texts = comments.map((comment) => comment.replace(/^ /, ''));
      expect({ events, comments: texts }).toEqual(readByPeer(new TextDecoder().decode(wire)));
    }),
    { numRuns: runs(3_000) },
  );
});

function read(parts: readonly Uint8Array[]): StrictSseParser {
  const reader = new StrictSseParser();
  for (const [at, part] of parts.entries()) reader.feed(part, at);
  reader.end(parts.length);
  return reader;
}

function whatIsRead(parts: readonly Uint8Array[]) {
  const { events, comments, problems, anomalies, longestLine } = read(parts);
  return {
    events: events.map(({ event, data, dataLines }) => ({ event, data, lines: dataLines.length })),
    comments: comments.map(({ text }) => text),
    problems,
    oddities: anomalies,
    longestLine,
  };
}

function pieces(wire: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (wire.length + 1)).sort((a, b) => a - b), wire.length];
  return places.slice(1).map((place, index) => wire.subarray(places[index] ?? 0, place));
}

function readByPeer(text: string) {
  const events: { event: string; data: string; lines: number }[] = [];
  const comments: string[] = [];
  const parser = createParser({
    onEvent: ({ event = 'message', data }) => events.push({ event, data, lines: data.split('\n').length }),
    onComment: (comment) => comments.push(comment),
  });
  // It looks for the three characters of a byte-order mark's bytes in its first piece; here they are characters.
  parser.feed('');
  // It waits after a CR whether an LF follows; with the LF the line ends in the same place.
  parser.feed(text.endsWith('\r') ? `${text}\n` : text);
  return { events, comments };
}
