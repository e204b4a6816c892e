import { expect, test } from '@jest/globals';
import type { JSONValue } from '../../generated/trace.ts';
import { utf8Length } from '../../src/core/index.ts';
import { compareTexts } from '../../src/viewer/page/payload/diff-lines.ts';
import {
  containerPreview,
  findInTree,
  type JsonContainer,
  prettyJsonNow,
  rowPath,
  type TreeView,
  toJsonRows,
} from '../../src/viewer/page/payload/json-rows.ts';
import { base64ByteLength, parseOutput, parsePart, toImageSource } from '../../src/viewer/page/payload/read-output.ts';
import fc, { runs, unicode } from '../support/fast-check.ts';

const CLOSED: TreeView = { openDepth: 0, toggled: new Map(), shown: new Map(), found: new Map() };
const DEEP = 100_000;
const deep = (): JSONValue => JSON.parse(`${'['.repeat(DEEP)}"needle"${']'.repeat(DEEP)}`) as JSONValue;
const json = fc.jsonValue({ maxDepth: 8 }) as fc.Arbitrary<JSONValue>;

function done<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

test('formats JSON like JSON.stringify', () => {
  fc.assert(
    fc.property(json, (value) => {
      const text = prettyJsonNow(value);

      expect(text).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test('formats, lists and searches JSON of 100,000 levels', () => {
  const value = deep();

  const text = prettyJsonNow(value);
  const found = done(findInTree(value, 'NEEDLE'));
  const { rows, isTruncated } = toJsonRows(value, { ...CLOSED, found }, 200_000);

  expect(text.replaceAll(/\s/g, '')).toHaveLength(2 * DEEP + '"needle"'.length);
  expect(found.size).toBe(DEEP);
  expect([rows.length, isTruncated]).toEqual([DEEP + 1, false]);
});

test('lists a row for every value of an open tree', () => {
  fc.assert(
    fc.property(json, (value) => {
      const { rows } = toJsonRows(value, { ...CLOSED, openDepth: 100 }, 100_000);

      const values = rows.flatMap((row) => (row.kind === 'value' ? [row.value] : []));
      expect(values.length).toBe(countOf(value));
    }),
  );
});

const countOf = (value: JSONValue): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, member) => sum + countOf(member), 1)
    : 1;

test('lists 100 members of a wide list, more on request, and those with hits', () => {
  const list = Array.from({ length: 1_000 }, (_, index) => (index === 500 ? 'here' : index));

  const first = toJsonRows(list, { ...CLOSED, openDepth: 1 }, 1_000);
  const more = toJsonRows(list, { ...CLOSED, openDepth: 1, shown: new Map([[list as JsonContainer, 200]]) }, 1_000);
  const found = toJsonRows(list, { ...CLOSED, found: done(findInTree(list, 'HERE')) }, 1_000);

  expect(gaps(first.rows)).toEqual([[100, 900]]);
  expect(gaps(more.rows)).toEqual([[200, 800]]);
  expect(gaps(found.rows)).toEqual([
    [100, 400],
    [501, 499],
  ]);
});

const gaps = (rows: ReturnType<typeof toJsonRows>['rows']) =>
  rows.flatMap((row) => (row.kind === 'gap' ? [[row.from, row.count]] : []));

test('opens the members that lead to a hit in a value or key, and nothing else', () => {
  const value = { left: { target: 1 }, right: { other: [1] }, list: [['x', 'a Target']] };

  const found = done(findInTree(value, 'target'));
  const { rows } = toJsonRows(value, { ...CLOSED, found }, 100);

  expect(rows.map((row) => (row.kind === 'value' ? rowPath(row) : row.kind))).toEqual([
    '$',
    '$.left',
    '$.left.target',
    '$.right',
    '$.list',
    '$.list[0]',
    '$.list[0][0]',
    '$.list[0][1]',
  ]);
});

test('keeps closed what the user has closed, and prints paths that programs accept', () => {
  const value = { 'a b': { c: 1 }, open: { d: { e: 2 } } };
  const toggled = new Map<JsonContainer, boolean>([[value['a b'], false]]);

  const { rows } = toJsonRows(value, { ...CLOSED, openDepth: 3, toggled }, 100);

  expect(rows.map((row) => (row.kind === 'value' ? rowPath(row) : ''))).toEqual([
    '$',
    '$["a b"]',
    '$.open',
    '$.open.d',
    '$.open.d.e',
  ]);
});

test.each([
  [{}, '{}'],
  [[], '[]'],
  [
    { city: 'Bogotá', days: [3], more: { a: 1 }, none: null, last: 1 },
    '{ city: "Bogotá", days: [1], more: {…}, none: null, … }',
  ],
  [['x'.repeat(30), 'a\nb'], `["${'x'.repeat(24)}…", "a↵b"]`],
])('previews %j as %s', (value, expected) => {
  const preview = containerPreview(value as JsonContainer);

  expect(preview).toBe(expected);
});

test.each([
  ['text', 'plain', { kind: 'text', text: 'plain' }],
  ['an error', { ok: false, error: 'no', code: 3 }, { kind: 'error', error: 'no', otherFields: { code: 3 } }],
  [
    'an error without a reason',
    { ok: false },
    { kind: 'error', error: 'the tool failed and gave no reason', otherFields: {} },
  ],
  ['an output in its envelope', { ok: true, output: 'x' }, { kind: 'text', text: 'x' }],
  ['other JSON', { forecast: 22 }, { kind: 'json', value: { forecast: 22 } }],
  ['a list of other values', [1, { type: 'text' }], { kind: 'json', value: [1, { type: 'text' }] }],
  [
    'a reference',
    { $blob: 'ab', media_type: 'application/json', bytes: 9 },
    { kind: 'reference', reference: { sha256: 'ab', bytes: 9 } },
  ],
])('recognizes %s', (_, value, expected) => {
  const output = parseOutput(value as JSONValue);

  expect(output).toEqual(expected);
});

test('separates what the model sees of an output from what it does not see', () => {
  const blocks = [{ type: 'text', text: 'x' }];

  const output = parseOutput({ blocks, metadata: { judge: 1 }, reward: 0.5, finished: true, own: 'field' });

  expect(output).toEqual({
    kind: 'blocks',
    blocks,
    metadata: { judge: 1 },
    reward: 0.5,
    isFinished: true,
    isError: false,
    otherFields: { own: 'field' },
  });
});

test('parses any output', () => {
  fc.assert(
    fc.property(json, (value) => {
      const output = parseOutput(value);

      expect(['text', 'error', 'reference', 'json', 'blocks']).toContain(output.kind);
    }),
  );
});

test.each([
  [{ type: 'image', data: 'AA==', mimeType: 'image/png' }, 'picture'],
  [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } }, 'picture'],
  [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }, 'picture'],
  [{ type: 'image_url', image_url: { url: 'https://x.y/z.png' } }, 'other'],
  [{ type: 'image_ref', sha256: 'ab', bytes: 1, mimeType: 'image/png' }, 'picture-reference'],
  [{ type: 'text_ref', sha256: 'ab', bytes: 1, media_type: 'text/plain', preview: 'x' }, 'text-reference'],
  [{ type: 'text', text: 'x' }, 'text'],
  [{ type: 'tool_use', input: {} }, 'other'],
  [{ type: 'tool_use', id: 'c1', name: 'move', input: {} }, 'other'],
  [{ type: 'tool_use', id: 'c1', name: null }, 'other'],
  [{ type: 'tool_use', id: 'c1', name: 'move' }, 'call'],
  [null, 'other'],
])('parses %j as a part of kind %s', (value, kind) => {
  const part = parsePart(value);

  expect(part.kind).toBe(kind);
});

