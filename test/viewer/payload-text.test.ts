import { expect, test } from '@jest/globals';
import { findAll, findHits, splitAtHits, splitInvisible } from '../../src/viewer/page/parts/text-segments.ts';
import { parseAnsi } from '../../src/viewer/page/payload/ansi.ts';
import { codeSegments } from '../../src/viewer/page/payload/code-scopes.ts';
import { sliceAt, splitIntoSlices } from '../../src/viewer/page/payload/slices.ts';
import fc, { runs, unicode } from '../support/fast-check.ts';

/** Texts with difficult parts: escapes, lone surrogates, control characters, line ends. */
const texts = fc
  .array(
    fc.oneof(
      unicode(),
      fc.constantFrom('\u001b[31m', '\u001b[0m', '\r\n', '\r', '\n', '\ud800', '\u202e', '\u200d', 'aB'),
    ),
  )
  .map((parts) => parts.join(''));
const joined = (parts: readonly { readonly text: string }[]) => parts.map(({ text }) => text).join('');

function done<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

test('finds a text without regard to case, and splits there without losing text', () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 4 }), texts, (parts, wanted) => {
      const segments = parts.map((text) => ({ text }));
      const text = parts.join('');

      const hits = findHits(text, wanted);
      const pieces = splitAtHits(segments, hits);

      expect(joined(pieces)).toBe(text);
      expect(joined(pieces.filter(({ isHit }) => isHit))).toBe(
        hits.map(({ start, end }) => text.slice(start, end)).join(''),
      );
    }),
  );
});

test('escapes the special characters of a search', () => {
  const text = 'price (a+b)* [x] and (A+B)*';

  const hits = findHits(text, '(a+b)*');

  expect(hits.map(({ start }) => start)).toEqual([6, 21]);
});

test('finds a hit across segments of different styles', () => {
  const { segments } = parseAnsi('\u001b[31mre\u001b[0md and');

  const pieces = splitAtHits(segments, findHits(joined(segments), 'RED'));

  expect(pieces.map(({ text, isHit }) => [text, isHit])).toEqual([
    ['re', true],
    ['d', true],
    [' and', false],
  ]);
});

test('searches a very long text to its end, across the windows in which it is read', () => {
  const size = 256 * 1024;
  const text = `${'.'.repeat(size - 2)}NEEDLE${'.'.repeat(size)}needle`;

  const positions = done(findAll(text, 'needle'));

  expect(positions).toEqual([size - 2, 2 * size + 4]);
});

const UNSEEN = ['\0', '\u001b', '\u202a', '\u202e', '\u2066', '\u2069', '\ufeff'];

test('replaces invisible characters by marks, and changes nothing else', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const parts = splitInvisible(text);

      expect(joined(parts)).toBe(text);
      const asItIs = joined(parts.filter(({ mark }) => mark === undefined));
      expect(UNSEEN.filter((character) => asItIs.includes(character))).toEqual([]);
    }),
  );
});

test.each([
  ['a\u202eb', ['a', 'U+202E', 'b']],
  ['\0\0', ['U+0000 U+0000']],
  ['\u200b'.repeat(50), ['U+200B U+200B U+200B U+200B … (50)']],
  ['\ud800', ['U+D800']],
  ['\u{e0041}', ['U+E0041']],
  ['a\tb\n', ['a\tb\n']],
  ['👩‍👩‍👧 ❤️‍🔥 می‌خواهم', ['👩‍👩‍👧 ❤️‍🔥 می‌خواهم']],
  ['pass\u200dword', ['pass', 'U+200D', 'word']],
])('shows %j as %j', (text, expected) => {
  const parts = splitInvisible(text);

  expect(parts.map(({ text, mark }) => mark ?? text)).toEqual(expected);
});

test('parses terminal colours, and drops other sequences', () => {
  const text =
    '\u001b[1;31mred\u001b[0m\u001b[2J \u001b[38;5;208mo\u001b[48;2;1;2;3mx\u001b[39;49m\u001b]8;;http://a\u0007link\u001b]8;;\u0007 \u001b[95my';

  const { segments, end } = parseAnsi(text);

  expect(segments).toEqual([
    { text: 'red', style: { bold: true, color: 1 } },
    { text: ' ', style: {} },
    { text: 'o', style: { color: [255, 135, 0] } },
    { text: 'x', style: { color: [255, 135, 0], background: [1, 2, 3] } },
    { text: 'link', style: {} },
    { text: ' ', style: {} },
    { text: 'y', style: { color: 13 } },
  ]);
  expect(end).toEqual({ color: 13 });
});

