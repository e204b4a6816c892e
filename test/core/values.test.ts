import { describe, expect, test } from '@jest/globals';
import {
  batchesOf,
  countBy,
  countFitting,
  definedFields,
  formatBytes,
  formatCount,
  formatDuration,
  formatNumber,
  fromBase64,
  groupBy,
  parseDataUrl,
  parseInteger,
  parseNumber,
  randomBytes,
  randomId,
  seededRandom,
  sum,
  toBase64,
  toDataUrl,
  toHex,
  truncateBytes,
  utf8Length,
  utf8LengthAbove,
} from '../../src/core/index.ts';
import fc, { unicode } from '../support/fast-check.ts';

describe('arrays', () => {
  test('are grouped and counted by a key, in the order of first appearance', () => {
    const words = ['b1', 'a1', 'b2', '__proto__'];

    expect([...groupBy(words, (word) => word[0])]).toEqual([
      ['b', ['b1', 'b2']],
      ['a', ['a1']],
      ['_', ['__proto__']],
    ]);
    expect([...countBy(words, (word) => word)]).toContainEqual(['__proto__', 1]);
  });

  test('are summed', () => {
    expect(sum([])).toBe(0);
    expect(sum(new Set([1, 2.5]))).toBe(3.5);
  });

  test.each([
    [{ count: 2 }, 2],
    [{ size: 6 }, 3],
    [{ size: 5 }, 2],
    [{ size: 0 }, 1],
    [{}, 4],
  ])('fit into a batch of %j', (limits, count) => {
    expect(countFitting([1, 2, 3, 4], { ...limits, sizeOf: (item) => item })).toBe(count);
  });

  test.each([
    [
      { count: 2 },
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [{ count: 3, size: 6 }, [[1, 2, 3], [4]]],
    [{ size: 0 }, [[1], [2], [3], [4]]],
    [{}, [[1, 2, 3, 4]]],
  ])('are split into batches of %j', (limits, batches) => {
    expect([...batchesOf([1, 2, 3, 4], { ...limits, sizeOf: (item) => item })]).toEqual(batches);
  });

  test('that are empty make no batch', () => {
    expect(countFitting([], { count: 2, sizeOf: () => 1 })).toBe(0);
    expect([...batchesOf([], { count: 2, sizeOf: () => 1 })]).toEqual([]);
  });
});

test('definedFields drops what is undefined', () => {
  expect(Object.keys(definedFields({ a: 1, b: undefined, c: null }))).toEqual(['a', 'c']);
});

describe('bytes', () => {
  test('survive base64 and are shown as hex', () => {
    const bytes = Uint8Array.from({ length: 3_000 }, (_, index) => index);

    expect(fromBase64(toBase64(bytes))).toEqual(bytes);
    expect(toHex(bytes.subarray(9, 18))).toBe('090a0b0c0d0e0f1011');
  });

  test('of a text are counted as an encoder does', () => {
    fc.assert(
      fc.property(unicode(), fc.nat({ max: 100 }), (text, limit) => {
        const length = Buffer.byteLength(text);
        expect(utf8Length(text)).toBe(length);
        expect(utf8LengthAbove(limit, text)).toBe(length > limit ? length : undefined);
      }),
    );
    expect(utf8Length('é'.repeat(100_000))).toBe(200_000);
    expect(utf8Length('\ud83d')).toBe(3);
  });

  test('of a text are cut between characters, and those that are missing are counted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 40, max: 100 }), (text, limit) => {
        const cut = truncateBytes(text, limit);
        const [, kept = text, missing = '0'] = /^(.*)… \((\d+) bytes? more\)$/s.exec(cut) ?? [];
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(limit);
        expect(text.startsWith(kept) && cut.isWellFormed() === text.isWellFormed()).toBe(true);
        expect(Buffer.byteLength(kept) + Number(missing)).toBe(Buffer.byteLength(text));
        expect(cut === text).toBe(Buffer.byteLength(text) <= limit);
      }),
    );
    expect(truncateBytes('世'.repeat(1_000), 40)).toBe('世世世世世世… (2,982 bytes more)');
  });

  test.each([
    ['data:image/png;base64,AA==', { mediaType: 'image/png', base64: 'AA==' }],
    ['data:image/svg+xml;charset=utf-8;base64,AA==', { mediaType: 'image/svg+xml', base64: 'AA==' }],
    ['data:image/svg+xml,<svg/>', undefined],
    ['data:;base64,AA==', { mediaType: '', base64: 'AA==' }],
    ['https://example.com/a.png', undefined],
  ])('are read from the data URL %s', (url, parts) => {
    expect(parseDataUrl(url)).toEqual(parts);
  });

  test('are written to a data URL', () => {
    expect(parseDataUrl(toDataUrl('image/png', 'AA=='))).toEqual({ mediaType: 'image/png', base64: 'AA==' });
  });
});

