import { describe, expect, test } from '@jest/globals';
import {
  createLineSplitter,
  editDistance,
  escapeMarkup,
  escapeRegExp,
  joinWords,
  type Line,
  nearestName,
  oneLine,
  plural,
  quoteJs,
  readLines,
  shellCommand,
  shellQuote,
  stripControls,
  truncate,
  unicodeEscape,
  uniqueName,
  wellFormedPrefix,
  withoutByteOrderMark,
} from '../../src/core/index.ts';
import fc from '../support/fast-check.ts';

describe('truncate', () => {
  test.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['abcdef', 1, '…'],
    [`${'x'.repeat(58)}😀 and more`, 60, `${'x'.repeat(58)}…`],
    [`${'x'.repeat(57)}😀 and more`, 60, `${'x'.repeat(57)}😀…`],
  ])('cuts %j to %d', (text, max, shown) => {
    expect(truncate(text, max)).toBe(shown);
  });

  test('returns at most as many code units as asked for, and whole characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, max) => {
        expect(truncate(text, max).length).toBeLessThanOrEqual(max);
        expect(truncate(text, max).isWellFormed()).toBe(true);
        expect(text.startsWith(wellFormedPrefix(text, max))).toBe(true);
      }),
    );
  });
});

test.each([
  ['colors', '\u001b[31mred\u001b[0m', 'red'],
  ['a link', '\u001b]8;;http://evil\u0007text\u001b]8;;\u0007', 'text'],
  ['a title', '\u001b]0;title\u001b\\text', 'text'],
  ['an unended string', '\u001b]0;title', '0;title'],
  ['sequences of one byte', '\u009b31mred\u009d0;x\u009c!', 'red!'],
  ['other controls', 'a\u0000b\u0007c\u007fd\u0085e', 'abcde'],
  ['changes of direction', 'a\u202eb\u2066c', 'abc'],
  ['line ends', 'a\r\nb\rc\td', 'a\nb\nc\td'],
])('stripControls removes %s', (_, text, shown) => {
  expect(stripControls(text)).toBe(shown);
});

test('oneLine joins lines', () => {
  expect(oneLine('  a\n\n b\u0000\tc ')).toBe('a b c');
});

test('plural counts', () => {
  expect([0, 1, 2, 1234].map((count) => plural(count, 'block'))).toEqual([
    ...['0 blocks', '1 block', '2 blocks', '1,234 blocks'],
  ]);
  expect(plural(2, 'property', 'properties')).toBe('2 properties');
});

test.each([
  [[], undefined, ''],
  [['a'], undefined, 'a'],
  [['a', 'b'], undefined, 'a and b'],
  [['a', 'b', 'c'], { conjunction: 'or' }, 'a, b or c'],
  [['a', 'b', 'c', 'd'], { max: 3 }, 'a, b, c and d'],
  [['a', 'b', 'c', 'd', 'e'], { max: 3 }, 'a, b, c and 2 more'],
] as const)('joinWords joins %j with %j', (words, options, text) => {
  expect(joinWords(words, options)).toBe(text);
});

test('escapes texts', () => {
  expect(escapeMarkup(`<a b="c">&'`)).toBe(`&lt;a b=&quot;c&quot;&gt;&amp;'`);
  expect(escapeMarkup('a\u0000b\ud83d')).toBe('a\ufffdb\ufffd');
  expect(unicodeEscape('é')).toBe('\\u00e9');
  expect(quoteJs(`it's "a"\n`)).toBe(`'it\\'s "a"\\n'`);
});

test('escapeRegExp makes a pattern that matches the text alone', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(text).toMatch(new RegExp(`^${escapeRegExp(text)}$`, 's'));
    }),
  );
  expect('axb').not.toMatch(new RegExp(escapeRegExp('a.b')));
});

test.each([
  ['a,b/c=1', 'a,b/c=1'],
  ['', `''`],
  ["it's", `'it'\\''s'`],
  ['a\nb', `$'a\\012b'`],
  ['\u202e', `$'\\342\\200\\256'`],
])('shellQuote quotes %j', (word, quoted) => {
  expect(shellQuote(word)).toBe(quoted);
});

test('shellCommand keeps words apart', () => {
  expect(shellCommand('ors', 'play', 'a b')).toBe("ors play 'a b'");
});

describe('editDistance', () => {
  test.each([
    ['secrets', 'sceerts', 2],
    ['split', 'splti', 1],
    ['', 'abc', 3],
    ['a😀', 'a😀', 0],
    ['a😀b', 'ab', 1],
    ['ca', 'abc', 3],
  ])('counts the edits from %s to %s', (one, other, edits) => {
    expect(editDistance(one, other)).toBe(edits);
    expect(editDistance(other, one)).toBe(edits);
  });
});

test.each([
  ['sceerts', 'secrets'],
  ['SPLIT', 'split'],
  ['indx', 'index'],
  ['x', undefined],
  ['something_else', undefined],
  ['', undefined],
])('nearestName finds what %j was meant to be', (name, nearest) => {
  expect(nearestName(name, ['split', 'index', 'secrets', 'env_name'])).toBe(nearest);
});

test('uniqueName numbers a name that is taken', () => {
  const taken = new Set(['a', 'a_2', 'long']);
  const isTaken = (name: string) => taken.has(name);

  expect(uniqueName('b', isTaken)).toBe('b');
  expect(uniqueName('a', isTaken)).toBe('a_3');
  expect(uniqueName('longer', isTaken, { separator: '#', maxLength: 4 })).toBe('lo#2');
});

describe('readLines', () => {
  async function* chunked(text: string | Uint8Array, size: number) {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  const linesOf = async (text: string | Uint8Array, size = 3, maxSize?: number) => {
    const lines: Line[] = [];
    for await (const line of readLines(chunked(text, size), maxSize)) lines.push(line);
    return lines;
  };
  const texts = async (...args: Parameters<typeof linesOf>) => (await linesOf(...args)).map(({ text }) => text);
  const utf8 = (text: string) => new TextEncoder().encode(text);

  test('splits at line feeds alone, wherever chunks end', async () => {
    const text = '\ufeffone\r\n\n{"two":"\u2028é😀"}\nlast\rline';
    const lines = ['one', '', '{"two":"\u2028é😀"}', 'last\rline'];

    expect(await texts(text)).toEqual(lines);
    expect(await texts(utf8(text), 1)).toEqual(lines);
  });

  test('returns the reason for lines that cannot be read, and continues', async () => {
    const bytes = Uint8Array.from([...utf8('a\n'), 0xff, ...utf8('\nlong line\nb')]);

    expect(await linesOf(bytes, 4, 5)).toEqual([
      { number: 1, text: 'a' },
      { number: 2, reason: 'the line is not UTF-8' },
      { number: 3, reason: 'the line is longer than 5 bytes; nothing of it was read' },
      { number: 4, text: 'b' },
    ]);
  });
});

test('createLineSplitter calls back for each line once it is complete', () => {
  const lines: string[] = [];
  const splitter = createLineSplitter((line) => lines.push(line));

  splitter.push('a\nb');
  splitter.push('c');
  expect(lines).toEqual(['a']);
  splitter.push('\n\nd');
  expect(lines).toEqual(['a', 'bc', '']);
  splitter.end();
  splitter.end();
  expect(lines).toEqual(['a', 'bc', '', 'd']);
});

test('withoutByteOrderMark removes one byte order mark, and only at the start', () => {
  expect(['\ufeff{}', '{}\ufeff', '\ufeff\ufeff', ''].map(withoutByteOrderMark)).toEqual([
    '{}',
    '{}\ufeff',
    '\ufeff',
    '',
  ]);
});