test.each([
  ['AA==', 'image/png', { url: 'data:image/png;base64,AA==' }],
  ['AA\n==\n', 'image/png', { url: 'data:image/png;base64,AA==' }],
  ['AA==', 'text/html', { problem: 'Its type is "text/html", and no picture.' }],
  ['AA==', 'image/png;x="', { problem: 'Its type is "image/png;x=\\"", and no picture.' }],
  ['', 'image/png', { problem: 'It has no data.' }],
  ['ab!c', 'image/png', { problem: 'Its data is not valid base64: character 3 of 4 is "!".' }],
  ['abcde', 'image/png', { problem: 'Its data is not valid base64: the length of 5 characters is invalid.' }],
])('passes %j of the type %s to the browser only if it is an image', (data, mimeType, expected) => {
  const source = toImageSource(data, mimeType);

  expect(source).toEqual(expected);
});

test('counts the decoded bytes of base64', () => {
  fc.assert(
    fc.property(fc.uint8Array(), unicode(), (data, text) => {
      const counted = [
        base64ByteLength(Buffer.from(data).toString('base64')),
        utf8Length(text),
        utf8Length(text.repeat(3_000)),
      ];

      expect(counted).toEqual([data.length, Buffer.byteLength(text), Buffer.byteLength(text) * 3_000]);
    }),
    { numRuns: runs(15) },
  );
});

test('contains both texts, line by line', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'b c', '', 'd'), { maxLength: 30 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const rows = compareTexts(before.join('\n'), after.join('\n'));

      const textOf = (kind: string) =>
        rows.flatMap((row) => {
          if (row.kind === 'folded') return row.lines;
          return row.kind === 'same' || row.kind === kind ? [row.words.map(({ text }) => text).join('')] : [];
        });
      expect(textOf('removed').join('\n').trimEnd()).toBe(before.join('\n').trimEnd());
      expect(textOf('added').join('\n').trimEnd()).toBe(after.join('\n').trimEnd());
    }),
  );
});

test('marks the words that changed within a changed line', () => {
  const rows = compareTexts('a\nreturn one\nb', 'a\nreturn two\nb');

  expect(rows).toEqual([
    { kind: 'same', words: [{ text: 'a', isChanged: false }] },
    {
      kind: 'removed',
      words: [
        { text: 'return ', isChanged: false },
        { text: 'one', isChanged: true },
      ],
    },
    {
      kind: 'added',
      words: [
        { text: 'return ', isChanged: false },
        { text: 'two', isChanged: true },
      ],
    },
    { kind: 'same', words: [{ text: 'b', isChanged: false }] },
  ]);
});