describe('random', () => {
  test('returns bytes that later calls do not overwrite, in any number', () => {
    const first = randomBytes(16);
    const copy = first.slice();
    for (let index = 0; index < 300; index++) randomBytes(16);

    expect(first).toEqual(copy);
    expect(randomBytes(10_000).some((byte, index) => index > 5_000 && byte !== 0)).toBe(true);
  });

  test('creates ids with a prefix and 32 hexadecimal digits', () => {
    expect(randomId('play-')).toMatch(/^play-[0-9a-f]{32}$/);
    expect(randomId('')).not.toBe(randomId(''));
  });

  test('repeats the numbers of a seed', () => {
    const [one, other] = [seededRandom(7), seededRandom(7)];
    const numbers = Array.from({ length: 1_000 }, one);

    expect(Array.from({ length: 1_000 }, other)).toEqual(numbers);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    expect(sum(numbers) / 1_000).toBeCloseTo(0.5, 1);
  });
});

test.each([
  [formatNumber(1 / 3), '0.3333'],
  [formatNumber(0.1 + 0.2, 12), '0.3'],
  [formatNumber(1_000_000), '1000000'],
  [formatCount(1234), '1,234'],
])('formats numbers: %s', (text, expected) => {
  expect(text).toBe(expected);
});

test.each([
  [0, '0 B'],
  [731, '731 B'],
  [1_024, '1 KiB'],
  [1_536, '1.5 KiB'],
  [65_536, '64 KiB'],
  [1_046_000, '1,021 KiB'],
  [1_048_575, '1 MiB'],
  [1_048_576, '1 MiB'],
])('formats %d bytes', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [0, '0 s'],
  [0.25, '0.25 ms'],
  [40, '40 ms'],
  [999.7, '1 s'],
  [4_200, '4.2 s'],
  [59_990, '1 min'],
  [180_000, '3 min'],
  [192_000, '3 min 12 s'],
  [3_600_000, '1 h'],
  [7_500_000, '2 h 5 min'],
  [90_000_000, '1 d 1 h'],
])('formats %d ms', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

describe('parseInteger', () => {
  test.each(['0x1F90', ' 8080 ', '8e3', '-1', '1.5', '', '9007199254740993'])('refuses %j', (text) => {
    expect(parseInteger(text)).toBeUndefined();
  });

  test('accepts decimal digits within a range', () => {
    expect(parseInteger('8080', { max: 65_535 })).toBe(8080);
    expect(parseInteger('65536', { max: 65_535 })).toBeUndefined();
    expect(parseInteger('0', { min: 1 })).toBeUndefined();
  });
});

describe('parseNumber', () => {
  test.each(['0x10', ' 5 ', 'Infinity', '', '.', '1e999'])('refuses %j', (text) => {
    expect(parseNumber(text)).toBeUndefined();
  });

  test.each([
    ['-0.5', -0.5],
    ['.5', 0.5],
    ['1e-3', 0.001],
    ['30', 30],
  ])('accepts %j', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });
});
