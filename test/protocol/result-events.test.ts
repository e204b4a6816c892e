import { expect, test } from '@jest/globals';
import { resultEvents } from '../../src/protocol/index.ts';
import fc, { runs } from '../support/fast-check.ts';

/** Characters that str.strip of Python removes and that JSON can contain unescaped. */
const PYTHON_WHITE_SPACE = /^[ \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

const nasty = fc.constantFrom(' ', '\u00a0', '\u2028', '\u3000', '\u0085', '😀', 'é', 'a', '"', '\\', '\n', '\ud83d');
const text = fc.array(nasty, { minLength: 0, maxLength: 20_000, size: 'max' }).map((parts) => parts.join(''));

test('splits any result into parts that join to the same value, none too long, beginning with white space or splitting a pair', () => {
  fc.assert(
    fc.property(text, (value) => {
      const events = [...resultEvents(JSON.stringify({ text: value }))];

      expect(JSON.parse(events.map(({ data }) => data).join(''))).toEqual({ text: value });
      for (const { data } of events) {
        expect(Buffer.byteLength(data)).toBeLessThanOrEqual(4096);
        expect(data).not.toMatch(PYTHON_WHITE_SPACE);
        expect(data.isWellFormed()).toBe(true);
      }
    }),
    // Shrinking a text of this size would take minutes.
    { numRuns: runs(200), endOnFailure: true },
  );
});

test.each([
  [1, ['end']],
  [4096, ['end']],
  [4097, ['chunk', 'end']],
  [8192, ['chunk', 'end']],
  [8193, ['chunk', 'chunk', 'end']],
])('splits a result of %i characters into %j', (length, expected) => {
  const events = [...resultEvents('x'.repeat(length))];

  expect(events.map(({ event }) => event)).toEqual(expected);
  expect(events.every(({ data }) => data.length > 0)).toBe(true);
});

test.each([
  ['a', 10_000, [4096, 4096, 1808]],
  ['é', 5_000, [4096, 4096, 1808]],
  ['世', 5_000, [4095, 4095, 4095, 2715]],
  ['😀', 3_000, [4096, 4096, 3808]],
  ['a😀', 2_000, [4096, 4095, 1809]],
])('counts bytes of UTF-8, and cuts no character: %j', (text, times, expected) => {
  const events = [...resultEvents(text.repeat(times))];

  expect(events.map(({ data }) => Buffer.byteLength(data))).toEqual(expected);
  expect(events.map(({ data }) => data).join('')).toBe(text.repeat(times));
});

test.each([4090, 4091, 4092, 4093, 4094, 4095, 4096])('cuts no character behind %i bytes of ASCII', (length) => {
  for (const character of ['é', '世', '😀']) {
    const text = 'x'.repeat(length) + character.repeat(10);
    const [first, second, ...rest] = [...resultEvents(text)].map(({ data }) => data);
    const fitting = Math.floor((4096 - length) / Buffer.byteLength(character));

    expect(first).toBe('x'.repeat(length) + character.repeat(fitting));
    expect([second, rest]).toEqual([character.repeat(10 - fitting), []]);
  }
});

test('counts an escape at the start of a part towards its length', () => {
  const events = [...resultEvents(`"${' '.repeat(10_000)}"`)];

  expect(events.map(({ data }) => data.length)).toEqual([4096, 4096, 1820]);
  expect(events[1]?.data.startsWith('\\u0020 ')).toBe(true);
});
