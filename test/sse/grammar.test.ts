import { describe, expect, test } from '@jest/globals';
import { collect, collectInAllSizes, inAllSizes } from './reading.ts';

const message = (data: string) => ({ event: 'message', data });
const greeting = (data: string) => ({ event: 'greeting', data });

describe('in reads of any size', () => {
  test.each([
    ['an event of one line is read', 'data: Hello\n\n', [message('Hello')]],
    ['two events are read one after the other', 'data: Hello\n\ndata: World\n\n', [message('Hello'), message('World')]],
    ['lines of data are joined by a line feed', 'data: Hello\ndata:World\n\n', [message('Hello\nWorld')]],
    ['an event has the name that it gives itself', 'event: greeting\ndata: Hello\n\n', [greeting('Hello')]],
    ['an event may name itself after its data', 'data: Hello\nid: 7\nevent: greeting\n\n', [greeting('Hello')]],
    ['of two names the last one holds', 'event: a\nevent: greeting\ndata: Hello\n\n', [greeting('Hello')]],
    ['an empty name is no name', 'event: greeting\nevent:\ndata: Hello\n\n', [message('Hello')]],
    ['a name holds for one event', 'event: greeting\ndata: 1\n\ndata: 2\n\n', [greeting('1'), message('2')]],
    ['a name without data names nothing', 'event: greeting\n\ndata: Hello\n\n', [message('Hello')]],
    ['empty data is data', 'data:\n\n', [message('')]],
    ['one space after the colon is no data either', 'data: \n\n', [message('')]],
    ['two empty lines of data are a line feed', 'data:\ndata:\n\n', [message('\n')]],
    ['the space after the colon may be missing', 'event:greeting\ndata:Hello\n\n', [greeting('Hello')]],
    ['only one space belongs to the colon', 'event:  x\ndata:   Hello \n\n', [{ event: ' x', data: '  Hello ' }]],
    ['a tab belongs to the data', 'data:\tHello\n\n', [message('\tHello')]],
    ['a second colon belongs to the data', 'data: a: b\ndata::c\n\n', [message('a: b\n:c')]],
    ['a field without a colon has an empty value', 'data\n\ndata\ndata\n\n', [message(''), message('\n')]],
    ['a name without a colon is empty', 'event: greeting\nevent\ndata: Hello\n\n', [message('Hello')]],
    ['an id changes nothing', 'id: abc\ndata: 1\n\nid\ndata: 2\n\n', [message('1'), message('2')]],
    ['an id with a NUL changes nothing', 'id: a\0c\ndata: Hello\n\n', [message('Hello')]],
    ['a retry time changes nothing', 'retry: 500\ndata: Hello\nretry: soon\n\n', [message('Hello')]],
    ['a retry time alone is no event', 'retry: 500\n\nid: 8\n\n', []],
    ['an unknown field is skipped', 'event: greeting\ncolor: blue\ndata: Hello\n\n', [greeting('Hello')]],
    ['an unknown field without a colon is skipped', 'color\ndata: Hello\n\n', [message('Hello')]],
    ['a longer name is another field', 'data2: x\ndatabase\nevents: x\ndata: Hello\n\n', [message('Hello')]],
    ['a name is not found in the middle of a line', ' data: x\nmydata: x\ndata: Hello\n\n', [message('Hello')]],
    ['names are in lower case', 'DATA: x\nEvent: greeting\ndata: Hello\n\n', [message('Hello')]],
    ['a space before the colon is part of the name', 'data : x\ndata: Hello\n\n', [message('Hello')]],
    ['a NUL is a character like others', 'event: a\0b\ndata: c\0d\n\n', [{ event: 'a\0b', data: 'c\0d' }]],
    ['characters of many bytes are whole', 'data: é€豆腐😀\n\n', [message('é€豆腐😀')]],
    [
      'only CR and LF end a line',
      'data: a\u2028b\u2029c\u0085d\u000be\u000cf\n\n',
      [message('a\u2028b\u2029c\u0085d\u000be\u000cf')],
    ],
    ['an empty stream has no event', '', []],
  ])('%s', async (_name, wire, events) => {
    expect(await collectInAllSizes(wire)).toEqual(inAllSizes(events));
  });

  test.each([
    ['is skipped before an event', ':Hello\ndata: Hello\n\n'],
    ['is skipped after an event', 'data: Hello\n\n:Hello\n'],
    ['is skipped within an event', 'data: Hello\n: data: no\n\n'],
    ['is skipped after another', ':\n::\n: \n\n:data: no\ndata: Hello\n\n'],
  ])('a comment %s', async (_name, wire) => {
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
  ])('a byte order mark is dropped %s', async (_name, wire, events) => {
    expect(await collectInAllSizes(wire)).toEqual(inAllSizes(events));
  });

  describe.each([
    ['LF', '\n'],
    ['CR LF', '\r\n'],
    ['CR', '\r'],
  ])('with lines that end in %s', (_name, lineEnd) => {
    test.each([
      ['one line is an event', 'data: 1\n\n', [message('1')]],
      ['an event of two lines may follow', 'data: 1\n\ndata: a\ndata: b\n\n', [message('1'), message('a\nb')]],
      ['the first line may be empty', 'data:\ndata: b\ndata: c\n\n', [message('\nb\nc')]],
      ['a line in the middle may be empty', 'data: a\ndata\ndata: c\n\n', [message('a\n\nc')]],
      ['a blank line more changes nothing', 'data: 1\n\n\ndata: 2\n\n', [message('1'), message('2')]],
      ['two blank lines more change nothing', '\n\ndata: 1\n\n\n\ndata: 2\n\n', [message('1'), message('2')]],
      [
        'names, comments and unknown fields are understood',
        ':x\nid: 1\nevent: greeting\ny\ndata: z\n\n',
        [greeting('z')],
      ],
    ])('%s', async (_name, wire, events) => {
      const withLineEnd = wire.replaceAll('\n', lineEnd);

      expect(await collectInAllSizes(withLineEnd)).toEqual(inAllSizes(events));
    });
  });

  test('line ends of all kinds may be mixed', async () => {
    const wire = 'event: greeting\rdata: a\r\ndata: b\n\rdata: c\r\rdata: d\r\n\ndata: e\n\r\n';

    expect(await collectInAllSizes(wire)).toEqual(
      inAllSizes([greeting('a\nb'), message('c'), message('d'), message('e')]),
    );
  });

  test.each([
    ['bytes that are no character', [0xff, 0xc0, 0x80], '\ufffd\ufffd\ufffd'],
    ['a character that breaks off', [0xf0, 0x9f, 0x98], '\ufffd'],
    ['a character that breaks off before another', [0xe2, 0x82, 0xc3, 0xa9], '\ufffdé'],
    ['half of a surrogate pair', [0xed, 0xa0, 0xbd], '\ufffd\ufffd\ufffd'],
  ])('%s are replaced, and the line ends where it ends', async (_name, bytes, data) => {
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
  ])('an event that the stream leaves %s is dropped, or given to those who ask', async (_name, wire, events) => {
    expect(await collectInAllSizes(wire)).toEqual(inAllSizes([]));
    expect(await collectInAllSizes(wire, { incomplete: 'emit' })).toEqual(inAllSizes(events));
  });

  test.each(['\n', '\r\n', '\r'])('an event that ended is given once, also at the end (%j)', async (lineEnd) => {
    const wire = `data: x${lineEnd}${lineEnd}`;

    expect(await collectInAllSizes(wire, { incomplete: 'emit' })).toEqual(inAllSizes([message('x')]));
  });
});

test('a CR LF between two reads ends one line, whatever stands between them', async () => {
  const reads = ['data: Hello\r', '\ndata: World\r', '', '\n', '\r\ndata: OK\r', '\n', '\r', '\n'].map((text) =>
    Buffer.from(text),
  );

  expect(await collect(reads)).toEqual([message('Hello\nWorld'), message('OK')]);
});

test('a hundred events come in their order', async () => {
  const texts = Array.from({ length: 100 }, (_, index) => `message ${index}`);

  expect(await collect([Buffer.from(texts.map((text) => `data: ${text}\n\n`).join(''))])).toEqual(texts.map(message));
});
