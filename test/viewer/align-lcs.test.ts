import { expect, test } from '@jest/globals';
import { longestCommonSubsequence } from '../../src/viewer/page/parts/align.ts';
import fc from '../support/fast-check.ts';

test.each([
  ['', '', []],
  ['abc', '', []],
  ['abc', 'abc', ['00', '11', '22']],
  ['abc', 'axc', ['00', '22']],
  ['abcd', 'bd', ['10', '31']],
  ['xaby', 'ab', ['10', '21']],
])('finds the common items of %j and %j at %j', (one, other, expected) => {
  const pairs = longestCommonSubsequence([...one], [...other]);

  expect(pairs.map(([a, b]) => `${a}${b}`)).toEqual(expected);
});

// More than the 32 columns that are processed together; lists have at most 10 items by default.
const items = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 90, size: 'max' });

test('returns ascending pairs of equal items, and as many as possible', () => {
  fc.assert(
    fc.property(items, items, (one, other) => {
      const pairs = longestCommonSubsequence(one, other);

      for (const [a, b] of pairs) expect(one[a]).toBe(other[b]);
      for (const side of [0, 1] as const) {
        const ascending = pairs.map((pair) => pair[side]);
        expect(ascending).toEqual([...new Set(ascending)].toSorted((x, y) => x - y));
      }
      expect(pairs).toHaveLength(lengthByTable(one, other));
    }),
  );
});

test('contains common prefixes and suffixes', () => {
  fc.assert(
    fc.property(items, items, items, items, (start, one, other, end) => {
      const [left, right] = [
        [...start, ...one, ...end],
        [...start, ...other, ...end],
      ];

      const pairs = longestCommonSubsequence(left, right).map(String);

      for (const index of start.keys()) expect(pairs).toContain(`${index},${index}`);
      expect(pairs.length).toBeGreaterThanOrEqual(start.length + end.length);
    }),
  );
});

/** Computes the length by the textbook table, one cell at a time. */
function lengthByTable(one: readonly string[], other: readonly string[]): number {
  let row = Array.from({ length: other.length + 1 }, () => 0);
  for (const item of one) {
    const next = [0];
    for (const [index, each] of other.entries()) {
      next.push(item === each ? (row[index] ?? 0) + 1 : Math.max(next[index] ?? 0, row[index + 1] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
