import { expect, test } from '@jest/globals';
import { createParser } from 'eventsource-parser';
import { encodeEvent, HEARTBEAT_COMMENT, type ServerSentEvent } from '../../src/sse/index.ts';
import fc, { runs } from '../support/fast-check.ts';
import { collect, inReadsCutAt } from './reading.ts';

const line = fc.string({ unit: fc.constantFrom('a', ' ', ':', 'é', '😀', '\u2028', '\u00a0', '\0'), maxLength: 30 });
const data = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n'));

test('decodes what it encoded, as does a standard parser, wherever the bytes are split', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(data, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 10 }), async (texts, cuts) => {
      const events = texts.map((text) => ({ event: 'chunk', data: text }));
      const wire = events.map((event) => encodeEvent(event) + HEARTBEAT_COMMENT).join('');
      const foreign: ServerSentEvent[] = [];
      const parser = createParser({ onEvent: ({ event = 'message', data }) => foreign.push({ event, data }) });

      parser.feed(wire);

      expect(await collect(inReadsCutAt(cuts, Buffer.from(wire)))).toEqual(events);
      expect(foreign).toEqual(events);
    }),
    { numRuns: runs(300) },
  );
});

test('writes a data field for each line, with any line ending', () => {
  expect(encodeEvent({ event: 'end', data: 'a\rb\r\nc\nd' })).toBe(
    'event: end\ndata: a\ndata: b\ndata: c\ndata: d\n\n',
  );
});
