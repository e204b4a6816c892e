import { describe, expect, test } from '@jest/globals';
import { collect, collectInAllSizes, inAllSizes } from './reading.ts';

const message = (data: string) => ({ event: 'message', data });
const greeting = (data: string) => ({ event: 'greeting', data });

describe('in chunks of any size', () => {
  test.each([
    ['decodes an event of one line', 'data: Hello\n\n', [message('Hello')]],
    ['decodes two events', 'data: Hello\n\ndata: World\n\n', [message('Hello'), message('World')]],
    ['joins lines of data with a line feed', 'data: Hello\ndata:World\n\n', [message('Hello\nWorld')]],
    ['uses the name of an event', 'event: greeting\ndata: Hello\n\n', [greeting('Hello')]],
    ['accepts the name after the data', 'data: Hello\nid: 7\nevent: greeting\n\n', [greeting('Hello')]],
    ['uses the last of two names', 'event: a\nevent: greeting\ndata: Hello\n\n', [greeting('Hello')]],
    ['ignores an empty name', 'event: greeting\nevent:\ndata: Hello\n\n', [message('Hello')]],
    ['resets the name after an event', 'event: greeting\ndata: 1\n\ndata: 2\n\n', [greeting('1'), message('2')]],
    ['ignores a name without data', 'event: greeting\n\ndata: Hello\n\n', [message('Hello')]],
    ['yields empty data', 'data:\n\n', [message('')]],
    ['ignores a single space after the colon', 'data: \n\n', [message('')]],
    ['decodes two empty lines of data as a line feed', 'data:\ndata:\n\n', [message('\n')]],
    ['accepts a missing space after the colon', 'event:greeting\ndata:Hello\n\n', [greeting('Hello')]],
    ['removes only one space after the colon', 'event:  x\ndata:   Hello \n\n', [{ event: ' x', data: '  Hello ' }]],
    ['keeps a tab in the data', 'data:\tHello\n\n', [message('\tHello')]],
    ['keeps a second colon in the data', 'data: a: b\ndata::c\n\n', [message('a: b\n:c')]],
    ['treats a field without a colon as empty', 'data\n\ndata\ndata\n\n', [message(''), message('\n')]],
    ['treats a name without a colon as empty', 'event: greeting\nevent\ndata: Hello\n\n', [message('Hello')]],
    ['ignores an id', 'id: abc\ndata: 1\n\nid\ndata: 2\n\n', [message('1'), message('2')]],
    ['ignores an id with a NUL', 'id: a\0c\ndata: Hello\n\n', [message('Hello')]],
    ['ignores a retry time', 'retry: 500\ndata: Hello\nretry: soon\n\n', [message('Hello')]],
    ['yields no event for a retry time only', 'retry: 500\n\nid: 8\n\n', []],
    ['ignores an unknown field', 'event: greeting\ncolor: blue\ndata: Hello\n\n', [greeting('Hello')]],
    ['ignores an unknown field without a colon', 'color\ndata: Hello\n\n', [message('Hello')]],
    ['ignores fields with longer names', 'data2: x\ndatabase\nevents: x\ndata: Hello\n\n', [message('Hello')]],
    ['ignores field names inside a line', ' data: x\nmydata: x\ndata: Hello\n\n', [message('Hello')]],
    ['ignores field names in upper case', 'DATA: x\nEvent: greeting\ndata: Hello\n\n', [message('Hello')]],
    ['treats a space before the colon as part of the name', 'data : x\ndata: Hello\n\n', [message('Hello')]],
    ['keeps a NUL in names and data', 'event: a\0b\ndata: c\0d\n\n', [{ event: 'a\0b', data: 'c\0d' }]],
    ['decodes multi-byte characters', 'data: é€豆腐😀\n\n', [message('é€豆腐😀')]],
    [
      'ends lines only at CR and LF',
      'data: a\u2028b\u2029c\u0085d\u000be\u000cf\n\n',
      [message('a\u2028b\u2029c\u0085d\u000be\u000cf')],
    ],
    ['yields nothing for an empty stream', '', []],
  ])('%s', async (_name, wire, events) => {
    expect(await collectInAllSizes(wire)).toEqual(inAllSizes(events));
  });

  test.each([
    ['before an event', ':Hello\ndata: Hello\n\n'],
    ['after an event', 'data: Hello\n\n:Hello\n'],
    ['within an event', 'data: Hello\n: data: no\n\n'],
    ['after another', ':\n::\n: \n\n:data: no\ndata: Hello\n\n'],
  ])('ignores a comment %s', async (_name, wire) => {
    expect(await collectInAllSizes(wire)).toEqual(inAllSizes([message('Hello')]));
  });

  test.each([
    ['before an event', '\ufeffdata: Hello\n\n', [message('Hello')]],
    ['before an event with a name', '\ufeffevent: greeting\nid: abc\ndata: Hello\n\n', [greeting('Hello')]],
    ['before several events', '\ufeffdata: 1\n\ndata: 2\n\n', [message('1'), message('2')]],
    ['before several lines', '\ufeffdata: 1\ndata: 2\n\n', [message('1\n2')]],
    ['before a comment', '\ufeff: comment\ndata: Hello\n\n', [message('Hello')]],
    ['before empty data', '\ufeffdata:\n\n', [message('')]],
    ['before a blank line', '\ufeff\ndata: Hello\n\n', [message('Hello')]],
    ['and only one', '\ufeff\ufeffdata: no\ndata: Hello\n\n', [message('Hello')]],
    ['and none within data', '\ufeffdata: \ufeffHello\n\n', [message('\ufeffHello')]],
    ['and none before a later event', 'data: 1\n\n\ufeffdata: no\n\ndata: 2\n\n', [message('1'), message('2')]],
    ['and none at the end of data', 'data: 1\ufeff\n\ndata:\ufeff\n\n', [message('1\ufeff'), message('\ufeff')]],
    ['and nothing else', '\ufeff', []],
  ])('removes a byte order mark %s', async (_name, wire, events) => {
    expect(await collectInAllSizes(wire)).toEqual(inAllSizes(events));
  });

  describe.each([
    ['LF', '\n'],
    ['CR LF', '\r\n'],
    ['CR', '\r'],
  ])('with line ending %s', (_name, lineEnd) => {
    test.each([
      ['decodes one line as an event', 'data: 1\n\n', [message('1')]],
      ['decodes an event of two lines after it', 'data: 1\n\ndata: a\ndata: b\n\n', [message('1'), message('a\nb')]],
      ['accepts an empty first line', 'data:\ndata: b\ndata: c\n\n', [message('\nb\nc')]],
      ['accepts an empty line in the middle', 'data: a\ndata\ndata: c\n\n', [message('a\n\nc')]],
      ['ignores an extra blank line', 'data: 1\n\n\ndata: 2\n\n', [message('1'), message('2')]],
      ['ignores two extra blank lines', '\n\ndata: 1\n\n\n\ndata: 2\n\n', [message('1'), message('2')]],
      ['decodes names, comments and unknown fields', ':x\nid: 1\nevent: greeting\ny\ndata: z\n\n', [greeting('z')]],
    ])('%s', async (_name, wire, events) => {
      const withLineEnd = wire.replaceAll('\n', lineEnd);

      expect(await collectInAllSizes(withLineEnd)).toEqual(inAllSizes(events));
    });
  });

  test('accepts mixed line endings', async () => {
    const wire = 'event: greeting\rdata: a\r\ndata: b\n\rdata: c\r\rdata: d\r\n\ndata: e\n\r\n';

    expect(await collectInAllSizes(wire)).toEqual(
      inAllSizes([greeting('a\nb'), message('c'), message('d'), message('e')]),
    );
  });

  test.each([
    ['invalid bytes', [0xff, 0xc0, 0x80], '\ufffd\ufffd\ufffd'],
    ['an incomplete character', [0xf0, 0x9f, 0x98], '\ufffd'],
    ['an incomplete character before another one', [0xe2, 0x82, 0xc3, 0xa9], '\ufffdé'],
    ['half of a surrogate pair', [0xed, 0xa0, 0xbd], '\ufffd\ufffd\ufffd'],
  ])('replaces %s, and ends the line at its end', async (_name, bytes, data) => {
    const wire = Buffer.concat([Buffer.from('data: '), Buffer.from(bytes), Buffer.from('\ndata: b\n\n')]);

    expect(await collectInAllSizes(wire)).toEqual(inAllSizes([message(`${data}\nb`)]));
  });

  test.each([
    ['without its blank line', 'event: end\ndata: x\n', [{ event: 'end', data: 'x' }]],
    ['without the end of its line', 'event: end\ndata: x', [{ event: 'end', data: 'x' }]],
    ['without the LF of its CR LF', 'event: end\r\ndata: x\r', [{ event: 'end', data: 'x' }]],
    ['without its data', 'event: end\nid: 4', []],
    ['in the name of its field', 'data: x\nda', [message('x')]],
    ['in a field without a colon', 'data: x\ndata', [message('x\n')]],
    ['in a comment', 'data: x\n: comm', [message('x')]],
    ['in a character', Buffer.from('data: x€').subarray(0, -1), [message('x\ufffd')]],
  ])('drops or emits an event that the stream ends %s', async (_name, wire, events) => {
    expect(await collectInAllSizes(wire)).toEqual(inAllSizes([]));
    expect(await collectInAllSizes(wire, { incomplete: 'emit' })).toEqual(inAllSizes(events));
  });

  test.each(['\n', '\r\n', '\r'])('yields a complete event once, also at the end (%j)', async (lineEnd) => {
    const wire = `data: x${lineEnd}${lineEnd}`;

    expect(await collectInAllSizes(wire, { incomplete: 'emit' })).toEqual(inAllSizes([message('x')]));
  });
});

test('ends one line at a CR LF that is split between two reads', async () => {
  const reads = ['data: Hello\r', '\ndata: World\r', '', '\n', '\r\ndata: OK\r', '\n', '\r', '\n'].map((text) =>
    Buffer.from(text),
  );

  expect(await collect(reads)).toEqual([message('Hello\nWorld'), message('OK')]);
});

test('adds the last id to each event if it is asked for ids', async () => {
  const wire = 'data: a\n\nid: 1\ndata: b\n\nid: 2\n\ndata: c\n\nid: x\0\ndata: d\n\nid\ndata: e\n\n';

  const events = await collectInAllSizes(wire, { withIds: true });

  const ids = [undefined, '1', '2', '2', ''];
  const expected = ids.map((id, index) => ({ ...message('abcde'.charAt(index)), ...(id !== undefined && { id }) }));
  expect(events).toEqual(inAllSizes(expected));
});

test('yields a hundred events in order', async () => {
  const texts = Array.from({ length: 100 }, (_, index) => `message ${index}`);

  expect(await collect([Buffer.from(texts.map((text) => `data: ${text}\n\n`).join(''))])).toEqual(texts.map(message));
});
