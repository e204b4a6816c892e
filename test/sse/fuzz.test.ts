import { expect, test } from '@jest/globals';
import { createParser } from 'eventsource-parser';
import { decodeEvents, type ServerSentEvent } from '../../src/sse/index.ts';
import fc, { runs } from '../support/fast-check.ts';
import { collect, inReadsCutAt } from './reading.ts';

/** Number of random streams. */
const RUNS = runs(500);

const FIELDS = ['data', 'data:', 'data: ', 'data: ', 'event', 'event:', 'event: ', 'id: ', 'retry: 5', 'foo: ', ':'];
const LINE_ENDS = ['\n', '\n', '\r', '\r\n'];
const MARKS = [...FIELDS, ...LINE_ENDS, 'dat', 'events', ': ', ' ', '  ', '\t', '\0', '\ufeff'];
const TEXTS = [
  'x',
  'end',
  '{"ok":true}',
  'é',
  '€',
  '😀',
  '\u2028',
  '\u0085',
  'ï»¿',
  'a longer text, with more letters',
];
const BROKEN = [[0xff], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xed, 0xa0], [0xbf], [0xef, 0xbb]];

const lineEnd = fc.constantFrom(...LINE_ENDS.map((text) => Buffer.from(text)));
const field = fc.constantFrom(...FIELDS.map((text) => Buffer.from(text)));
const token = fc.constantFrom(
  ...[...MARKS, ...TEXTS, ...TEXTS].map((text) => Buffer.from(text)),
  ...BROKEN.map((bytes) => Buffer.from(bytes)),
);
const line = fc.tuple(field, token, lineEnd).map((parts) => Buffer.concat(parts));
const part = fc.oneof(
  { weight: 4, arbitrary: line },
  { weight: 3, arbitrary: lineEnd },
  { weight: 2, arbitrary: token },
);
const wire = fc.array(part, { maxLength: 30, size: 'max' }).map((parts) => Buffer.concat(parts));
const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 30, size: 'max' });

test(`decodes ${RUNS} random streams as eventsource-parser does, wherever they are split`, async () => {
  await fc.assert(
    fc.asyncProperty(wire, cuts, async (bytes, cuts) => {
      const text = new TextDecoder().decode(bytes);

      expect(await collect(inReadsCutAt(cuts, bytes))).toEqual(readByPeer(text));
      expect(await collect(inReadsCutAt(cuts, bytes), { incomplete: 'emit' })).toEqual(readByPeer(`${text}\n\n`));
    }),
    { numRuns: RUNS },
  );
});

test('yields every event of random streams before the next read', async () => {
  await fc.assert(
    fc.asyncProperty(wire, cuts, async (bytes, cuts) => {
      const counts: number[] = [];
      const expected: number[] = [];
      let given = 0;
      async function* stream() {
        let end = 0;
        for (const read of inReadsCutAt(cuts, bytes)) {
          yield read;
          end += read.length;
          counts.push(given);
          expected.push(readByPeer(new TextDecoder().decode(bytes.subarray(0, end))).length);
        }
      }

      for await (const _event of decodeEvents(stream())) given += 1;

      expect(counts).toEqual(expected);
    }),
    { numRuns: Math.ceil(RUNS / 20) },
  );
});

function readByPeer(text: string): ServerSentEvent[] {
  const events: ServerSentEvent[] = [];
  const parser = createParser({ onEvent: ({ event = 'message', data }) => events.push({ event, data }) });
  // eventsource-parser treats U+00EF U+00BB U+00BF as a byte order mark in its first chunk; here they are characters.
  parser.feed('');
  // It waits after a CR for an LF; with the LF the line ends at the same position.
  parser.feed(text.endsWith('\r') ? `${text}\n` : text);
  return events;
}