test('shows the last state of an overwritten line, with the number of earlier ones', () => {
  const text = 'a\r\n\u001b[32m10 %\r50 %\r100 %\u001b[0m done\nb\r';

  const { segments } = parseAnsi(text);

  expect(joined(segments)).toBe('a\n100 % done\nb');
  expect(segments.find(({ overwritten }) => overwritten !== undefined)).toEqual({
    text: '100 %',
    style: { color: 2 },
    overwritten: 2,
  });
});

test('shows an unterminated sequence as text', () => {
  const text = 'a\u001b]0;title without an end\nb\u001b[31';

  const { segments } = parseAnsi(text);

  expect(joined(segments)).toBe(text);
});

test('leaves text without sequences unchanged', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
  const plain = texts.map((text) => text.replaceAll(/[\u001b\r]/g, ''));
  fc.assert(
    fc.property(plain, (text) => {
      const { segments } = parseAnsi(text);

      expect(joined(segments)).toBe(text);
    }),
  );
});

test('splits into adjacent slices, and never inside a character, line end or escape sequence', () => {
  const long = fc
    .tuple(texts, fc.integer({ min: 1, max: 2_000 }))
    .map(([text, times]) => text.repeat(times).slice(0, 60_000));
  fc.assert(
    fc.property(long, fc.integer({ min: 1, max: 200 }), (text, columns) => {
      const slices = done(splitIntoSlices(text, columns));

      expect(slices.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
      for (const { end } of slices.slice(0, -1)) {
        const around = text.slice(end - 1, end + 1);
        expect(around).not.toMatch(/^[\ud800-\udbff][\udc00-\udfff]$/);
        expect(around).not.toBe('\r\n');
        expect(text.slice(end - 1)).not.toMatch(/^\[31m/);
      }
    }),
    { numRuns: runs(50) },
  );
});

test('counts the wrapped rows of a slice', () => {
  const text = `${'x'.repeat(25)}\n\n${'\u001b[31m'.repeat(10)}abc\n`;

  const [slice] = done(splitIntoSlices(text, 10));

  expect(slice).toEqual({ start: 0, end: text.length, rows: 3 + 1 + 1 });
});

test('finds the slice that contains a position', () => {
  const text = 'some line of text\n'.repeat(5_000);
  const slices = done(splitIntoSlices(text, 80));

  const found = [0, 8_191, 8_192, 50_000, text.length - 1].map((position) => ({
    position,
    slice: slices[sliceAt(slices, position)],
  }));

  for (const { position, slice } of found) {
    expect(slice?.start).toBeLessThanOrEqual(position);
    expect(slice?.end).toBeGreaterThan(position);
  }
});

test.each(['python', 'typescript', 'bash', 'json', 'yaml', 'xml', 'diff', 'sql', 'go', 'klingon'])(
  'preserves the text of highlighted %s',
  (language) => {
    fc.assert(
      fc.property(
        fc.oneof(
          texts,
          fc
            .array(
              fc.constantFrom(
                '"',
                "'",
                '`',
                '/*',
                '//',
                '#',
                '\\',
                '<',
                '>',
                '{',
                'if',
                ' ',
                '\n',
                '1',
                '"""',
                '$',
                '=',
                ':',
              ),
            )
            .map((parts) => parts.join('')),
        ),
        (code) => {
          const segments = codeSegments(code, language);

          expect(joined(segments)).toBe(code);
        },
      ),
    );
  },
);

test.each([
  [
    'python',
    'def f(x): return "a" # b',
    { def: 'keyword', f: 'name', return: 'keyword', '"a"': 'string', '# b': 'comment' },
  ],
  [
    'json',
    '{"a": "b", "c": [1, true]}',
    { '"a"': 'key', '"b"': 'string', '"c"': 'key', '1': 'number', true: 'literal' },
  ],
  ['ts', 'const a = `b` // c', { const: 'keyword', '`b`': 'string', '// c': 'comment' }],
  [
    'bash',
    'for f in $A; do ls -la # x',
    { for: 'keyword', in: 'keyword', $A: 'name', do: 'keyword', '-la': 'meta', '# x': 'comment' },
  ],
  ['diff', '@@ 1\n+a\n-b\n c', { '@@ 1': 'meta', '+a': 'added', '-b': 'removed' }],
  [
    'html',
    '<a href="x">don\'t</a>',
    { '<a': 'keyword', href: 'key', '"x"': 'string', '>': 'keyword', '</a': 'keyword' },
  ],
  ['yaml', '- key: "v" # c', { '- key': 'key', '"v"': 'string', '# c': 'comment' }],
])('highlights %s', (language, code, expected) => {
  const segments = codeSegments(code, language);

  const coloured = segments.flatMap(({ text, style }) => (style === undefined ? [] : [[text, style] as const]));
  expect(Object.fromEntries(coloured)).toEqual(expected);
});
